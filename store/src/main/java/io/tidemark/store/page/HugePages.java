package io.tidemark.store.page;

import net.openhft.posix.MAdviseFlag;
import net.openhft.posix.PosixAPI;

/** Asks the system to back memory with huge pages; where it can't or won't, everything works as well, only slower. */
final class HugePages
{
    private static final long SMALL_PAGE = 4096;
    private static final PosixAPI POSIX = posix();

    private HugePages()
    {
    }

    /** Asks for what lies in so many bytes from an address on, before they are touched. */
    static void askFor(final long address, final long length)
    {
        if (POSIX != null)
        {
            final long from = address & -SMALL_PAGE;
            POSIX.madvise(from, address + length - from, MAdviseFlag.MADV_HUGEPAGE);
        }
    }

    private static PosixAPI posix()
    {
        try
        {
            return PosixAPI.posix();
        }
        catch (final LinkageError | RuntimeException e)
        {
            return null;
        }
    }
}
