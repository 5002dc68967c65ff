package io.tidemark.store.snapshot;

/**
 * Layout of a file of pages, little endian. A page's zeros behind its last word that is not zero are left out.
 *
 * <pre>
 *    0  magic (64)  "TMPAGES" and 0
 *    8  version (32), 12 unused (32)
 *   16  position (64)
 *   24  unused, up to 64
 *   64  records:  0 slot (32), 4 page (32), 8 length (32), 12 unused (32), 16 the page's first bytes, a multiple of 8
 *   end trailer:  0 -1 (32), 4 -1 (32), 8 0 (32), 12 unused (32), 16 pages (64), 24 digest (2 x 64)
 * </pre>
 */
final class PageFileDescriptor
{
    static final long MAGIC = 0x0053_4547_4150_4D54L;
    static final int VERSION = 1;
    static final int VERSION_OFFSET = 8;
    static final int POSITION_OFFSET = 16;
    static final int HEADER_LENGTH = 64;

    static final int RECORD_SLOT = 0;
    static final int RECORD_PAGE = 4;
    static final int RECORD_LENGTH = 8;
    static final int RECORD_UNUSED = 12;
    static final int RECORD_HEADER = 16;

    static final int TRAILER_PAGES = 16;
    static final int TRAILER_HIGH = 24;
    static final int TRAILER_LOW = 32;
    static final int TRAILER_LENGTH = 40;
    static final int NO_SLOT = -1;

    private PageFileDescriptor()
    {
    }

    static long tag(final int slot, final int page)
    {
        return ((long)slot << 32) | (page & 0xFFFF_FFFFL);
    }
}
