package io.tidemark.store.page;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import net.openhft.chronicle.map.ChronicleMap;
import net.openhft.chronicle.map.ChronicleMapBuilder;
import org.agrona.UnsafeApi;

/**
 * Pages of {@value #PAGE_SIZE} bytes in Chronicle Map, by page id, for one writer thread. A page never moves while it
 * is allocated. The maps are working memory: they are created empty and deleted when closed, because the live map of a
 * dead process is never trusted (it is rebuilt from a snapshot or from the logs).
 */
public final class PageStore implements AutoCloseable
{
    /** Size of a page in bytes. */
    public static final int PAGE_SIZE = 4096;

    /** Pages of the first map. */
    private static final int FIRST_MAP_PAGES = 4096;

    /** A map is created with at most so many pages; beyond it there are simply more maps. */
    private static final int LARGEST_MAP_PAGES = 1 << 20;

    /** Share of a map's entries that is used: an overfull map throws in mid-operation and is unusable afterwards. */
    private static final double USED_SHARE = 0.95;

    private final Path directory;
    private final long maxPages;
    private final List<ChronicleMap<Long, Page>> maps = new ArrayList<>();
    private final Page page = new Page();
    private final List<long[]> rooms = new ArrayList<>();
    private ChronicleMap<Long, Page> current;
    private long[] currentRoom = new long[1];
    private long pages;

    private PageStore(final Path directory, final long maxPages)
    {
        this.directory = directory;
        this.maxPages = maxPages;
    }

    /**
     * Opens an empty store. Whatever an earlier process left in the directory is deleted.
     *
     * @param directory where the map files live; created when missing.
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
     * @param pageId an id that is not allocated.
     * @return the page's address, which holds until {@link #release} or {@link #close}.
     * @throws StateFullException when the store holds as many pages as it may.
     */
    public long allocate(final long pageId)
    {
        if (pages >= maxPages)
        {
            throw new StateFullException("state is full: it holds " + pages + " pages of " + PAGE_SIZE +
                " bytes in " + directory + "; allow it more room and start again");
        }
        if (currentRoom[0] == 0)
        {
            moveToMapWithRoom();
        }
        current.acquireUsing(pageId, page);
        final long address = page.address();
        UnsafeApi.setMemory(address, PAGE_SIZE, (byte)0);
        currentRoom[0]--;
        pages++;
        return address;
    }

    /**
     * Gives a page back.
     *
     * @param pageId an allocated page.
     */
    public void release(final long pageId)
    {
        for (int i = maps.size() - 1; i >= 0; i--)
        {
            final ChronicleMap<Long, Page> map = maps.get(i);
            if (map.containsKey(pageId))
            {
                map.remove(pageId);
                pages--;
                rooms.get(i)[0]++;
                return;
            }
        }
        throw new IllegalStateException("page " + Long.toHexString(pageId) + " is not allocated");
    }

    /**
     * Number of allocated pages.
     *
     * @return pages.
     */
    public long pages()
    {
        return pages;
    }

    /** Unmaps and deletes the map files. Addresses of pages must not be used any more. */
    @Override
    public void close()
    {
        for (final ChronicleMap<Long, Page> map : maps)
        {
            final File file = map.file();
            map.close();
            if (!file.delete() && file.exists())
            {
                throw new IllegalStateException("state file " + file + " can't be deleted; check its permissions");
            }
        }
        maps.clear();
        rooms.clear();
        current = null;
        currentRoom = new long[1];
        pages = 0;
    }

    private void moveToMapWithRoom()
    {
        for (int i = 0; i < maps.size(); i++)
        {
            if (rooms.get(i)[0] > 0)
            {
                current = maps.get(i);
                currentRoom = rooms.get(i);
                return;
            }
        }
        addMap();
    }

    private void addMap()
    {
        final long entries = Math.min((long)FIRST_MAP_PAGES << maps.size(), LARGEST_MAP_PAGES);
        final Path file = directory.resolve("pages-" + maps.size() + ".map");
        try
        {
            current = ChronicleMapBuilder.of(Long.class, Page.class)
                .name(file.getFileName().toString())
                .entries(entries)
                .actualSegments(1)
                .entryAndValueOffsetAlignment(64)
                .createPersistedTo(file.toFile());
        }
        catch (final IOException e)
        {
            throw new UncheckedIOException("state file " + file + " can't be created; it takes about " +
                ((entries * PAGE_SIZE) >> 20) + " MiB, check the room on its disk", e);
        }
        maps.add(current);
        currentRoom = new long[]{(long)(entries * USED_SHARE)};
        rooms.add(currentRoom);
    }
}
