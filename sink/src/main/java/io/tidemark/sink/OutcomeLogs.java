package io.tidemark.sink;

import java.nio.file.Path;
import java.util.function.Consumer;

import io.tidemark.ingest.Topology;
import io.tidemark.ingest.log.Log;
import io.tidemark.ingest.log.LogTailer;
import io.tidemark.operator.LateReason;
import io.tidemark.operator.RejectReason;
import io.tidemark.operator.codec.LateEventDecoder;
import io.tidemark.operator.codec.MessageHeaderDecoder;
import io.tidemark.operator.codec.RejectedEventDecoder;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Reads what became of events that changed nothing: the late log and the log of rejected events.
 */
public final class OutcomeLogs
{
    private static final String LATE = "late";
    private static final String REJECTS = "rejects";

    private OutcomeLogs()
    {
    }

    /**
     * Reads all late events, in order.
     *
     * @param dataDirectory of the pipeline.
     * @param topology      of the pipeline.
     * @param consumer      of each.
     */
    public static void forEachLate(
        final Path dataDirectory, final Topology topology, final Consumer<LateEntry> consumer)
    {
        final MessageHeaderDecoder header = new MessageHeaderDecoder();
        final LateEventDecoder late = new LateEventDecoder();
        forEachRecord(dataDirectory.resolve(LATE), (buffer, offset) ->
        {
            late.wrapAndApplyHeader(buffer, offset, header);
            final Utf8 key = text(late.keyLength(), late::getKey);
            final Utf8 id = text(late.idLength(), late::getId);
            consumer.accept(new LateEntry(
                late.position(), late.stream(), topology.partitionOf(late.source()), late.index(), late.kind(), id,
                late.revision(), key, late.time(), late.acceptanceClock(), LateReason.of(late.reason()), late.due()));
        });
    }

    /**
     * Reads all rejected events, in order.
     *
     * @param dataDirectory of the pipeline.
     * @param consumer      of each.
     */
    public static void forEachReject(final Path dataDirectory, final Consumer<RejectEntry> consumer)
    {
        final MessageHeaderDecoder header = new MessageHeaderDecoder();
        final RejectedEventDecoder reject = new RejectedEventDecoder();
        forEachRecord(dataDirectory.resolve(REJECTS), (buffer, offset) ->
        {
            reject.wrapAndApplyHeader(buffer, offset, header);
            final Utf8 key = text(reject.keyLength(), reject::getKey);
            final Utf8 id = text(reject.idLength(), reject::getId);
            consumer.accept(new RejectEntry(
                reject.position(), reject.stream(), reject.partition(), reject.index(),
                RejectReason.of(reject.reason()), reject.kind(), id, reject.revision(), key, reject.time(),
                reject.start(), reject.end(), reject.value(), reject.arrival()));
        });
    }

    private interface RecordVisitor
    {
        void onRecord(DirectBuffer buffer, int offset);
    }

    private interface TextGetter
    {
        int get(MutableDirectBuffer target, int offset, int length);
    }

    private static void forEachRecord(final Path directory, final RecordVisitor visitor)
    {
        if (!Log.exists(directory))
        {
            return;
        }
        try (Log log = Log.openReadOnly(directory); LogTailer tailer = log.tailer())
        {
            while (tailer.poll())
            {
                visitor.onRecord(tailer.buffer(), tailer.offset());
            }
        }
    }

    private static Utf8 text(final int length, final TextGetter getter)
    {
        final UnsafeBuffer bytes = new UnsafeBuffer(new byte[length]);
        getter.get(bytes, 0, length);
        return Utf8.of(bytes, 0, length);
    }
}
