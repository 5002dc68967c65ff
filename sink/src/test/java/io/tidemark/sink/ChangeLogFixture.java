package io.tidemark.sink;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;

import io.tidemark.ingest.StreamSpec;
import io.tidemark.ingest.Topology;
import io.tidemark.ingest.log.Log;
import io.tidemark.operator.change.ChangeSetEncoder;
import io.tidemark.operator.change.ReplayingAppender;
import io.tidemark.operator.change.RowImage;
import io.tidemark.operator.change.SessionChangeSetEncoder;
import io.tidemark.operator.change.SessionImage;
import org.agrona.concurrent.SystemEpochClock;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Writes a change log as an engine does: images in native memory, one subject and its partners.
 */
public final class ChangeLogFixture implements AutoCloseable
{
    /** Of the pipeline that is said to write it. */
    public static final Topology TOPOLOGY =
        Topology.of(List.of(new StreamSpec("payments", 2), new StreamSpec("signals", 1)));

    private final UnsafeBuffer memory = new UnsafeBuffer(ByteBuffer.allocateDirect(1 << 23));
    private final Log log;
    private final ReplayingAppender appender;
    private final ChangeSetEncoder encoder;
    private final SessionChangeSetEncoder sessions;
    private boolean ofSessions;
    private int at;
    private int epoch = 1;
    private int generation = 1;

    /** Opens the change log in a data directory, and makes a late log beside it. */
    public ChangeLogFixture(final Path dataDirectory)
    {
        Log.open(dataDirectory.resolve("late"), SystemEpochClock.INSTANCE).close();
        log = Log.open(dataDirectory.resolve("changes"), SystemEpochClock.INSTANCE);
        appender = new ReplayingAppender(log);
        encoder = new ChangeSetEncoder(appender);
        sessions = encoder.ofSessions();
    }

    public ChangeLogFixture begin(final long position, final int slot, final int ordinal, final String key)
    {
        at = 0;
        final long address = bytes(Utf8.of(key));
        encoder.begin(
            position, slot, ordinal, epoch, generation, 7, ordinal == 0 ? 0 : ChangeSetEncoder.CAUSED_BY_CLOCK, 2, 99,
            0, address, Utf8.of(key).bytes().length);
        return this;
    }

    public ChangeLogFixture epoch(final int newEpoch)
    {
        epoch = newEpoch;
        return this;
    }

    public ChangeLogFixture generation(final int newGeneration)
    {
        generation = newGeneration;
        return this;
    }

    public ChangeLogFixture before(final SourceRow row)
    {
        final long image = image(row);
        encoder.before(image, RowImage.lengthAt(image));
        return this;
    }

    public ChangeLogFixture after(final SourceRow row)
    {
        final long image = image(row);
        encoder.after(image, RowImage.lengthAt(image));
        return this;
    }

    public ChangeLogFixture retractPair(final SourceRow partner)
    {
        final long image = image(partner);
        encoder.retractPair(image, RowImage.lengthAt(image));
        return this;
    }

    public ChangeLogFixture insertPair(final SourceRow partner)
    {
        final long image = image(partner);
        encoder.insertPair(image, RowImage.lengthAt(image));
        return this;
    }

    public ChangeLogFixture retractUnmatched(final int side, final boolean isFinal, final SourceRow row)
    {
        final long image = image(row);
        encoder.retractUnmatched(side, isFinal, image, RowImage.lengthAt(image));
        return this;
    }

    public ChangeLogFixture insertUnmatched(final int side, final boolean isFinal, final SourceRow row)
    {
        final long image = image(row);
        encoder.insertUnmatched(side, isFinal, image, RowImage.lengthAt(image));
        return this;
    }

    /** Begins a change-set of sessions. */
    public ChangeLogFixture beginSessions(final long position, final int slot, final int ordinal, final String key)
    {
        at = 0;
        ofSessions = true;
        final long address = bytes(Utf8.of(key));
        sessions.begin(
            position, slot, ordinal, epoch, generation, 7, ordinal == 0 ? 0 : ChangeSetEncoder.CAUSED_BY_CLOCK, 2, 99,
            address, Utf8.of(key).bytes().length);
        return this;
    }

    public ChangeLogFixture retract(final SessionRow row)
    {
        sessions.retract(image(row));
        return this;
    }

    public ChangeLogFixture insert(final SessionRow row)
    {
        sessions.insert(image(row));
        return this;
    }

    public void commit()
    {
        if (ofSessions)
        {
            sessions.commit();
        }
        else
        {
            encoder.commit();
        }
        ofSessions = false;
    }

    public long records()
    {
        return log.lastNumber() + 1;
    }

    @Override
    public void close()
    {
        appender.close();
        log.close();
    }

    private long image(final SourceRow row)
    {
        final long id = bytes(row.id());
        final int idLength = row.id().bytes().length;
        final long image = memory.addressOffset() + at;
        RowImage.put(image, row.revision(), row.time(), row.value(), row.partition(), row.index());
        RowImage.putId(image, id, idLength);
        at += RowImage.length(idLength);
        return image;
    }

    private long image(final SessionRow row)
    {
        final long image = memory.addressOffset() + at;
        SessionImage.put(
            image, row.start(), row.end(), row.count(), row.sum().shiftRight(Long.SIZE).longValue(),
            row.sum().longValue(), row.min(), row.max());
        SessionImage.putPublication(image, row.publication(), row.isFinal());
        at += SessionImage.LENGTH;
        return image;
    }

    private long bytes(final Utf8 text)
    {
        final long address = memory.addressOffset() + at;
        memory.putBytes(at, text.bytes());
        at += text.bytes().length;
        return address;
    }
}
