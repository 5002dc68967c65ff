package io.tidemark.bench;

import io.tidemark.ingest.codec.EventEncoder;
import io.tidemark.ingest.codec.Kind;
import io.tidemark.ingest.codec.MessageHeaderEncoder;
import io.tidemark.ingest.event.EventAppender;
import org.agrona.MutableDirectBuffer;

import java.util.SplittableRandom;

/**
 * Makes the events of a workload, one after the other, from a seed. Arrivals are evenly spaced. Times are mildly out of
 * order: most lie a few events behind their arrival, one in ten up to half the lateness. A key always comes from the
 * same partition. Ids are unique and in no order, as ids of the world are.
 */
final class EventFeed
{
    /** 2026-01-01T00:00:00Z. */
    static final long FIRST_ARRIVAL_NS = 1_767_225_600_000_000_000L;

    private static final int NEAR_EVENTS = 16;
    private static final int FAR_PERCENT = 10;
    private static final byte[] HEX = {
        '0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f'};
    private static final int ID_BITS = 44;
    private static final int KEY_DIGITS = 7;
    private static final long ID_MASK = (1L << ID_BITS) - 1;

    private final Workload workload;
    private final KeyChoice keys;
    private final SplittableRandom random;
    private final byte[] key = new byte[2 + KEY_DIGITS];
    private final byte[] id = new byte[2 + ID_BITS / 4];
    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private final EventEncoder encoder = new EventEncoder();
    private long events;
    private int stream;
    private int partition;
    private long arrivalNs;
    private long timeNs;
    private long value;

    EventFeed(final Workload workload, final long seed)
    {
        this.workload = workload;
        this.keys = workload.zipf() ? KeyChoice.zipf(workload.keys()) : KeyChoice.uniform(workload.keys());
        this.random = new SplittableRandom(seed);
    }

    void next()
    {
        stream = random.nextInt(100) < workload.leftPercent() ? 0 : 1;
        final int keyNumber = keys.draw(random);
        partition = mix(keyNumber) & (Workload.PARTITIONS - 1);
        arrivalNs = FIRST_ARRIVAL_NS + events * Workload.STEP_NS;
        final boolean isFar = random.nextInt(100) < FAR_PERCENT;
        final int behind = random.nextInt(isFar ? Math.max(1, workload.latenessEvents() / 2) : NEAR_EVENTS);
        timeNs = arrivalNs - behind * Workload.STEP_NS;
        value = 100 + random.nextInt(100_000);
        putKey(keyNumber);
        putId(events);
        events++;
    }

    int source()
    {
        return workload.topology().sourceOf(stream, partition);
    }

    /** Appends the event to its source log. */
    void append(final EventAppender appender)
    {
        appender.upsert(timeNs).key(key, 0, key.length).id(id, 0, id.length).value(value).arrival(arrivalNs).append();
    }

    /** Encodes the event as its source log would hold it, and returns its length. */
    int encode(final MutableDirectBuffer buffer, final int offset)
    {
        encoder.wrapAndApplyHeader(buffer, offset, header)
            .number(0)
            .arrival(arrivalNs)
            .time(timeNs)
            .start(EventEncoder.startNullValue())
            .end(EventEncoder.endNullValue())
            .value(value)
            .revision(0)
            .kind(Kind.UPSERT)
            .putKey(key, 0, key.length)
            .putId(id, 0, id.length);
        return MessageHeaderEncoder.ENCODED_LENGTH + encoder.encodedLength();
    }

    private void putKey(final int number)
    {
        key[0] = 'm';
        key[1] = '-';
        int rest = number;
        for (int i = key.length - 1; i > 1; i--)
        {
            key[i] = (byte)('0' + rest % 10);
            rest /= 10;
        }
    }

    /** The counter through a one-to-one mix of 44 bits, so that no id comes twice. */
    private void putId(final long counter)
    {
        long mixed = counter * 0x9E3779B97F5L & ID_MASK;
        mixed ^= mixed >>> (ID_BITS / 2);
        mixed = mixed * 0x5851F42D4C9L & ID_MASK;
        mixed ^= mixed >>> (ID_BITS / 2);
        id[0] = (byte)(stream == 0 ? 'p' : 's');
        id[1] = '-';
        for (int i = id.length - 1; i > 1; i--)
        {
            id[i] = HEX[(int)mixed & 15];
            mixed >>>= 4;
        }
    }

    private static int mix(final int number)
    {
        final int mixed = (number ^ (number >>> 15)) * 0x2C1B3C6D;
        return mixed ^ (mixed >>> 13);
    }
}
