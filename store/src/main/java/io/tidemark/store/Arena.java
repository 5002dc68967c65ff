package io.tidemark.store;

import io.tidemark.store.page.PageStore;
import org.agrona.UnsafeApi;

/**
 * Blocks of one slot, in the slot's own pages, for one writer thread. A block has 64 &lt;&lt; class bytes (class 0 to
 * 6) or a size in between (class 7 and on), starts at a line and is zeroed; a freed block is zeroed again, so that
 * unused bytes are always zero. Each class is there twice: of a {@link #marked} one it can be told from a reference
 * whether a block of it is there. A reference is {@code page << 6 | line}, page being the slot's own numbering from 0;
 * 0 is no reference.
 *
 * <p>The header and the meta of pages are worked on in memory of their own, because almost every call needs them, and
 * are written to their pages when pages are captured.
 *
 * <p>Pages are handed out to one class each and come back when their last block is freed. Which block is handed out
 * depends on the calls alone.
 *
 * <pre>
 *   page 0, 128, 256, ..   meta: 32 bytes for each of the 128 pages from there on:
 *                            0 free (64)        page of blocks: a bit for the first line of each free block
 *                              tag (32), count (32)     whole page
 *                            8 next (32), previous (32)   in the list that the page is in, if any
 *                           16 kind (32)
 *   page 1                 header of the slot: the arena's own fields, those of the slot, those of its operator
 *   other pages            blocks of one class, or whole pages of an index
 * </pre>
 */
public final class Arena extends Pages
{
    /** Bytes of the smallest block. */
    public static final int LINE = 64;

    /** Class of the largest block, a whole page. */
    public static final int LARGEST_CLASS = 6;

    /** Class of a block of three lines. */
    public static final int THREE_LINES = 7;

    /** Sizes of blocks. */
    private static final int SIZES = 11;

    /** Lines of the blocks of each class. */
    private static final byte[] LINES =
        {1, 2, 4, 8, 16, 32, 64, 3, 6, 12, 21, 1, 2, 4, 8, 16, 32, 64, 3, 6, 12, 21};

    /** Number of classes, marked ones included. */
    public static final int CLASSES = LINES.length;

    /** The bit of the first line of each block that a page has room for, by class. */
    private static final long[] ALL_FREE = new long[CLASSES];

    /** The class of the smallest block that has so many lines. */
    private static final byte[] CLASS_OF_LINES = new byte[65];

    static
    {
        for (int i = 1; i < CLASS_OF_LINES.length; i++)
        {
            byte best = LARGEST_CLASS;
            for (byte sizeClass = 0; sizeClass < SIZES; sizeClass++)
            {
                best = LINES[sizeClass] >= i && LINES[sizeClass] < LINES[best] ? sizeClass : best;
            }
            CLASS_OF_LINES[i] = best;
        }
        for (int sizeClass = 0; sizeClass < CLASSES; sizeClass++)
        {
            for (int line = 0; line + LINES[sizeClass] <= 64; line += LINES[sizeClass])
            {
                ALL_FREE[sizeClass] |= 1L << line;
            }
        }
    }

    /** Offset in the header page from which the users of the arena keep their own fields. */
    static final int HEADER_USER_OFFSET = 104;

    /** Bytes of the header in all. */
    static final int HEADER_LENGTH = 384;

    /** Where more than one page in so many has changed, all are looked at in turn, which costs fewer cache misses. */
    private static final int FEW_CHANGED = 8;

    private static final int HEADER_PAGE = 1;
    private static final int META_PAGES = 128;
    private static final int META_LENGTH = 32;
    private static final int META_FREE_BITS = 0;
    private static final int META_LISTS = 8;
    private static final int META_KIND = 16;

    /** The same in a page's entry. */
    private static final int KIND = ENTRY_META;
    private static final int FREE_BITS = KIND + Integer.BYTES;
    private static final int TAG = FREE_BITS;
    private static final int COUNT = TAG + Integer.BYTES;
    private static final int NEXT = FREE_BITS + Long.BYTES;
    private static final int PREVIOUS = NEXT + Integer.BYTES;

    private static final int KIND_FREE_PAGE = 0;
    private static final int KIND_BLOCKS = 1;
    private static final int KIND_WHOLE = 32;

    private static final int HEADER_PAGE_COUNT = 0;
    private static final int HEADER_FREE_PAGES = 4;
    private static final int HEADER_BLOCK_BYTES = 8;
    private static final int HEADER_PARTIAL = 16;

    private final long header;

    /** An arena without pages, to be {@link #begin begun} or {@link #install installed}. */
    Arena(final PageStore store, final int slot, final long header)
    {
        super(store, slot);
        this.header = header;
    }

    /** Makes the first pages. */
    void begin()
    {
        map(0);
        map(HEADER_PAGE);
        UnsafeApi.putInt(header + HEADER_PAGE_COUNT, 2);
    }

    /** Goes on from pages that were all installed; returns whether they are the pages of an arena. */
    boolean installed()
    {
        if (!areAtLeast(HEADER_PAGE + 1))
        {
            return false;
        }
        UnsafeApi.copyMemory(address(HEADER_PAGE << 6), header, HEADER_LENGTH);
        if (!areExactly(pages()))
        {
            return false;
        }
        for (int page = 0; page < pages(); page++)
        {
            final long entry = entry(page);
            final long meta = address(metaPage(page) << 6) + metaOffset(page);
            UnsafeApi.putInt(entry + KIND, UnsafeApi.getInt(meta + META_KIND));
            UnsafeApi.putLong(entry + FREE_BITS, UnsafeApi.getLong(meta + META_FREE_BITS));
            UnsafeApi.putLong(entry + NEXT, UnsafeApi.getLong(meta + META_LISTS));
        }
        return true;
    }

    /** Writes to their pages what is worked on elsewhere: the header, and the meta of pages that have changed. */
    void writeBack()
    {
        if (changedPages() > pages() / FEW_CHANGED)
        {
            for (int page = 0; page < pages(); page++)
            {
                if (isNoted(page))
                {
                    writeBackMeta(page);
                }
            }
        }
        else
        {
            // A page of metas that is changed by this is a page that has changed, behind the others.
            for (int i = 0; i < changedPages(); i++)
            {
                writeBackMeta(changedPage(i));
            }
        }
        writeBackHeader();
    }

    private void writeBackMeta(final int page)
    {
        final long entry = entry(page);
        final long meta = writable(metaPage(page) << 6) + metaOffset(page);
        UnsafeApi.putLong(meta + META_FREE_BITS, UnsafeApi.getLong(entry + FREE_BITS));
        UnsafeApi.putLong(meta + META_LISTS, UnsafeApi.getLong(entry + NEXT));
        UnsafeApi.putInt(meta + META_KIND, UnsafeApi.getInt(entry + KIND));
    }

    private void writeBackHeader()
    {
        final long page = address(HEADER_PAGE << 6);
        boolean differs = false;
        for (int i = 0; i < HEADER_LENGTH; i += Long.BYTES)
        {
            differs |= UnsafeApi.getLong(page + i) != UnsafeApi.getLong(header + i);
        }
        if (differs)
        {
            UnsafeApi.copyMemory(header, writable(HEADER_PAGE << 6), HEADER_LENGTH);
        }
    }

    /**
     * The smallest class whose blocks hold so many bytes.
     *
     * @param length from 0 to {@value PageStore#PAGE_SIZE}.
     * @return 0 to {@link #CLASSES} - 1.
     */
    public static int classFor(final int length)
    {
        return CLASS_OF_LINES[Math.max(1, (length + LINE - 1) >>> 6)];
    }

    /**
     * The class of the same size of which blocks can be told from others.
     *
     * @param sizeClass one that {@link #classFor} gave.
     * @return its class, up to {@link #CLASSES} - 1.
     */
    public static int marked(final int sizeClass)
    {
        return SIZES + sizeClass;
    }

    /**
     * Whether a block of a marked class begins at a reference now, wherever that is from: its page may be of other
     * blocks meanwhile.
     *
     * @param ref of any block, 64 times a page or more.
     * @return false when it was freed, unless another one of a marked class begins there.
     */
    public boolean isMarked(final int ref)
    {
        if (ref >>> 6 >= pages())
        {
            return false;
        }
        final long entry = entry(ref >>> 6);
        final int kind = UnsafeApi.getInt(entry + KIND);
        if (kind < KIND_BLOCKS + SIZES || kind >= KIND_WHOLE)
        {
            return false;
        }
        final long held = ALL_FREE[kind - KIND_BLOCKS] & ~UnsafeApi.getLong(entry + FREE_BITS);
        return ((held >>> (ref & PAGE_MASK)) & 1) != 0;
    }

    /**
     * Bytes of a block.
     *
     * @param sizeClass 0 to {@link #CLASSES} - 1.
     * @return bytes.
     */
    public static int sizeOf(final int sizeClass)
    {
        return LINES[sizeClass] << 6;
    }

    /**
     * Allocates a zeroed block.
     *
     * @param sizeClass 0 to {@link #CLASSES} - 1.
     * @return its reference.
     */
    public int allocate(final int sizeClass)
    {
        final long partialHead = header + HEADER_PARTIAL + (sizeClass << 2);
        int page = UnsafeApi.getInt(partialHead);
        if (page == 0)
        {
            page = pageForBlocks(sizeClass);
            UnsafeApi.putInt(partialHead, page);
        }
        final long entry = writableEntry(page);
        final long free = UnsafeApi.getLong(entry + FREE_BITS);
        final int line = Long.numberOfTrailingZeros(free);
        final long left = free & (free - 1);
        UnsafeApi.putLong(entry + FREE_BITS, left);
        if (left == 0)
        {
            unlink(entry, partialHead);
        }
        UnsafeApi.putLong(header + HEADER_BLOCK_BYTES,
            UnsafeApi.getLong(header + HEADER_BLOCK_BYTES) + sizeOf(sizeClass));
        return page << 6 | line;
    }

    /**
     * The block that is handed out next.
     *
     * @param sizeClass 0 to {@link #CLASSES} - 1.
     * @return its reference, or 0 where there is none yet.
     */
    public int next(final int sizeClass)
    {
        final int page = UnsafeApi.getInt(header + HEADER_PARTIAL + (sizeClass << 2));
        return page == 0 ? 0 : page << 6 | Long.numberOfTrailingZeros(UnsafeApi.getLong(entry(page) + FREE_BITS));
    }

    /**
     * Adds the first lines of a block, or of blocks behind a shorter one, which costs next to nothing more.
     *
     * @param lines to add to.
     * @param ref   of a block, or 0.
     */
    public void addBlock(final Lines lines, final int ref)
    {
        if (ref != 0)
        {
            final long address = address(ref);
            final int left = PAGE_MASK - (ref & PAGE_MASK);
            lines.add(address);
            lines.add(address + (Math.min(left, 1) << 6));
            lines.add(address + (Math.min(left, 2) << 6));
        }
    }

    /**
     * Frees and zeroes a block.
     *
     * @param ref       of an allocated block.
     * @param sizeClass its class.
     */
    public void free(final int ref, final int sizeClass)
    {
        Zeroes.put(writable(ref), sizeOf(sizeClass));
        final int page = ref >>> 6;
        final long entry = entry(page);
        assert UnsafeApi.getInt(entry + KIND) == KIND_BLOCKS + sizeClass : "block of another class";
        final long bit = 1L << (ref & 63);
        final long before = UnsafeApi.getLong(entry + FREE_BITS);
        assert (before & bit) == 0 : "block is free already";
        final long free = before | bit;
        UnsafeApi.putLong(entry + FREE_BITS, free);
        UnsafeApi.putLong(header + HEADER_BLOCK_BYTES,
            UnsafeApi.getLong(header + HEADER_BLOCK_BYTES) - sizeOf(sizeClass));
        final long partialHead = header + HEADER_PARTIAL + (sizeClass << 2);
        if (free == ALL_FREE[sizeClass])
        {
            if (before != 0)
            {
                unlink(entry, partialHead);
            }
            freePage(page, entry);
        }
        else if (before == 0)
        {
            link(page, entry, partialHead);
        }
    }

    /**
     * Allocates a whole zeroed page for an index.
     *
     * @param kind 0 to 63, what it is for.
     * @param tag  a number that its owner finds it by when the state is loaded.
     * @return the page's address.
     */
    int allocateWhole(final int kind, final int tag)
    {
        final int page = takePage();
        final long entry = writableEntry(page);
        UnsafeApi.putInt(entry + KIND, KIND_WHOLE + kind);
        UnsafeApi.putInt(entry + TAG, tag);
        return page << 6;
    }

    void freeWhole(final int ref)
    {
        UnsafeApi.setMemory(writable(ref), PageStore.PAGE_SIZE, (byte)0);
        freePage(ref >>> 6, entry(ref >>> 6));
    }

    /**
     * The next whole page of a kind.
     *
     * @param after number of the page from which to look, or 0.
     * @param kind  0 to 63.
     * @return its reference, or 0 when there is none behind.
     */
    int nextWhole(final int after, final int kind)
    {
        final int count = pages();
        for (int page = after + 1; page < count; page++)
        {
            if (UnsafeApi.getInt(entry(page) + KIND) == KIND_WHOLE + kind)
            {
                return page << 6;
            }
        }
        return 0;
    }

    /** The tag that a whole page was allocated with. */
    int tag(final int ref)
    {
        return UnsafeApi.getInt(entry(ref >>> 6) + TAG);
    }

    /** What the owner of a whole page counts in it. */
    int count(final int ref)
    {
        return UnsafeApi.getInt(entry(ref >>> 6) + COUNT);
    }

    /** Changes that, in a page that is noted as written to. */
    void count(final int ref, final int value)
    {
        assert isNoted(ref >>> 6) : "the count of a page changes with the page";
        UnsafeApi.putInt(entry(ref >>> 6) + COUNT, value);
    }

    /** Where the users of the arena keep their fields in the slot's header. */
    long headerAddress()
    {
        return header + HEADER_USER_OFFSET;
    }

    /**
     * Bytes of all allocated blocks, without what indexes take.
     *
     * @return bytes.
     */
    public long blockBytes()
    {
        return UnsafeApi.getLong(header + HEADER_BLOCK_BYTES);
    }

    /**
     * Pages of the slot, free ones included.
     *
     * @return pages.
     */
    @Override
    public int pages()
    {
        return UnsafeApi.getInt(header + HEADER_PAGE_COUNT);
    }

    private int pageForBlocks(final int sizeClass)
    {
        final int page = takePage();
        final long entry = writableEntry(page);
        UnsafeApi.putLong(entry + FREE_BITS, ALL_FREE[sizeClass]);
        UnsafeApi.putInt(entry + KIND, KIND_BLOCKS + sizeClass);
        return page;
    }

    private int takePage()
    {
        final int free = UnsafeApi.getInt(header + HEADER_FREE_PAGES);
        if (free != 0)
        {
            final long entry = writableEntry(free);
            UnsafeApi.putInt(header + HEADER_FREE_PAGES, UnsafeApi.getInt(entry + NEXT));
            UnsafeApi.putInt(entry + NEXT, 0);
            return free;
        }
        int page = UnsafeApi.getInt(header + HEADER_PAGE_COUNT);
        if (page % META_PAGES == 0)
        {
            map(page);
            page++;
        }
        map(page);
        UnsafeApi.putInt(header + HEADER_PAGE_COUNT, page + 1);
        return page;
    }

    /** A page that was just zeroed. */
    private void freePage(final int page, final long entry)
    {
        UnsafeApi.putLong(entry + FREE_BITS, 0);
        UnsafeApi.putInt(entry + KIND, KIND_FREE_PAGE);
        UnsafeApi.putInt(entry + NEXT, UnsafeApi.getInt(header + HEADER_FREE_PAGES));
        UnsafeApi.putInt(entry + PREVIOUS, 0);
        UnsafeApi.putInt(header + HEADER_FREE_PAGES, page);
    }

    private void link(final int page, final long entry, final long headAddress)
    {
        final int head = UnsafeApi.getInt(headAddress);
        UnsafeApi.putInt(entry + NEXT, head);
        UnsafeApi.putInt(entry + PREVIOUS, 0);
        if (head != 0)
        {
            UnsafeApi.putInt(writableEntry(head) + PREVIOUS, page);
        }
        UnsafeApi.putInt(headAddress, page);
    }

    private void unlink(final long entry, final long headAddress)
    {
        final int next = UnsafeApi.getInt(entry + NEXT);
        final int previous = UnsafeApi.getInt(entry + PREVIOUS);
        if (previous == 0)
        {
            UnsafeApi.putInt(headAddress, next);
        }
        else
        {
            UnsafeApi.putInt(writableEntry(previous) + NEXT, next);
        }
        if (next != 0)
        {
            UnsafeApi.putInt(writableEntry(next) + PREVIOUS, previous);
        }
        UnsafeApi.putLong(entry + NEXT, 0);
    }

    private static int metaPage(final int page)
    {
        return page & -META_PAGES;
    }

    private static long metaOffset(final int page)
    {
        return (long)(page & META_PAGES - 1) * META_LENGTH;
    }
}
