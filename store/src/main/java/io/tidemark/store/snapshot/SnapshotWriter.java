package io.tidemark.store.snapshot;

import io.tidemark.store.page.PageStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.agrona.UnsafeApi;

/**
 * Writes checkpoints, one after the other, keeps the newest few, and folds chains of files before they grow long. For
 * one thread at a time, which need not be the one that processes events.
 */
public final class SnapshotWriter implements AutoCloseable
{
    /** Longest chain of files that is let stand. */
    private static final int LONGEST_CHAIN = 16;

    /** Pages that a chain may hold for each page of the state. */
    private static final int PAGES_PER_LIVE_PAGE = 2;

    private final CheckpointDirectory directory;
    private final int keep;
    private final boolean sync;
    private final SnapshotSteps steps;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(SnapshotLoader.BUFFER_LENGTH);
    private final TreeSet<Long> damaged = new TreeSet<>();
    private SlotDigests digests;
    private Manifest newest;
    private boolean needsAll = true;
    private long writtenBytes;

    /**
     * Creates a writer.
     *
     * @param directory where checkpoints go; created when missing. Nobody else may write there.
     * @param slots     number of slots.
     * @param keep      how many checkpoints are kept, at least 1.
     * @param sync      whether a checkpoint must be on the disk before it counts.
     * @param steps     is told how far it is.
     */
    public SnapshotWriter(
        final CheckpointDirectory directory,
        final int slots,
        final int keep,
        final boolean sync,
        final SnapshotSteps steps)
    {
        this.directory = directory;
        this.keep = keep;
        this.sync = sync;
        this.steps = steps;
        this.digests = new SlotDigests(slots);
        directory.create();
        directory.removeLeftovers();
    }

    /**
     * Goes on from a checkpoint that was loaded.
     *
     * @param manifest of it.
     * @param loaded   its digests, which belong to this writer from now on.
     */
    public void continueFrom(final Manifest manifest, final SlotDigests loaded)
    {
        digests.close();
        digests = loaded;
        newest = manifest;
        needsAll = false;
    }

    /**
     * Remembers a checkpoint that was found damaged: it does not count among those that are kept.
     *
     * @param position of it.
     */
    public void isDamaged(final long position)
    {
        damaged.add(position);
    }

    /**
     * Whether the next request has to have all pages: the first, the one after a failure, and where so much changes
     * that a chain would be folded at once.
     *
     * @return false when those changed since the last request will do.
     */
    public boolean needsAll()
    {
        return needsAll;
    }

    /**
     * The newest checkpoint, written or loaded.
     *
     * @return its manifest, null when there is none.
     */
    public Manifest newest()
    {
        return newest;
    }

    /**
     * Bytes of page files written for the last checkpoint.
     *
     * @return bytes, without its manifest.
     */
    public long writtenBytes()
    {
        return writtenBytes;
    }

    /**
     * Writes a checkpoint and takes away those that are not kept.
     *
     * @param request     what it is made of.
     * @param beforeCount is run when all pages are written and before the checkpoint counts.
     * @throws SnapshotException when it can't be written; the ones before are as good as they were.
     */
    public void write(final SnapshotRequest request, final Runnable beforeCount)
    {
        needsAll = true;
        final PageFile.Kind kind = request.isAll() ? PageFile.Kind.ALL : PageFile.Kind.CHANGED;
        final PageFile file;
        try (request)
        {
            file = writePages(request, PageFile.name(request.position(), kind));
        }
        final List<PageFile> files = new ArrayList<>();
        if (!request.isAll())
        {
            files.addAll(newest.files());
        }
        files.add(file);
        final Manifest manifest = new Manifest(request.position(), request.takenMs(), request.requests(),
            request.madeWith(), request.registers(), request.logs(), files, digests.of(request.pages()));
        steps.reached("snapshot.after-pages");
        beforeCount.run();
        steps.reached("manifest.before-write");
        directory.write(manifest, sync, steps);
        damaged.remove(manifest.position());
        newest = manifest;
        writtenBytes = file.bytes();
        needsAll = request.isAll() ? false : file.pages() * 2 > request.pages().total();
        prune();
    }

    /**
     * Makes one file of a chain that has grown long. The checkpoint stays the same.
     *
     * @return whether there was something to do.
     */
    public boolean fold()
    {
        if (newest == null || !isLong(newest))
        {
            return false;
        }
        steps.reached("fold.before");
        final String name = PageFile.name(newest.position(), PageFile.Kind.FOLDED);
        final Path temporary = directory.path().resolve(name + CheckpointDirectory.TEMPORARY);
        final PageFile folded;
        try (PageFileWriter out = new PageFileWriter(temporary, newest.position(), buffer);
            PageDigests seen = new PageDigests(newest.slots().stream().mapToInt(SlotDigest::slot).max().orElse(0) + 1))
        {
            SnapshotLoader.visit(directory.path(), newest, seen, (slot, page, address, high, low) ->
            {
                if (!digests.is(slot, page, high, low))
                {
                    throw new SnapshotException("checkpoint " + newest.position() + " has another page " + page +
                        " of slot " + slot + " on the disk than was written; its disk is damaged");
                }
                out.page(slot, page, address, high, low);
            });
            steps.reached("fold.mid");
            folded = out.finish(name, sync);
        }
        catch (final IOException ex)
        {
            throw cannotWrite(newest.position(), temporary, ex);
        }
        directory.rename(temporary, directory.path().resolve(name));
        steps.reached("fold.before-manifest");
        newest = newest.withFiles(List.of(folded));
        directory.write(newest, sync, steps);
        steps.reached("fold.after-manifest");
        directory.removeLeftovers();
        return true;
    }

    @Override
    public void close()
    {
        digests.close();
    }

    private PageFile writePages(final SnapshotRequest request, final String name)
    {
        steps.reached("snapshot.before-pages");
        final Path path = directory.path().resolve(name);
        final long page = UnsafeApi.allocateMemory(PageStore.PAGE_SIZE);
        final long half = request.capture().pages() / 2;
        long written = 0;
        try (PageFileWriter out = new PageFileWriter(path, request.position(), buffer))
        {
            while (request.capture().next(page))
            {
                final int slot = request.capture().slot();
                final int number = request.capture().page();
                final Digest digest = digests.digestOf(slot, number, page);
                out.page(slot, number, page, digest.high(), digest.low());
                if (written++ == half)
                {
                    out.flushInHalves(() -> steps.reached("snapshot.mid-page"));
                    steps.reached("snapshot.mid-pages");
                }
            }
            return out.finish(name, sync);
        }
        catch (final IOException ex)
        {
            throw cannotWrite(request.position(), path, ex);
        }
        finally
        {
            UnsafeApi.freeMemory(page);
        }
    }

    private static SnapshotException cannotWrite(final long position, final Path path, final IOException cause)
    {
        return new SnapshotException("checkpoint " + position + " cannot be written to " + path + " (" + cause +
            "); make room or check its permissions, and start again: nothing is lost", cause);
    }

    private static boolean isLong(final Manifest manifest)
    {
        final long pages = manifest.files().stream().mapToLong(PageFile::pages).sum();
        return manifest.files().size() > LONGEST_CHAIN ||
            (manifest.files().size() > 1 && pages > PAGES_PER_LIVE_PAGE * manifest.pages());
    }

    /** Takes away all but the newest few that are whole; those first that no manifest names any more. */
    private void prune()
    {
        int kept = 0;
        boolean any = false;
        for (final long position : directory.positions())
        {
            if (position > newest.position())
            {
                continue;
            }
            if (!damaged.contains(position) && kept < keep)
            {
                kept++;
            }
            else
            {
                steps.reached("prune.before");
                directory.delete(directory.manifestFile(position));
                damaged.remove(position);
                any = true;
            }
        }
        if (any)
        {
            steps.reached("prune.mid");
            directory.removeLeftovers();
            steps.reached("prune.after");
        }
    }
}
