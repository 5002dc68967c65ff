package io.tidemark.sink.view;

/**
 * Records in pages, at multiples of {@value #UNIT} bytes, in the byte order of the machine. A reference to one is its
 * page and its unit in that page in 32 bits; 0 is none.
 * <pre>
 *   a key   0      1            8                                56
 *          +------+------------+---------- 12 x int32 -----------+------ ... ----+
 *          | KEY  | key length | first row by level              | the key       |
 *          +------+------------+---------------------------------+------ ... ----+
 *
 *   a row   0      1      2        4     8          16        24      32       40      48           52     56
 *          +------+------+--------+-----+----------+---------+-------+--------+-------+------------+------+
 *          | ROW  | kind | levels | key | inserted | retired | time  | time 2 | hash  | generation | rule |
 *          +------+------+--------+-----+----------+---------+-------+--------+-------+------------+------+
 *          | next row by level: int32 each | the row's content ({@link Content})  ...                    |
 *          +-------------------------------+---------------------------------------------------------- ... +
 * </pre>
 * Rows of a key are linked by time, time 2 and hash: times of left and right row, of an unmatched row twice, or start
 * and end of a session; the hash is that of the row id, so that no two rows are alike but versions of one.
 */
final class RecordDescriptor
{
    static final int UNIT = 32;
    static final int UNITS_A_PAGE_BITS = 11;
    static final int MAX_LEVELS = 12;

    static final byte KEY = 1;
    static final byte ROW = 2;

    static final int TYPE_OFFSET = 0;

    static final int KEY_LENGTH_OFFSET = 1;
    static final int KEY_FIRST_OFFSET = 8;
    static final int KEY_OFFSET = KEY_FIRST_OFFSET + MAX_LEVELS * Integer.BYTES;

    static final int KIND_OFFSET = 1;
    static final int LEVELS_OFFSET = 2;
    static final int ROW_KEY_OFFSET = 4;
    static final int INSERTED_OFFSET = 8;
    static final int RETIRED_OFFSET = 16;
    static final int TIME_OFFSET = 24;
    static final int TIME_2_OFFSET = 32;
    static final int HASH_OFFSET = 40;
    static final int GENERATION_OFFSET = 48;
    static final int RULE_OFFSET = 52;
    static final int NEXT_OFFSET = 56;

    /** Not retired. */
    static final long NEVER = Long.MAX_VALUE;

    static final int MAX_ROW_LENGTH = NEXT_OFFSET + MAX_LEVELS * Integer.BYTES + Content.MAX_LENGTH;
    static final int MAX_UNITS = (MAX_ROW_LENGTH + UNIT - 1) / UNIT;

    private RecordDescriptor()
    {
    }

    static int page(final int ref)
    {
        return ref >>> UNITS_A_PAGE_BITS;
    }

    static int offset(final int ref)
    {
        return (ref & ((1 << UNITS_A_PAGE_BITS) - 1)) * UNIT;
    }

    static int ref(final int page, final int offset)
    {
        return page << UNITS_A_PAGE_BITS | offset / UNIT;
    }

    static int contentOffset(final int levels)
    {
        return NEXT_OFFSET + levels * Integer.BYTES;
    }

    static int units(final int length)
    {
        return (length + UNIT - 1) / UNIT;
    }
}
