package io.tidemark.sink.view;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import io.tidemark.sink.TableException;
import net.openhft.chronicle.map.ChronicleMap;
import net.openhft.chronicle.map.ChronicleMapBuilder;
import org.agrona.UnsafeApi;

/**
 * The pages of one generation of files, by number, at addresses that stay. A file is a Chronicle Map that gets all its
 * pages when it is made, and is named to readers afterwards; from then on it is not written to through the map, so that
 * no lock of it is ever taken but for the look-ups of who opens it. Each file has twice the pages of the one before.
 */
final class ViewPages implements AutoCloseable
{
    static final int PAGE_SIZE = 1 << 16;

    private static final int FIRST_FILE_PAGES = 32;
    private static final int LARGEST_FILE_PAGES = 1 << 13;

    private final Path directory;
    private final List<ChronicleMap<Long, ViewPage>> maps = new ArrayList<>();
    private long[] addresses = new long[FIRST_FILE_PAGES];
    private int count;

    ViewPages(final Path directory)
    {
        this.directory = directory;
    }

    /** Makes one more file of zeroed pages. */
    void create()
    {
        final int pages = pagesOfNext();
        final ChronicleMap<Long, ViewPage> map = map(file(maps.size()), pages);
        final ViewPage page = new ViewPage();
        for (int i = 0; i < pages; i++)
        {
            map.acquireUsing((long)count + i, page);
            UnsafeApi.setMemory(page.address(), PAGE_SIZE, (byte)0);
        }
        add(map, pages);
    }

    /**
     * Opens files that another process has made, until there are so many.
     *
     * @return false when one of them is not there any more.
     */
    boolean open(final int files)
    {
        while (maps.size() < files)
        {
            final Path file = file(maps.size());
            if (!Files.exists(file))
            {
                return false;
            }
            final ChronicleMap<Long, ViewPage> map;
            try
            {
                map = map(file, pagesOfNext());
            }
            catch (final UncheckedIOException e)
            {
                if (Files.exists(directory))
                {
                    throw e;
                }
                return false;
            }
            if (!map.containsKey((long)count))
            {
                map.close();
                return false;
            }
            add(map, pagesOfNext());
        }
        return true;
    }

    private void add(final ChronicleMap<Long, ViewPage> map, final int pages)
    {
        addresses = Arrays.copyOf(addresses, count + pages);
        final ViewPage page = new ViewPage();
        for (int i = 0; i < pages; i++)
        {
            if (map.getUsing((long)count + i, page) == null)
            {
                throw new TableException("view file " + map.file() + " has no page " + (count + i) +
                    "; it is damaged, start the pipeline again");
            }
            addresses[count + i] = page.address();
        }
        count += pages;
        maps.add(map);
    }

    private int pagesOfNext()
    {
        return Math.min(FIRST_FILE_PAGES << Math.min(maps.size(), 16), LARGEST_FILE_PAGES);
    }

    private Path file(final int number)
    {
        return directory.resolve("pages-" + number + ".map");
    }

    private static ChronicleMap<Long, ViewPage> map(final Path file, final int pages)
    {
        try
        {
            return ChronicleMapBuilder.of(Long.class, ViewPage.class)
                .name(file.getFileName().toString())
                .entries(pages)
                .actualSegments(1)
                .entryAndValueOffsetAlignment(64)
                // Else a signal to stop would unmap the view under a sink that finishes its work.
                .skipCloseOnExitHook(true)
                .createPersistedTo(file.toFile());
        }
        catch (final IOException e)
        {
            throw new UncheckedIOException("view file " + file + " cannot be opened; it takes about " +
                (((long)pages * PAGE_SIZE) >> 19) + " MiB, check the room on its disk and its permissions", e);
        }
    }

    int files()
    {
        return maps.size();
    }

    int count()
    {
        return count;
    }

    /** Address of a page; 0 for a number that is none, as a reader may see where memory was used again. */
    long address(final int page)
    {
        return page >= 0 && page < count ? addresses[page] : 0;
    }

    /** Address of a record; 0 for what is none. */
    long record(final int ref)
    {
        final long page = address(RecordDescriptor.page(ref));
        return ref == 0 || page == 0 ? 0 : page + RecordDescriptor.offset(ref);
    }

    Path directory()
    {
        return directory;
    }

    @Override
    public void close()
    {
        for (final ChronicleMap<Long, ViewPage> map : maps)
        {
            map.close();
        }
        maps.clear();
        count = 0;
    }

    /** Takes files away that nobody is to open any more; who has them open keeps them. */
    static void delete(final Path directory)
    {
        if (!Files.exists(directory))
        {
            return;
        }
        try
        {
            // first the name, so that nobody opens a file that is about to go, and makes a new one by that
            final Path renamed = directory.resolveSibling(directory.getFileName() + ".old");
            Files.move(directory, renamed);
            for (final File file : Arrays.asList(renamed.toFile().listFiles()))
            {
                Files.delete(file.toPath());
            }
            Files.delete(renamed);
        }
        catch (final IOException e)
        {
            throw new UncheckedIOException("old view files in " + directory + " cannot be deleted; check its " +
                "permissions", e);
        }
    }
}
