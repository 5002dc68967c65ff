package io.tidemark.bench;

import io.tidemark.ingest.codec.EventEncoder;
import io.tidemark.ingest.codec.Kind;
import io.tidemark.ingest.codec.MessageHeaderEncoder;
import io.tidemark.ingest.event.EventAppender;
import org.agrona.MutableDirectBuffer;

/** An upsert whose key and id are made of numbers, such as {@code m-0004711} and {@code p-3f09a1c27e5}. No garbage. */
public final class EventRecord
{
    /** No record is longer. */
    public static final int MAX_LENGTH = 128;

    private static final byte[] HEX = {
        '0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f'};
    private static final int ID_BITS = 44;
    private static final int KEY_DIGITS = 7;
    private static final long ID_MASK = (1L << ID_BITS) - 1;

    private final byte[] key = new byte[2 + KEY_DIGITS];
    private final byte[] id = new byte[2 + ID_BITS / 4];
    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private final EventEncoder encoder = new EventEncoder();
    private long arrivalNs;
    private long timeNs;
    private long value;

    /**
     * Sets the key.
     *
     * @param number below ten million.
     * @return this.
     */
    public EventRecord key(final int number)
    {
        key[0] = 'm';
        key[1] = '-';
        int rest = number;
        for (int i = key.length - 1; i > 1; i--)
        {
            key[i] = (byte)('0' + rest % 10);
            rest /= 10;
        }
        return this;
    }

    /**
     * Sets the id: the counter through a one-to-one mix of 44 bits, so that no id comes twice and they are in no order,
     * as ids of the world are.
     *
     * @param kind    first letter.
     * @param counter of the event.
     * @return this.
     */
    public EventRecord id(final char kind, final long counter)
    {
        long mixed = (counter * 0x9E3779B97F5L) & ID_MASK;
        mixed ^= mixed >>> (ID_BITS / 2);
        mixed = (mixed * 0x5851F42D4C9L) & ID_MASK;
        mixed ^= mixed >>> (ID_BITS / 2);
        id[0] = (byte)kind;
        id[1] = '-';
        for (int i = id.length - 1; i > 1; i--)
        {
            id[i] = HEX[(int)mixed & 15];
            mixed >>>= 4;
        }
        return this;
    }

    /**
     * Sets the rest.
     *
     * @param newArrivalNs arrival.
     * @param newTimeNs    event time.
     * @param newValue     value.
     * @return this.
     */
    public EventRecord at(final long newArrivalNs, final long newTimeNs, final long newValue)
    {
        arrivalNs = newArrivalNs;
        timeNs = newTimeNs;
        value = newValue;
        return this;
    }

    /**
     * Appends the event to its source log.
     *
     * @param appender of the source.
     */
    public void append(final EventAppender appender)
    {
        appender.upsert(timeNs).key(key, 0, key.length).id(id, 0, id.length).value(value).arrival(arrivalNs).append();
    }

    /**
     * Encodes the event as its source log would hold it.
     *
     * @param buffer to write to.
     * @param offset in it.
     * @return length of the record.
     */
    public int encode(final MutableDirectBuffer buffer, final int offset)
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

    /**
     * Event time.
     *
     * @return nanoseconds since the epoch.
     */
    public long timeNs()
    {
        return timeNs;
    }
}
