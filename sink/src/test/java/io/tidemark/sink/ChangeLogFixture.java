package io.tidemark.sink;

import java.nio.ByteBuffer;
import java.nio.file.Path;

import io.tidemark.ingest.log.Log;
import io.tidemark.operator.change.ChangeSetEncoder;
import io.tidemark.operator.change.ReplayingAppender;
import io.tidemark.operator.change.RowImage;
import org.agrona.concurrent.SystemEpochClock;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Writes a change log as an engine does: images in native memory, one subject and its partners.
 */
final class ChangeLogFixture implements AutoCloseable
{
    private final UnsafeBuffer memory = new UnsafeBuffer(ByteBuffer.allocateDirect(1 << 20));
    private final Log log;
    private final ReplayingAppender appender;
    private final ChangeSetEncoder encoder;
    private int at;

    ChangeLogFixture(final Path dataDirectory)
    {
        log = Log.open(dataDirectory.resolve("changes"), SystemEpochClock.INSTANCE);
        appender = new ReplayingAppender(log);
        encoder = new ChangeSetEncoder(appender);
    }

    ChangeLogFixture begin(final long position, final int slot, final int ordinal, final String key)
    {
        at = 0;
        final long address = bytes(Utf8.of(key));
        encoder.begin(
            position, slot, ordinal, 1, 1, 7, ordinal == 0 ? 0 : ChangeSetEncoder.CAUSED_BY_CLOCK, 2, 99, 0, address,
            Utf8.of(key).bytes().length);
        return this;
    }

    ChangeLogFixture before(final SourceRow row)
    {
        final long image = image(row);
        encoder.before(image, RowImage.lengthAt(image));
        return this;
    }

    ChangeLogFixture after(final SourceRow row)
    {
        final long image = image(row);
        encoder.after(image, RowImage.lengthAt(image));
        return this;
    }

    ChangeLogFixture retractPair(final SourceRow partner)
    {
        final long image = image(partner);
        encoder.retractPair(image, RowImage.lengthAt(image));
        return this;
    }

    ChangeLogFixture insertPair(final SourceRow partner)
    {
        final long image = image(partner);
        encoder.insertPair(image, RowImage.lengthAt(image));
        return this;
    }

    ChangeLogFixture insertUnmatched(final int side, final boolean isFinal, final SourceRow row)
    {
        final long image = image(row);
        encoder.insertUnmatched(side, isFinal, image, RowImage.lengthAt(image));
        return this;
    }

    void commit()
    {
        encoder.commit();
    }

    long records()
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

    private long bytes(final Utf8 text)
    {
        final long address = memory.addressOffset() + at;
        memory.putBytes(at, text.bytes());
        at += text.bytes().length;
        return address;
    }
}
