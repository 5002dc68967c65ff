package io.tidemark.sink.view;

/**
 * Page 0, in the byte order of the machine, every field 64 bits:
 * <pre>
 *   0         8    16         24        32       40      48      56      64
 *  +---------+----+----------+---------+--------+-------+-------+-------+------+
 *  | version | X  | position | horizon | reused | round | files | table | rows |
 *  +---------+----+----------+---------+--------+-------+-------+-------+------+
 * </pre>
 * X is the ordinal of the last change-set applied, position that of its event. The page that {@code table} names holds
 * the number of words of the hash table as a power of two, then, as int32 each, the pages with the words:
 * {@value #WORDS_A_PAGE} a page. The package's description says what horizon, reused and round are.
 */
final class HeaderDescriptor
{
    static final long VERSION = 1;

    static final int VERSION_OFFSET = 0;
    static final int X_OFFSET = 8;
    static final int POSITION_OFFSET = 16;
    static final int HORIZON_OFFSET = 24;
    static final int REUSED_OFFSET = 32;
    static final int ROUND_OFFSET = 40;
    static final int FILES_OFFSET = 48;
    static final int TABLE_OFFSET = 56;
    static final int ROWS_OFFSET = 64;

    static final int MAX_TABLE_BITS = 26;
    static final int TABLE_BITS_OFFSET = 0;
    static final int TABLE_PAGES_OFFSET = 8;
    static final int WORDS_A_PAGE_BITS = 13;
    static final int WORDS_A_PAGE = 1 << WORDS_A_PAGE_BITS;

    /** A place in the table that was never taken ends a search; one that was given up does not. */
    static final long EMPTY = 0;
    static final long GIVEN_UP = 1L << Integer.SIZE;

    private HeaderDescriptor()
    {
    }

    static int tablePageOffset(final long place)
    {
        return TABLE_PAGES_OFFSET + (int)(place >>> WORDS_A_PAGE_BITS) * Integer.BYTES;
    }

    static int wordOffset(final long place)
    {
        return (int)(place & (WORDS_A_PAGE - 1)) * Long.BYTES;
    }

    static long word(final long hash, final int ref)
    {
        return (hash & 0xFFFF_FFFF_0000_0000L) | Integer.toUnsignedLong(ref);
    }

    static boolean isOf(final long word, final long hash)
    {
        return (word ^ hash) >>> Integer.SIZE == 0 && (int)word != 0;
    }
}
