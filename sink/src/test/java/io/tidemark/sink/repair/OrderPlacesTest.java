package io.tidemark.sink.repair;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.tidemark.ingest.StreamSpec;
import io.tidemark.ingest.Topology;
import io.tidemark.ingest.event.SourceLogs;
import io.tidemark.operator.spec.JoinRule;
import io.tidemark.operator.spec.PipelineSpec;
import io.tidemark.operator.spec.Unmatched;
import io.tidemark.operator.spec.WatermarkSpec;
import io.tidemark.operator.worker.PagedOperatorFactory;
import io.tidemark.operator.worker.PipelineRuntime;
import io.tidemark.operator.worker.RuntimeContext;
import io.tidemark.sink.Utf8;
import io.tidemark.sink.candidate.SourceRange;
import io.tidemark.sink.repair.build.RawEvent;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where scans of raw logs begin, on 60,000 events one after the other in time and order. */
class OrderPlacesTest
{
    private static final int EVENTS = 60_000;
    private static final int STRIDE = 1 << 14;
    private static final Topology TOPOLOGY =
        Topology.of(List.of(new StreamSpec("payments", 1), new StreamSpec("signals", 1)));
    private static final PipelineSpec SPEC = new PipelineSpec(TOPOLOGY, 0,
        new JoinRule(1, false, 1, 1, 0, 0, Unmatched.NONE, true, false, 10, false, 10),
        WatermarkSpec.DEFAULT, 16, 100_000);

    @TempDir
    private Path data;

    @BeforeEach
    void process()
    {
        try (SourceLogs sources = SourceLogs.open(data, TOPOLOGY))
        {
            for (int i = 1; i <= EVENTS; i++)
            {
                sources.appender(i % 2).upsert(i).key("k" + i % 7).id("e" + i).revision(0).value(1).arrival(i).append();
            }
        }
        try (PipelineRuntime runtime = PipelineRuntime.open(new RuntimeContext().dataDirectory(data).spec(SPEC)
            .epochClock(() -> 0).nanoClock(() -> 0).operatorFactory(new PagedOperatorFactory(data, SPEC, 1 << 16))))
        {
            runtime.runUntilCaughtUp();
            runtime.checkpoint();
        }
    }

    private RawScan scan(final long fromTime)
    {
        final TimeWindows windows = new TimeWindows();
        windows.add(fromTime, Long.MAX_VALUE);
        return new RawScan(SPEC, Map.of(Utf8.of("k3"), windows), Set.of(), Set.of()).read(data, data, EVENTS, fromTime);
    }

    @Test
    void shouldBeginAtTheNewestPlaceBeforeWhichNothingOfTheTimeLies() throws IOException
    {
        final List<RawEvent> all = scan(50_000).events(Utf8.of("k3"));
        assertEquals(List.of(0L, (long)STRIDE, 3L * STRIDE, 0L), List.of(
            scan(1).start().position(), scan(20_000).start().position(), scan(50_000).start().position(),
            scan(STRIDE).start().position()));
        assertEquals(all, scan(50_000).events(Utf8.of("k3")));
        assertEquals(1_429, all.size());
        assertEquals(EVENTS, scan(50_000).largestTime());
        assertArrayEquals(new long[]{3 * STRIDE / 2, 3 * STRIDE / 2}, scan(50_000).start().ordered());
        assertEquals(EVENTS - 3 * STRIDE, scan(50_000).read().stream().mapToLong(SourceRange::records).sum());
    }

    @Test
    void shouldKnowTheLargestTimeWithoutReadingAllAgain()
    {
        final RawScan first = new RawScan(SPEC, Map.of(), Set.of(), Set.of()).readLargestTime(data, data, EVENTS);
        final RawScan second = new RawScan(SPEC, Map.of(), Set.of(), Set.of()).readLargestTime(data, data, EVENTS);
        assertEquals(List.of(0L, (long)EVENTS), List.of(first.start().position(), second.start().position()));
        assertEquals(List.of((long)EVENTS, (long)EVENTS), List.of(first.largestTime(), second.largestTime()));
    }

    @Test
    void shouldMakePlacesAnewWhereTheyAreDamagedOrOfOtherSources() throws IOException
    {
        scan(1);
        final Path file = data.resolve("repair-places");
        final byte[] content = Files.readAllBytes(file);
        for (int i = 0; i < content.length; i += 5)
        {
            final byte[] damaged = content.clone();
            damaged[i] ^= 4;
            Files.write(file, damaged);
            assertNull(OrderPlaces.read(data, 2).before(50_000, 0, EVENTS), "byte " + i);
        }
        Files.write(file, Arrays.copyOf(content, content.length - 9));
        assertEquals(0, scan(50_000).start().position());
        assertArrayEquals(content, Files.readAllBytes(file));
        assertNull(OrderPlaces.read(data, 3).before(50_000, 0, EVENTS));
    }

    @Test
    void shouldNotBeginBeforeTheOldestRecordThatIsKeptNorBehindTheClocks()
    {
        scan(1);
        final OrderPlaces places = OrderPlaces.read(data, 2);
        assertEquals(STRIDE, places.before(20_000, STRIDE, EVENTS).position());
        assertNull(places.before(20_000, STRIDE + 1, EVENTS));
        assertEquals(2 * STRIDE, places.before(50_000, 0, 3 * STRIDE - 1).position());
        assertNull(places.before(50_000, 0, STRIDE - 1));
    }
}
