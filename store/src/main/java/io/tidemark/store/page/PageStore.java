package io.tidemark.store.page;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import net.openhft.chronicle.map.ChronicleMap;
import net.openhft.chronicle.map.ChronicleMapBuilder;
import org.agrona.UnsafeApi;

/**
 * Pages of {@value #PAGE_SIZE} bytes in Chronicle Map, for one writer thread. A page never moves while it is allocated.
 * One that was given back is handed out again before a new one is made, and never leaves its map. An entry of a map is
 * an {@link Extent} of several pages, because to make one takes the time of a hundred events.
 *
 * <p>The maps are in memory, not in files: the live map of a dead process is never trusted (state is rebuilt from a
 * snapshot or from the logs), so a file would only be written back to disk for nothing, and a disk that is full would
 * kill the process in the middle of a write. In memory they can also be backed by huge pages, where the system lets
 * those be asked for: state is touched all over the place, and every other touch would cost a walk through page tables.
 */
public final class PageStore implements AutoCloseable
{
    /** Size of a page in bytes. */
    public static final int PAGE_SIZE = 4096;

    /** Extents of the first map. */
    private static final int FIRST_MAP_EXTENTS = 8;

    /** A map is created with at most so many extents; beyond it there are simply more maps. */
    private static final int LARGEST_MAP_EXTENTS = 1 << 11;

    /** Share of a map's entries that is used: an overfull map throws in mid-operation and is unusable afterwards. */
    private static final double USED_SHARE = 0.95;

    private static final int CACHE_LINE = 64;

    /** Bytes from extent to extent in a map: the entry's key and flags take a line. */
    private static final long STRIDE = Extent.LENGTH + CACHE_LINE;

    private final Path directory;
    private final long maxPages;
    private final List<ChronicleMap<Long, Extent>> maps = new ArrayList<>();
    private final Extent extent = new Extent();
    private final Untouched untouched = new Untouched();
    private long extents;

    /** Extents that the newest map has room for. */
    private long room;
    private long firstOfMap;
    private long bytesOfMap;

    /** The next page of the newest extent, and where the extent ends. */
    private long next;
    private long end;
    private long made;
    private long[] free = new long[256];
    private int freeCount;

    private PageStore(final Path directory, final long maxPages)
    {
        this.directory = directory;
        this.maxPages = maxPages;
    }

    /**
     * Opens an empty store. Whatever an earlier process left in the directory is deleted.
     *
     * @param directory of the state; created when missing.
     * @param maxPages  the store refuses to hold more pages than this.
     * @return the store.
     */
    public static PageStore create(final Path directory, final long maxPages)
    {
        try
        {
            Files.createDirectories(directory);
            try (var files = Files.newDirectoryStream(directory, "pages-*.map"))
            {
                for (final Path file : files)
                {
                    Files.delete(file);
                }
            }
        }
        catch (final IOException e)
        {
            throw new UncheckedIOException(
                "state directory " + directory + " can't be prepared; check its permissions", e);
        }
        return new PageStore(directory, maxPages);
    }

    /**
     * Allocates a zeroed page.
     *
     * @return the page's address, which holds until {@link #release} or {@link #close}.
     * @throws StateFullException when the store holds as many pages as it may.
     */
    public long allocate()
    {
        if (pages() >= maxPages)
        {
            throw new StateFullException("state is full: it holds " + pages() + " pages of " + PAGE_SIZE +
                " bytes in " + directory + "; allow it more room and start again");
        }
        final long address = freeCount > 0 ? free[--freeCount] : make();
        UnsafeApi.setMemory(address, PAGE_SIZE, (byte)0);
        return address;
    }

    /**
     * Gives a page back.
     *
     * @param address of an allocated page.
     */
    public void release(final long address)
    {
        if (freeCount == free.length)
        {
            free = Arrays.copyOf(free, freeCount << 1);
        }
        free[freeCount++] = address;
    }

    /**
     * Number of allocated pages.
     *
     * @return pages.
     */
    public long pages()
    {
        return made - freeCount;
    }

    /** Frees the maps. Addresses of pages must not be used any more. */
    @Override
    public void close()
    {
        maps.forEach(ChronicleMap::close);
        maps.clear();
        room = 0;
        next = end;
        made = 0;
        freeCount = 0;
    }

    private long make()
    {
        if (next == end)
        {
            addExtent();
        }
        final long address = next;
        next += PAGE_SIZE;
        made++;
        return address;
    }

    private void addExtent()
    {
        if (room == 0)
        {
            addMap();
        }
        maps.get(maps.size() - 1).acquireUsing(extents, extent);
        next = extent.address();
        end = next + Extent.LENGTH;
        if (extents == firstOfMap)
        {
            HugePages.askFor(next, bytesOfMap);
        }
        extents++;
        room--;
    }

    private void addMap()
    {
        final long entries = Math.min((long)FIRST_MAP_EXTENTS << maps.size(), LARGEST_MAP_EXTENTS);
        maps.add(ChronicleMapBuilder.of(Long.class, Extent.class)
            .name("pages-" + maps.size())
            .entries(entries)
            .actualSegments(1)
            .entryAndValueOffsetAlignment(CACHE_LINE)
            .defaultValueProvider(absent -> untouched)
            // Else a signal to stop would unmap the state under a worker that finishes its work.
            .skipCloseOnExitHook(true)
            .create());
        firstOfMap = extents;
        bytesOfMap = entries * STRIDE;
        room = (long)(entries * USED_SHARE);
    }
}
