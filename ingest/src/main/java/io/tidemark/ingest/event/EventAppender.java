package io.tidemark.ingest.event;

import io.tidemark.ingest.codec.EventEncoder;
import io.tidemark.ingest.codec.Kind;
import io.tidemark.ingest.codec.MessageHeaderEncoder;
import io.tidemark.ingest.log.CrashPoint;
import io.tidemark.ingest.log.LogAppender;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.EpochNanoClock;
import org.agrona.concurrent.UnsafeBuffer;

import java.nio.ByteBuffer;

/**
 * Appends events to the log of one source, without garbage:
 * <pre>
 *     appender.upsert(timeNs).key("merchant-7").id("payment-1").revision(2).value(1_250).append();
 *     appender.retract(timeNs).key("merchant-7").id("payment-1").revision(3).append();
 *     appender.watermark(timeNs).append();
 * </pre>
 * What is no event at all is refused with an {@link IllegalArgumentException} that says why, and nothing is appended;
 * whether an event keeps the rules of its pipeline is judged later, in its place in the order (SEMANTICS.md section 1).
 * One thread at a time.
 */
public final class EventAppender
{
    /**
     * Most bytes of a key or an id.
     */
    public static final int MAX_TEXT_LENGTH = 255;

    private static final int BLOCK_END = MessageHeaderEncoder.ENCODED_LENGTH + EventEncoder.BLOCK_LENGTH;
    private static final int MAX_LENGTH = BLOCK_END + 2 * (1 + MAX_TEXT_LENGTH);

    private final LogAppender log;
    private final ArrivalClock arrivals;
    private final EpochNanoClock clock;
    private final UnsafeBuffer record = new UnsafeBuffer(ByteBuffer.allocateDirect(MAX_LENGTH));
    private final UnsafeBuffer id = new UnsafeBuffer(ByteBuffer.allocateDirect(MAX_TEXT_LENGTH));
    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private final EventEncoder event = new EventEncoder();
    private int keyLength;
    private int idLength;
    private boolean hasArrival;
    private long arrivalNs;
    private Kind kind;

    /**
     * @param log      of the source.
     * @param arrivals of the ingest run, shared by its sources.
     * @param clock    that gives the arrival of events which bring none.
     */
    public EventAppender(final LogAppender log, final ArrivalClock arrivals, final EpochNanoClock clock)
    {
        this.log = log;
        this.arrivals = arrivals;
        this.clock = clock;
        event.wrapAndApplyHeader(record, 0, header);
    }

    /**
     * Begins an upsert; it needs a key and an id.
     *
     * @param timeNs event time in nanoseconds since the epoch.
     * @return this.
     */
    public EventAppender upsert(final long timeNs)
    {
        begin(Kind.UPSERT, timeNs);
        checkFinite("time", timeNs);
        return this;
    }

    /**
     * Begins a retraction; it needs a key and an id.
     *
     * @param timeNs event time of the row that it withdraws, in nanoseconds since the epoch.
     * @return this.
     */
    public EventAppender retract(final long timeNs)
    {
        begin(Kind.RETRACT, timeNs);
        checkFinite("time", timeNs);
        return this;
    }

    /**
     * Begins a watermark.
     *
     * @param timeNs promised time in nanoseconds since the epoch; {@link Long#MAX_VALUE} is the end of input.
     * @return this.
     */
    public EventAppender watermark(final long timeNs)
    {
        begin(Kind.WATERMARK, timeNs);
        if (timeNs == Long.MIN_VALUE)
        {
            throw impossible("time", timeNs);
        }
        return this;
    }

    /**
     * @param text 1 to 255 bytes of UTF-8 once encoded.
     * @return this.
     */
    public EventAppender key(final CharSequence text)
    {
        keyLength = Utf8.encode("key", text, record, BLOCK_END + 1);
        return this;
    }

    /**
     * @param src    that holds the key.
     * @param offset of its first byte.
     * @param length 1 to 255 bytes of UTF-8.
     * @return this.
     */
    public EventAppender key(final DirectBuffer src, final int offset, final int length)
    {
        Utf8.check("key", src, offset, length);
        record.putBytes(BLOCK_END + 1, src, offset, length);
        keyLength = length;
        return this;
    }

    /**
     * @param src    that holds the key.
     * @param offset of its first byte.
     * @param length 1 to 255 bytes of UTF-8.
     * @return this.
     */
    public EventAppender key(final byte[] src, final int offset, final int length)
    {
        Utf8.check("key", src, offset, length);
        record.putBytes(BLOCK_END + 1, src, offset, length);
        keyLength = length;
        return this;
    }

    /**
     * @param text 1 to 255 bytes of UTF-8 once encoded.
     * @return this.
     */
    public EventAppender id(final CharSequence text)
    {
        idLength = Utf8.encode("id", text, id, 0);
        return this;
    }

    /**
     * @param src    that holds the id.
     * @param offset of its first byte.
     * @param length 1 to 255 bytes of UTF-8.
     * @return this.
     */
    public EventAppender id(final DirectBuffer src, final int offset, final int length)
    {
        Utf8.check("id", src, offset, length);
        id.putBytes(0, src, offset, length);
        idLength = length;
        return this;
    }

    /**
     * @param src    that holds the id.
     * @param offset of its first byte.
     * @param length 1 to 255 bytes of UTF-8.
     * @return this.
     */
    public EventAppender id(final byte[] src, final int offset, final int length)
    {
        Utf8.check("id", src, offset, length);
        id.putBytes(0, src, offset, length);
        idLength = length;
        return this;
    }

    /**
     * @param revision from 0, the default; a higher revision of a row replaces a lower.
     * @return this.
     */
    public EventAppender revision(final int revision)
    {
        if (revision < 0)
        {
            throw impossible("revision", revision);
        }
        event.revision(revision);
        return this;
    }

    /**
     * @param value amount in minor units, or a score; default 0.
     * @return this.
     */
    public EventAppender value(final long value)
    {
        event.value(value);
        return this;
    }

    /**
     * @param startNs of the row's interval in nanoseconds since the epoch; upserts of overlap joins only.
     * @return this.
     */
    public EventAppender start(final long startNs)
    {
        checkUpsert("start");
        checkFinite("start", startNs);
        event.start(startNs);
        return this;
    }

    /**
     * @param endNs of the row's interval, inclusive, in nanoseconds since the epoch; upserts of overlap joins only.
     * @return this.
     */
    public EventAppender end(final long endNs)
    {
        checkUpsert("end");
        checkFinite("end", endNs);
        event.end(endNs);
        return this;
    }

    /**
     * @param arrival when the event reached us, in nanoseconds since the epoch; default: the clock. Raised where it is
     *                not greater than that of the run's last event.
     * @return this.
     */
    public EventAppender arrival(final long arrival)
    {
        checkFinite("arrival", arrival);
        arrivalNs = arrival;
        hasArrival = true;
        return this;
    }

    /**
     * Appends the event that was begun.
     *
     * @return its queue index in the source's log.
     */
    public long append()
    {
        if (kind == null)
        {
            throw new IllegalStateException("no event was begun");
        }
        if (kind == Kind.WATERMARK)
        {
            keyLength = 0;
            idLength = 0;
        }
        else if (keyLength == 0 || idLength == 0)
        {
            throw new IllegalArgumentException((keyLength == 0 ? "key" : "id") + " is missing");
        }
        event.arrival(arrivals.next(hasArrival ? arrivalNs : clock.nanoTime()));
        record.putByte(BLOCK_END, (byte)keyLength);
        final int idLengthOffset = BLOCK_END + 1 + keyLength;
        record.putByte(idLengthOffset, (byte)idLength);
        record.putBytes(idLengthOffset + 1, id, 0, idLength);
        CrashPoint.hit("source.before-append");
        final long index = log.append(record, 0, idLengthOffset + 1 + idLength);
        CrashPoint.hit("source.after-append");
        kind = null;
        return index;
    }

    private void begin(final Kind eventKind, final long timeNs)
    {
        kind = eventKind;
        keyLength = 0;
        idLength = 0;
        hasArrival = false;
        event
            .time(timeNs)
            .start(EventEncoder.startNullValue())
            .end(EventEncoder.endNullValue())
            .value(0)
            .revision(0)
            .kind(eventKind);
    }

    private void checkUpsert(final String field)
    {
        if (kind != Kind.UPSERT)
        {
            throw new IllegalArgumentException(field + " belongs to upserts only");
        }
    }

    private static void checkFinite(final String field, final long ns)
    {
        if (ns == Long.MIN_VALUE || ns == Long.MAX_VALUE)
        {
            throw impossible(field, ns);
        }
    }

    private static IllegalArgumentException impossible(final String field, final long value)
    {
        return new IllegalArgumentException("impossible number: " + field + "=" + value);
    }
}
