package io.tidemark.operator.worker;

import io.tidemark.ingest.Topology;
import io.tidemark.ingest.event.EventKind;
import io.tidemark.ingest.event.EventView;
import io.tidemark.ingest.log.CrashPoint;
import io.tidemark.ingest.log.Log;
import io.tidemark.ingest.log.LogTailer;
import io.tidemark.ingest.log.RetentionHold;
import io.tidemark.ingest.order.OrderHistory;
import io.tidemark.operator.spec.Times;
import io.tidemark.store.snapshot.CheckpointDirectory;
import io.tidemark.store.snapshot.LogMark;
import io.tidemark.store.snapshot.Manifest;
import io.tidemark.store.snapshot.SnapshotException;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;

/**
 * Takes away the oldest queue files of all source logs, the order log and the control log, together and never singly:
 * those of days which no checkpoint that is kept, nor any event that a repair could still need, nor any reader that
 * holds them ({@link RetentionHold}) reaches back to: checkpoints of other tables made of the same logs too, where
 * those may go on. {@link OrderHistory} remembers the first day that stays before any file goes, so that a process that
 * dies half-way is finished by the next.
 * <p>
 * Change log, late log and rejects log are never pruned: who reads them, and how far they have come, is not known here.
 */
final class LogPruner
{
    private final Path dataDirectory;
    private final Topology topology;
    private final RuntimeLogs logs;
    private final CheckpointDirectory checkpoints;
    private final Supplier<List<Path>> otherResults;
    private final long horizonNs;
    private final Map<String, Long> largestTimes = new TreeMap<>();

    LogPruner(
        final Path dataDirectory,
        final Topology topology,
        final RuntimeLogs logs,
        final CheckpointDirectory checkpoints,
        final Supplier<List<Path>> otherResults,
        final long horizonNs)
    {
        this.dataDirectory = dataDirectory;
        this.topology = topology;
        this.logs = logs;
        this.checkpoints = checkpoints;
        this.otherResults = otherResults;
        this.horizonNs = horizonNs;
    }

    /** Finishes what a process that died had begun. */
    void finish()
    {
        final int firstDay = OrderHistory.firstDay(dataDirectory);
        if (firstDay != OrderHistory.WHOLE)
        {
            delete(firstDay);
        }
    }

    /**
     * Takes away what nobody needs any more.
     *
     * @param largestTime seen so far, from which the repair horizon counts back.
     * @return the first day that stays, or -1 when nothing was to be taken away.
     */
    int prune(final long largestTime)
    {
        if (horizonNs == Long.MAX_VALUE || !Times.isFinite(largestTime))
        {
            return -1;
        }
        try (RetentionHold.Release release = RetentionHold.tryRelease(dataDirectory))
        {
            return release == null ? -1 : pruneReleased(largestTime);
        }
    }

    private int pruneReleased(final long largestTime)
    {
        final int limit;
        try
        {
            limit = firstDayOfCheckpoints();
        }
        catch (final SnapshotException ex)
        {
            // What a damaged checkpoint reaches back to is not known; it goes when newer ones have taken its place.
            return -1;
        }
        int first = -1;
        for (final int day : days())
        {
            if (day >= limit || largestTimeOf(day) >= Times.minus(largestTime, horizonNs))
            {
                break;
            }
            first = day + 1;
        }
        if (first >= 0 && hasFilesBefore(first))
        {
            CrashPoint.hit("cycles.before-mark");
            OrderHistory.prunedBefore(dataDirectory, first);
            CrashPoint.hit("cycles.before-delete");
            delete(first);
            CrashPoint.hit("cycles.after-delete");
            return first;
        }
        return -1;
    }

    private void delete(final int firstDay)
    {
        // The order last: as long as it is there it can be told what is missing.
        for (int source = 0; source < topology.sources(); source++)
        {
            logs.sources().log(source).deleteBefore(firstDay);
        }
        logs.control().deleteBefore(firstDay);
        logs.order().deleteBefore(firstDay);
    }

    private boolean hasFilesBefore(final int day)
    {
        for (final Log log : all())
        {
            final int[] cycles = log.cycles();
            if (cycles.length > 1 && cycles[0] < day)
            {
                return true;
            }
        }
        return false;
    }

    /** The first day that a checkpoint which is kept stands on, in any log; -1 where a table has none yet. */
    private int firstDayOfCheckpoints()
    {
        int first = firstDayOf(checkpoints);
        for (final Path results : otherResults.get())
        {
            first = Math.min(first, firstDayOf(new CheckpointDirectory(results)));
        }
        return first;
    }

    private int firstDayOf(final CheckpointDirectory directory)
    {
        int first = Integer.MAX_VALUE;
        for (final long position : directory.positions())
        {
            final Manifest manifest = directory.manifest(position);
            first = Math.min(first, dayOf(logs.order(), manifest.log(PipelineRuntime.ORDER)));
            for (int source = 0; source < topology.sources(); source++)
            {
                first = Math.min(first, dayOf(
                    logs.sources().log(source), CheckpointMarks.source(manifest, topology, source)));
            }
        }
        return first == Integer.MAX_VALUE ? -1 : first;
    }

    private static int dayOf(final Log log, final LogMark mark)
    {
        if (mark.number() >= 0)
        {
            return log.cycleOf(mark.index());
        }
        final int[] cycles = log.cycles();
        return cycles.length == 0 ? Integer.MAX_VALUE : cycles[0];
    }

    private TreeSet<Integer> days()
    {
        final TreeSet<Integer> days = new TreeSet<>();
        for (final Log log : all())
        {
            for (final int cycle : log.cycles())
            {
                days.add(cycle);
            }
        }
        return days;
    }

    private List<Log> all()
    {
        final List<Log> all = new ArrayList<>(List.of(logs.order(), logs.control()));
        for (int source = 0; source < topology.sources(); source++)
        {
            all.add(logs.sources().log(source));
        }
        return all;
    }

    /** The largest time of any event in the files of a day; looked up once, for files of past days don't change. */
    private long largestTimeOf(final int day)
    {
        long largest = Times.MINUS_INFINITY;
        for (int source = 0; source < topology.sources(); source++)
        {
            final Log log = logs.sources().log(source);
            largest = Math.max(largest,
                largestTimes.computeIfAbsent(source + "/" + day, key -> largestTimeOf(log, day)));
        }
        return largest;
    }

    private static long largestTimeOf(final Log log, final int day)
    {
        long largest = Times.MINUS_INFINITY;
        final EventView event = new EventView();
        try (LogTailer tailer = log.tailer())
        {
            tailer.toOldest();
            while (tailer.poll() && log.cycleOf(tailer.index()) <= day)
            {
                event.wrap(tailer.buffer(), tailer.offset());
                if (event.kind() != EventKind.WATERMARK)
                {
                    largest = Math.max(largest, event.time());
                }
            }
        }
        return largest;
    }
}
