package io.tidemark.sink.view;

import java.io.File;
import java.nio.file.Path;

import io.tidemark.ingest.log.CrashPoint;
import io.tidemark.sink.AppliedChangeSets;
import io.tidemark.sink.ChangeLogTailer;
import io.tidemark.sink.ChangeSetCursor;
import io.tidemark.sink.SinkProgress;
import io.tidemark.sink.TableSink;
import org.agrona.CloseHelper;
import org.agrona.IoUtil;
import org.agrona.UnsafeApi;

/**
 * Keeps the view up with the change log. Each start builds it anew in files of its own, while readers go on with those
 * of the start before; when the new ones are as far, readers are sent to them and the old ones deleted. Late events are
 * not in the view: the late log has them.
 */
public final class ViewSink implements TableSink
{
    private static final int POLL_CHANGE_SETS = 1_000;
    private static final long QUARANTINE_MS = 2_000;

    private final Path dataDirectory;
    private final long quarantineMs;
    private final SinkProgress shown = new SinkProgress();
    private final AppliedChangeSets applied = new AppliedChangeSets();
    private ChangeLogTailer changes;
    private ViewControl control;
    private ViewPages pages;
    private ViewWriter writer;
    private long generation;
    private long numberToReach = -1;
    private boolean isShown;
    private long position;

    private long newChangeSets;
    private long newChanges;
    private long newSkipped;
    private long newFenced;

    /**
     * Opens nothing yet.
     *
     * @param dataDirectory of the pipeline.
     */
    public ViewSink(final Path dataDirectory)
    {
        this(dataDirectory, QUARANTINE_MS);
    }

    ViewSink(final Path dataDirectory, final long quarantineMs)
    {
        this.dataDirectory = dataDirectory;
        this.quarantineMs = quarantineMs;
    }

    @Override
    public int work(final long nowMs)
    {
        if (writer == null)
        {
            if (!ChangeLogTailer.exists(dataDirectory))
            {
                return 0;
            }
            open();
        }
        writer.now(nowMs);
        newChangeSets = 0;
        newChanges = 0;
        newSkipped = 0;
        newFenced = 0;
        final int polled = changes.poll(this::apply, POLL_CHANGE_SETS);
        if (!isShown && changes.number() >= numberToReach)
        {
            show();
        }
        if (polled > 0)
        {
            shown.count(newChangeSets, newChanges, newSkipped, newFenced);
            shown.applied(changes.number(), position, -1);
        }
        return polled + writer.reclaim();
    }

    private void open()
    {
        changes = ChangeLogTailer.open(dataDirectory);
        control = ViewControl.openOrCreate(dataDirectory);
        final long shownBefore = control.generation();
        numberToReach = shownBefore == 0 ? -1 : numberOf(shownBefore);
        generation = shownBefore + 1;
        deleteAllBut(shownBefore);
        final Path files = control.filesOf(generation);
        IoUtil.ensureDirectoryExists(files.toFile(), "view files");
        pages = new ViewPages(files);
        writer = new ViewWriter(pages, quarantineMs);
        CrashPoint.hit("view.files-made");
        shown.connected();
    }

    /** How far readers have seen the view that was left behind; they never go back. */
    private long numberOf(final long old)
    {
        try (ViewPages left = new ViewPages(control.filesOf(old)))
        {
            return left.open(1) ?
                UnsafeApi.getLongAcquire(null, left.address(0) + HeaderDescriptor.X_OFFSET) : -1;
        }
    }

    private void deleteAllBut(final long kept)
    {
        final File[] files = control.directory().toFile().listFiles(File::isDirectory);
        for (final File directory : files)
        {
            if (!directory.getName().equals(Long.toString(kept)))
            {
                IoUtil.delete(directory, true);
            }
        }
    }

    private void show()
    {
        isShown = true;
        CrashPoint.hit("view.before-shown");
        control.generation(generation);
        CrashPoint.hit("view.shown");
        ViewPages.delete(control.filesOf(generation - 1));
    }

    private void apply(final ChangeSetCursor changeSet)
    {
        switch (applied.judge(changeSet))
        {
            case APPLY ->
            {
                CrashPoint.hit("view.before-change-set");
                newChanges += writer.apply(changeSet, changes.number());
                CrashPoint.hit("view.before-published");
                newChangeSets++;
            }
            case SKIP -> newSkipped++;
            case FENCED -> newFenced++;
        }
        position = changeSet.position();
        writer.publish(changes.number(), position);
        CrashPoint.hit("view.published");
    }

    @Override
    public SinkProgress progress()
    {
        return shown;
    }

    @Override
    public void abort()
    {
        // nothing here waits for anybody
    }

    @Override
    public void close()
    {
        CloseHelper.closeAll(changes, writer, control);
    }
}
