package io.tidemark.bench;

import io.tidemark.ingest.log.Log;
import io.tidemark.operator.change.ChangeSetEncoder;
import io.tidemark.operator.change.ReplayingAppender;
import io.tidemark.operator.change.RowImage;
import org.agrona.CloseHelper;
import org.agrona.concurrent.SystemEpochClock;
import org.agrona.concurrent.UnsafeBuffer;

import java.nio.ByteBuffer;
import java.nio.file.Path;

/**
 * Writes a change log as a join does: nine of ten change-sets match a new payment with two signals, one revises the
 * payment before, so that two pairs go and two come. Allocates nothing per change-set.
 */
final class ChangeFeed implements AutoCloseable
{
    /** Changes of ten change-sets. */
    static final int CHANGES_OF_TEN = 9 * 2 + 4;

    private static final int KEYS = 10_000;
    private static final int SLOTS = 256;
    private static final int KEY_OFFSET = 1_024;
    private static final int BEFORE_OFFSET = 2_048;
    private static final int AFTER_OFFSET = 3_072;
    private static final int SIGNAL_OFFSET = 4_096;

    private final UnsafeBuffer memory = new UnsafeBuffer(ByteBuffer.allocateDirect(8_192));
    private final Log log;
    private final ReplayingAppender appender;
    private final ChangeSetEncoder encoder;
    private long number;

    ChangeFeed(final Path dataDirectory)
    {
        Log.open(dataDirectory.resolve("late"), SystemEpochClock.INSTANCE).close();
        log = Log.open(dataDirectory.resolve("changes"), SystemEpochClock.INSTANCE);
        appender = new ReplayingAppender(log);
        encoder = new ChangeSetEncoder(appender);
    }

    /** Change-sets so far. */
    long written()
    {
        return number;
    }

    /** Writes one more; returns its number of changes. */
    int write()
    {
        final boolean isRevision = number % 10 == 9;
        final long payment = isRevision ? number - 1 : number;
        final int key = (int)(payment % KEYS);
        final int keyLength = memory.putStringWithoutLengthAscii(KEY_OFFSET, "merchant-");
        final int digits = memory.putNaturalIntAscii(KEY_OFFSET + keyLength, key);
        encoder.begin(number + 1, key % SLOTS, 0, 1, 1, 1, 0, 0, number, 0, memory.addressOffset() + KEY_OFFSET,
            keyLength + digits);
        if (isRevision)
        {
            final long before = row(BEFORE_OFFSET, "payment-", payment, 0);
            encoder.before(before, RowImage.lengthAt(before));
        }
        final long after = row(AFTER_OFFSET, "payment-", payment, isRevision ? 1 : 0);
        encoder.after(after, RowImage.lengthAt(after));
        for (int s = 0; isRevision && s < 2; s++)
        {
            final long signal = row(SIGNAL_OFFSET, "signal-", s, 0);
            encoder.retractPair(signal, RowImage.lengthAt(signal));
        }
        for (int s = 0; s < 2; s++)
        {
            final long signal = row(SIGNAL_OFFSET, "signal-", s, 0);
            encoder.insertPair(signal, RowImage.lengthAt(signal));
        }
        encoder.commit();
        number++;
        return isRevision ? 4 : 2;
    }

    private long row(final int offset, final String name, final long id, final int revision)
    {
        final long address = memory.addressOffset() + offset;
        RowImage.put(address, revision, 1_000 * id, id, 0, id);
        final int length = memory.putStringWithoutLengthAscii(0, name);
        final int digits = memory.putNaturalLongAscii(length, id);
        RowImage.putId(address, memory.addressOffset(), length + digits);
        return address;
    }

    @Override
    public void close()
    {
        CloseHelper.closeAll(appender, log);
    }
}
