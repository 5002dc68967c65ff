package io.tidemark.sink;

import java.nio.file.Path;
import java.util.function.Consumer;

import io.tidemark.ingest.Topology;
import io.tidemark.ingest.log.Log;
import io.tidemark.ingest.log.LogTailer;
import io.tidemark.operator.LateReason;
import io.tidemark.operator.codec.LateEventDecoder;
import io.tidemark.operator.codec.MessageHeaderDecoder;
import org.agrona.CloseHelper;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Tails the late log of a pipeline. One thread at a time; allocates what it hands out.
 */
public final class LateLogTailer implements AutoCloseable
{
    private static final String DIRECTORY = "late";

    private final Log log;
    private final LogTailer tailer;
    private final Topology topology;
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final LateEventDecoder late = new LateEventDecoder();
    private long number = -1;
    private long digest;

    private LateLogTailer(final Log log, final Topology topology)
    {
        this.log = log;
        this.topology = topology;
        tailer = log.tailer();
    }

    /**
     * Whether a pipeline has a late log yet.
     *
     * @param dataDirectory of the pipeline.
     * @return false before its first run.
     */
    public static boolean exists(final Path dataDirectory)
    {
        return Log.exists(dataDirectory.resolve(DIRECTORY));
    }

    /**
     * Opens the late log of a pipeline, before its first record.
     *
     * @param dataDirectory of the pipeline.
     * @param topology      of the pipeline.
     * @return the tailer.
     */
    public static LateLogTailer open(final Path dataDirectory, final Topology topology)
    {
        return new LateLogTailer(Log.openReadOnly(dataDirectory.resolve(DIRECTORY)), topology);
    }

    /**
     * Goes behind a record.
     *
     * @param recordNumber -1 for the start.
     * @param recordDigest of that record.
     * @return false when the log does not reach so far.
     * @throws TableException when another record is there.
     */
    public boolean moveAfter(final long recordNumber, final long recordDigest)
    {
        if (recordNumber < 0)
        {
            tailer.toStart();
            number = -1;
            return true;
        }
        if (log.lastNumber() < recordNumber)
        {
            return false;
        }
        tailer.moveBefore(recordNumber);
        tailer.poll();
        onRecord();
        if (digest != recordDigest)
        {
            throw new TableException("record " + recordNumber + " of late log " + log.directory() +
                " is not the one that the sink has applied last: the tables were filled from another log; name " +
                "another database, or empty this one");
        }
        return true;
    }

    /**
     * Hands out what the log has.
     *
     * @param handler is told each late event.
     * @param limit   most records.
     * @return number of records; less than the limit at the end of the log.
     */
    public int poll(final Consumer<LateEntry> handler, final int limit)
    {
        int count = 0;
        while (count < limit && tailer.poll())
        {
            count++;
            onRecord();
            header.wrap(tailer.buffer(), tailer.offset());
            if (header.templateId() == LateEventDecoder.TEMPLATE_ID)
            {
                late.wrapAndApplyHeader(tailer.buffer(), tailer.offset(), header);
                handler.accept(entry());
            }
        }
        return count;
    }

    /**
     * Number of the last record handed out.
     *
     * @return -1 before the first.
     */
    public long number()
    {
        return number;
    }

    /**
     * Digest of the last record handed out.
     *
     * @return what {@link #moveAfter} compares.
     */
    public long digest()
    {
        return digest;
    }

    /**
     * Number of the newest record of the log.
     *
     * @return -1 when the log is empty.
     */
    public long newestNumber()
    {
        return log.lastNumber();
    }

    @Override
    public void close()
    {
        CloseHelper.closeAll(tailer, log);
    }

    private void onRecord()
    {
        number = tailer.number();
        digest = RecordDigest.of(RecordDigest.EMPTY, tailer.buffer(), tailer.offset(), tailer.length());
    }

    private LateEntry entry()
    {
        final UnsafeBuffer keyBytes = new UnsafeBuffer(new byte[late.keyLength()]);
        late.getKey(keyBytes, 0, keyBytes.capacity());
        final UnsafeBuffer idBytes = new UnsafeBuffer(new byte[late.idLength()]);
        late.getId(idBytes, 0, idBytes.capacity());
        return new LateEntry(
            late.position(), late.stream(), topology.partitionOf(late.source()), late.index(), late.kind(),
            Utf8.of(idBytes, 0, idBytes.capacity()), late.revision(), Utf8.of(keyBytes, 0, keyBytes.capacity()),
            late.time(), late.acceptanceClock(), LateReason.of(late.reason()), late.due());
    }
}
