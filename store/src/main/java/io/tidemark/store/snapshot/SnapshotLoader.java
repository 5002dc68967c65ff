package io.tidemark.store.snapshot;

import io.tidemark.store.Slots;
import io.tidemark.store.page.PageStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import org.agrona.UnsafeApi;

/** Reads checkpoints back, believing nothing whose digest does not hold. */
public final class SnapshotLoader
{
    static final int BUFFER_LENGTH = 1 << 20;

    /** Receives each page of a checkpoint once, as of that checkpoint. */
    @FunctionalInterface
    interface PageVisitor
    {
        void page(int slot, int page, long address, long digestHigh, long digestLow) throws IOException;
    }

    private final CheckpointDirectory directory;
    private final SnapshotSteps steps;

    /**
     * Creates a loader.
     *
     * @param directory to load from.
     */
    public SnapshotLoader(final CheckpointDirectory directory)
    {
        this(directory, SnapshotSteps.NONE);
    }

    /**
     * Creates a loader.
     *
     * @param directory to load from.
     * @param steps     is told how far it is.
     */
    public SnapshotLoader(final CheckpointDirectory directory, final SnapshotSteps steps)
    {
        this.directory = directory;
        this.steps = steps;
    }

    /**
     * Fills fresh slots with the pages of a checkpoint.
     *
     * @param manifest of the checkpoint.
     * @param slots    empty; of no use when this throws.
     * @return the digests of its pages, for whoever writes the next checkpoint.
     * @throws SnapshotException when anything is damaged.
     */
    public SlotDigests load(final Manifest manifest, final Slots slots)
    {
        final SlotDigests digests = walk(manifest, slots.count(), (slot, page, address, high, low) ->
        {
            slots.install(slot, page, address);
            steps.reached("recovery.mid-load");
        });
        slots.installed();
        return digests;
    }

    /**
     * Reads all of a checkpoint and keeps nothing.
     *
     * @param manifest of the checkpoint.
     * @throws SnapshotException when anything is damaged.
     */
    public void verify(final Manifest manifest)
    {
        walk(manifest, countSlots(manifest), (slot, page, address, high, low) -> {}).close();
    }

    private static int countSlots(final Manifest manifest)
    {
        return manifest.slots().stream().mapToInt(SlotDigest::slot).max().orElse(0) + 1;
    }

    private SlotDigests walk(final Manifest manifest, final int slots, final PageVisitor visitor)
    {
        final PageDigests pages = new PageDigests(slots);
        try
        {
            visit(directory.path(), manifest, pages, visitor);
            final int[] counts = counts(manifest, slots);
            for (final SlotDigest slot : manifest.slots())
            {
                for (int page = 0; page < counts[slot.slot()]; page++)
                {
                    if (!pages.has(slot.slot(), page))
                    {
                        throw new SnapshotException("checkpoint " + manifest.position() + " has no page " + page +
                            " of slot " + slot.slot());
                    }
                }
                if (!pages.slot(slot.slot(), slot.pages()).equals(slot))
                {
                    throw new SnapshotException("checkpoint " + manifest.position() + " has another state of slot " +
                        slot.slot() + " than its manifest says");
                }
            }
            return new SlotDigests(pages);
        }
        catch (final RuntimeException ex)
        {
            pages.close();
            throw ex;
        }
    }

    /**
     * Visits the newest of each page: files from the newest back, of a page that was seen before only the digest
     * counts.
     */
    static void visit(
        final Path directory, final Manifest manifest, final PageDigests seen, final PageVisitor visitor)
    {
        final int[] counts = counts(manifest, seen.slots());
        final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_LENGTH);
        final long page = UnsafeApi.allocateMemory(PageStore.PAGE_SIZE);
        final List<PageFile> files = manifest.files();
        try
        {
            for (int i = files.size() - 1; i >= 0; i--)
            {
                visit(directory, files.get(i), buffer, page, counts, seen, visitor);
            }
        }
        finally
        {
            UnsafeApi.freeMemory(page);
        }
    }

    private static void visit(
        final Path directory,
        final PageFile file,
        final ByteBuffer buffer,
        final long page,
        final int[] counts,
        final PageDigests seen,
        final PageVisitor visitor)
    {
        try (PageFileReader reader = new PageFileReader(directory, file, buffer, page))
        {
            while (reader.next())
            {
                final int slot = reader.slot();
                // A slot may have been given away since, and come back smaller.
                if (slot < counts.length && reader.page() < counts[slot] && !seen.has(slot, reader.page()))
                {
                    seen.put(slot, reader.page(), reader.digestHigh(), reader.digestLow());
                    visitor.page(slot, reader.page(), page, reader.digestHigh(), reader.digestLow());
                }
            }
        }
        catch (final NoSuchFileException ex)
        {
            throw new SnapshotException("file " + directory.resolve(file.name()) + " of a checkpoint is missing", ex);
        }
        catch (final IOException ex)
        {
            throw new SnapshotException(
                "file " + directory.resolve(file.name()) + " of a checkpoint cannot be read (" + ex + ")", ex);
        }
    }

    private static int[] counts(final Manifest manifest, final int slots)
    {
        final int[] counts = new int[slots];
        for (final SlotDigest slot : manifest.slots())
        {
            if (slot.slot() >= slots)
            {
                throw new SnapshotException("checkpoint " + manifest.position() + " has slot " + slot.slot() +
                    ", and there are " + slots + " slots");
            }
            counts[slot.slot()] = slot.pages();
        }
        return counts;
    }
}
