package io.tidemark.ops.command;

import java.io.IOException;
import java.time.Instant;
import java.util.Locale;

import com.fasterxml.jackson.core.JsonGenerator;
import io.tidemark.operator.worker.CheckpointCounters;
import io.tidemark.operator.worker.CountersFile;

/**
 * The newest checkpoint, and how the last run began, as {@code status} shows them.
 *
 * @param position  of the newest checkpoint, 0 when there is none.
 * @param takenMs   milliseconds since the epoch.
 * @param bytes     written for it.
 * @param pauseNs   for which it held up events.
 * @param mostNs    longest such pause of the run.
 * @param writeNs   time that the writing took beside events.
 * @param taken     checkpoints of the run.
 * @param recovered position of the checkpoint that the run began with.
 * @param tail      positions that it repeated.
 * @param openNs    time for opening.
 * @param loadNs    time for loading the checkpoint.
 * @param orderNs   time for finding the end of the order.
 * @param replayNs  time for repeating; 0 while that goes on.
 * @param refused   checkpoints that were found damaged.
 */
record CheckpointStatus(
    long position,
    long takenMs,
    long bytes,
    long pauseNs,
    long mostNs,
    long writeNs,
    long taken,
    long recovered,
    long tail,
    long openNs,
    long loadNs,
    long orderNs,
    long replayNs,
    long refused)
{
    static final CheckpointStatus NONE = new CheckpointStatus(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);

    private static final double NS_PER_MS = 1e6;

    static CheckpointStatus read(final CountersFile counters)
    {
        return new CheckpointStatus(
            value(counters, CheckpointCounters.POSITION), value(counters, CheckpointCounters.TAKEN_MS),
            value(counters, CheckpointCounters.BYTES), value(counters, CheckpointCounters.PAUSE_NS),
            value(counters, CheckpointCounters.MOST_PAUSE_NS), value(counters, CheckpointCounters.WRITE_NS),
            value(counters, CheckpointCounters.TAKEN), value(counters, CheckpointCounters.RECOVERED_POSITION),
            value(counters, CheckpointCounters.TAIL_POSITIONS), value(counters, CheckpointCounters.OPEN_NS),
            value(counters, CheckpointCounters.LOAD_NS), value(counters, CheckpointCounters.ORDER_NS),
            value(counters, CheckpointCounters.REPLAY_NS), value(counters, CheckpointCounters.REFUSED));
    }

    private static long value(final CountersFile counters, final int typeId)
    {
        return counters.value(typeId, 0, 0);
    }

    /** The newest checkpoint in a line. */
    String text()
    {
        if (position == 0)
        {
            return "none yet";
        }
        final String when = "position " + String.format(Locale.ROOT, "%,d", position) + ", taken " +
            Instant.ofEpochMilli(takenMs);
        return taken == 0 ? when : when + String.format(Locale.ROOT,
            "; %,d KiB in %.0f ms, held events up for %.3f ms (longest %.3f ms of %,d)",
            bytes >> 10, writeNs / NS_PER_MS, pauseNs / NS_PER_MS, mostNs / NS_PER_MS, taken);
    }

    /** How the last run began, in a line. */
    String start()
    {
        final String from = recovered == 0 ? "the start of the logs" :
            String.format(Locale.ROOT, "checkpoint %,d", recovered);
        return String.format(Locale.ROOT, "from %s%s; repeated %,d positions; open %.0f ms, load %.0f ms, order " +
            "%.0f ms, repeat %s", from, refused == 0 ? "" : " (" + refused + " newer damaged)", tail,
            openNs / NS_PER_MS, loadNs / NS_PER_MS, orderNs / NS_PER_MS,
            replayNs == 0 ? "not over yet" : String.format(Locale.ROOT, "%.0f ms", replayNs / NS_PER_MS));
    }

    void write(final JsonGenerator json) throws IOException
    {
        if (position == 0)
        {
            json.writeNullField("checkpoint");
        }
        else
        {
            json.writeObjectFieldStart("checkpoint");
            json.writeNumberField("position", position);
            json.writeStringField("taken", Instant.ofEpochMilli(takenMs).toString());
            json.writeNumberField("bytes", bytes);
            json.writeNumberField("pause_ns", pauseNs);
            json.writeNumberField("longest_pause_ns", mostNs);
            json.writeNumberField("write_ns", writeNs);
            json.writeNumberField("taken_by_run", taken);
            json.writeEndObject();
        }
        json.writeObjectFieldStart("recovery");
        json.writeNumberField("checkpoint", recovered);
        json.writeNumberField("refused", refused);
        json.writeNumberField("tail", tail);
        json.writeNumberField("open_ns", openNs);
        json.writeNumberField("load_ns", loadNs);
        json.writeNumberField("order_ns", orderNs);
        json.writeNumberField("replay_ns", replayNs);
        json.writeEndObject();
    }
}
