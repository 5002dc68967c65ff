package io.tidemark.ingest.event;

import com.sun.management.ThreadMXBean;
import io.tidemark.ingest.StreamSpec;
import io.tidemark.ingest.Topology;
import io.tidemark.ingest.log.LogTailer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

import java.lang.management.ManagementFactory;
import java.nio.CharBuffer;
import java.nio.file.Path;
import java.util.List;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class EventAppenderTest
{
    private static final Topology TOPOLOGY = Topology.of(List.of(new StreamSpec("s", 2)));
    private static final long NOW_NS = 1_000;

    @TempDir
    private Path data;

    private final EventView event = new EventView();
    private SourceLogs logs;
    private EventAppender appender;
    private LogTailer tailer;

    @BeforeEach
    void open()
    {
        logs = SourceLogs.open(data, TOPOLOGY, () -> 0, () -> NOW_NS);
        appender = logs.appender(0);
        tailer = logs.tailer(0);
    }

    @AfterEach
    void close()
    {
        logs.close();
    }

    @Test
    void shouldReadBackAnUpsert()
    {
        final long index =
            appender.upsert(-5).key("käse").id("id-1").revision(3).value(-77).start(-9).end(4).arrival(12).append();
        final EventView read = next();
        assertEquals(index, tailer.index());
        assertEquals(0, read.number());
        assertEquals(EventKind.UPSERT, read.kind());
        assertEquals(-5, read.time());
        assertEquals("käse", read.key());
        assertEquals("id-1", read.id());
        assertEquals(3, read.revision());
        assertEquals(-77, read.value());
        assertTrue(read.hasSpan());
        assertEquals(-9, read.start());
        assertEquals(4, read.end());
        assertEquals(12, read.arrival());
        assertEquals(12, EventView.arrival(tailer.buffer(), tailer.offset()));
        assertEquals(tailer.length(), read.length());
    }

    @Test
    void shouldReadBackARetractionWithDefaults()
    {
        appender.upsert(1).key("a").id("b").revision(9).value(9).start(0).end(1).append();
        appender.retract(7).key("k").id("i").append();
        next();
        final EventView read = next();
        assertEquals(EventKind.RETRACT, read.kind());
        assertEquals(0, read.revision());
        assertEquals(0, read.value());
        assertFalse(read.hasSpan());
        assertEquals(EventView.NO_TIME, read.start());
        assertEquals(NOW_NS + 1, read.arrival());
    }

    @Test
    void shouldReadBackAWatermarkWithoutKeyAndId()
    {
        appender.watermark(Long.MAX_VALUE).key("ignored").id("ignored").append();
        final EventView read = next();
        assertEquals(EventKind.WATERMARK, read.kind());
        assertEquals(Long.MAX_VALUE, read.time());
        assertEquals(0, read.keyLength());
        assertEquals(0, read.idLength());
    }

    @Test
    void shouldTakeKeysAndIdsOfAllLengthsFromAnywhere()
    {
        final byte[] text = "é".repeat(128).substring(1).concat("x").getBytes(UTF_8);
        assertEquals(255, text.length);
        appender.upsert(1).key(text, 0, 255).id(text, 254, 1).append();
        appender.upsert(1).key(new UnsafeBuffer(text), 0, 254).id(new String(text, UTF_8)).append();
        assertEquals(new String(text, UTF_8), next().key());
        assertEquals("x", event.id());
        assertEquals(254, next().keyLength());
        assertEquals(new String(text, UTF_8), event.id());
        assertEquals(tailer.length(), event.length());
    }

    @Test
    void shouldRaiseArrivalsThatDoNotGrowOverAllSourcesOfARun()
    {
        appender.upsert(1).key("k").id("a").arrival(100).append();
        logs.appender(1).upsert(1).key("k").id("b").arrival(100).append();
        appender.upsert(1).key("k").id("c").arrival(50).append();
        appender.upsert(1).key("k").id("d").arrival(200).append();
        assertEquals(100, next().arrival());
        assertEquals(102, next().arrival());
        assertEquals(200, next().arrival());
        try (LogTailer other = logs.tailer(1))
        {
            other.poll();
            assertEquals(101, event.wrap(other.buffer(), other.offset()).arrival());
        }
    }

    @Test
    void shouldLetArrivalsOfANewRunStartAnew()
    {
        appender.upsert(1).key("k").id("a").arrival(100).append();
        close();
        open();
        appender.upsert(1).key("k").id("b").arrival(30).append();
        assertEquals(100, next().arrival());
        assertEquals(30, next().arrival());
    }

    @Test
    void shouldRefuseWhatIsNoEvent()
    {
        refused("time=-9223372036854775808", () -> appender.upsert(Long.MIN_VALUE));
        refused("time=9223372036854775807", () -> appender.retract(Long.MAX_VALUE));
        refused("time=-9223372036854775808", () -> appender.watermark(Long.MIN_VALUE));
        refused("revision=-1", () -> appender.upsert(1).revision(-1));
        refused("start=", () -> appender.upsert(1).start(Long.MIN_VALUE));
        refused("end=", () -> appender.upsert(1).end(Long.MAX_VALUE));
        refused("arrival=", () -> appender.upsert(1).arrival(Long.MAX_VALUE));
        refused("start belongs to upserts only", () -> appender.retract(1).start(1));
        refused("key is missing", () -> appender.upsert(1).id("i").append());
        refused("id is missing", () -> appender.upsert(1).key("k").append());
        refused("key is missing", () -> appender.upsert(1).key(""));
        refused("id is longer than 255", () -> appender.upsert(1).id("x".repeat(256)));
        refused("id is longer than 255", () -> appender.upsert(1).id("é".repeat(128)));
        refused("key is longer than 255", () -> appender.upsert(1).key(new byte[300], 0, 256));
        refused("key is not well-formed", () -> appender.upsert(1).key("a\uD800"));
        refused("key is not well-formed", () -> appender.upsert(1).key(new byte[] {(byte)0xC0, (byte)0x80}, 0, 2));
        assertThrows(IllegalStateException.class, () -> logs.appender(1).append());
        assertFalse(tailer.poll());
        appender.upsert(1).key("k").id("i").append();
        assertEquals(0, next().number());
    }

    @Test
    void shouldSpellTheWholeEventForPeople()
    {
        appender.upsert(5).key("k").id("i").append();
        assertTrue(next().toString().startsWith("upsert{number=0, arrival=1000, time=5, value=0"), event.toString());
    }

    @Test
    void shouldAppendEventsWithoutGarbage()
    {
        final ThreadMXBean threads = (ThreadMXBean)ManagementFactory.getThreadMXBean();
        final String key = "merchant-7";
        final CharSequence id = CharBuffer.wrap("payment-é€😀");
        long least = Long.MAX_VALUE;
        for (int round = 0; round < 100; round++)
        {
            final long start = threads.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < 500; i++)
            {
                appender.upsert(i).key(key).id(id).revision(i).value(i).append();
                tailer.poll();
                event.wrap(tailer.buffer(), tailer.offset());
            }
            least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - start);
        }
        assertEquals(0, least);
        assertEquals("payment-é€😀", event.id());
    }

    @Test
    void shouldRefuseToShowARecordThatIsNoEvent()
    {
        assertThrows(IllegalArgumentException.class, () -> event.wrap(new UnsafeBuffer(new byte[100]), 0));
    }

    private static void refused(final String because, final Executable attempt)
    {
        final String message = assertThrows(IllegalArgumentException.class, attempt).getMessage();
        assertTrue(message.contains(because), message);
    }

    private EventView next()
    {
        assertTrue(tailer.poll());
        return event.wrap(tailer.buffer(), tailer.offset());
    }
}
