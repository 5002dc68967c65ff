package io.tidemark.ingest.feed;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class FeedImportTest
{
    @TempDir
    private Path directory;
    private FeedPipeline pipeline;

    @BeforeEach
    void createPipeline()
    {
        pipeline = new FeedPipeline(directory);
    }

    @Test
    void shouldAppendEachLineToTheLogOfItsSource()
    {
        pipeline.write("feed.csv", FeedPipeline.HEADER +
            "payments,1,upsert,p1,3,k,100,,,-7,1000\n" +
            "signals,0,retract,s1,0,k,1970-01-01T00:00:00.0000002Z,,,0,1001\n" +
            "payments,0,watermark,,,,300,,,,1002\n");

        final FeedResult result = pipeline.take("feed.csv");

        assertEquals(List.of(
            "payments-0 watermark   0 300 0 @1002",
            "payments-1 upsert k p1 3 100 -7 @1000",
            "signals-0 retract k s1 0 200 0 @1001"), pipeline.events());
        assertEquals(3, result.appended());
        assertEquals(0, result.rejected());
        assertEquals(Map.of("payments", 2L, "signals", 1L), result.appendedByStream());
        assertTrue(result.isComplete());
        assertEquals(List.of(), result.notes());
    }

    @Test
    void shouldFillInTheDefaults()
    {
        pipeline.write("feed.csv", "key,time,id,stream\nk,100,i,payments\n");
        pipeline.take("feed.csv");
        assertEquals(List.of("payments-0 upsert k i 0 100 0 @5000000000000"), pipeline.events());
    }

    @Test
    void shouldReadTheSameFromJsonLinesAsFromCsv()
    {
        pipeline.write("feed.jsonl",
            "{\"stream\":\"payments\",\"partition\":1,\"kind\":\"upsert\",\"id\":\"p\\u00e9\\ud83d\\ude00\"," +
            "\"revision\":3,\"key\":\"k\",\"time\":100,\"value\":-7,\"arrival\":\"1000\",\"start\":null}\n" +
            "\n" +
            "  {\"time\":\"1970-01-01T00:00:00.0000002Z\",\"id\":42,\"key\":\"k\",\"stream\":\"signals\"," +
            "\"kind\":\"retract\",\"arrival\":1001}  \r\n");
        assertEquals(0, pipeline.take("feed.jsonl").rejected());
        assertEquals(List.of(
            "payments-1 upsert k p\u00e9\ud83d\ude00 3 100 -7 @1000",
            "signals-0 retract k 42 0 200 0 @1001"), pipeline.events());
    }

    @Test
    void shouldUnpackWhatIsPackedWhateverItsName()
    {
        pipeline.write("a.csv.gz", FeedPipeline.gzip("stream,key,id,time,arrival\npayments,k,a,1,1\n"));
        pipeline.write("b.csv", FeedPipeline.gzip("stream,key,id,time,arrival\npayments,k,b,1,1\n"));
        pipeline.write("c.jsonl.gz",
            FeedPipeline.gzip("{\"stream\":\"payments\",\"key\":\"k\",\"id\":\"c\",\"time\":1,\"arrival\":1}\n"));
        pipeline.take("a.csv.gz");
        pipeline.take("b.csv");
        pipeline.take("c.jsonl.gz");
        assertEquals(List.of(
            "payments-0 upsert k a 0 1 0 @1", "payments-0 upsert k b 0 1 0 @1", "payments-0 upsert k c 0 1 0 @1"),
            pipeline.events());
    }

    @Test
    void shouldReadStandardInputOfEitherFormat()
    {
        pipeline.takeInput("stream,key,id,time,arrival\npayments,k,a,1,1\n");
        pipeline.takeInput("{\"stream\":\"payments\",\"key\":\"k\",\"id\":\"b\",\"time\":1,\"arrival\":1}\n");
        assertEquals(List.of("payments-0 upsert k a 0 1 0 @1", "payments-0 upsert k b 0 1 0 @1"), pipeline.events());
    }

    @Test
    void shouldAppendALineOfStandardInputBeforeTheNextOneComes()
    {
        final int[] appendedBefore = new int[1];
        final InputStream trickle = new InputStream()
        {
            private final byte[][] lines = {
                "stream,key,id,time,arrival\npayments,k,a,1,1\n".getBytes(StandardCharsets.UTF_8),
                "payments,k,b,1,2\n".getBytes(StandardCharsets.UTF_8)};
            private int line;
            private int at;

            @Override
            public int read()
            {
                throw new AssertionError("one byte at a time");
            }

            @Override
            public int read(final byte[] bytes, final int offset, final int length)
            {
                if (line == lines.length)
                {
                    appendedBefore[0] = pipeline.events().size();
                    return -1;
                }
                final int count = Math.min(length, lines[line].length - at);
                System.arraycopy(lines[line], at, bytes, offset, count);
                at += count;
                if (at == lines[line].length)
                {
                    line++;
                    at = 0;
                }
                return count;
            }
        };
        pipeline.takeInput(trickle);
        assertEquals(2, appendedBefore[0]);
    }

    @Test
    void shouldTakeTheStreamsOwnColumnNames()
    {
        final FeedPipeline mapped = pipeline.withPayments(ColumnMapping
            .of(Map.of("key", "merchant", "id", "payment_id", "time", "paid_at"))
            .ignoring(List.of("currency")));
        mapped.write("feed.csv", "payment_id,merchant,paid_at,currency,arrival\np1,shop,100,EUR,1\n");
        mapped.write("feed.jsonl",
            "{\"payment_id\":\"p2\",\"merchant\":\"shop\",\"paid_at\":200,\"currency\":\"EUR\",\"arrival\":1}\n");
        mapped.take("feed.csv", "payments");
        mapped.take("feed.jsonl", "payments");
        assertEquals(List.of("payments-0 upsert shop p1 0 100 0 @1", "payments-0 upsert shop p2 0 200 0 @1"),
            mapped.events());
    }

    @Test
    void shouldTakeTidemarksNamesAlsoFromAStreamThatHasItsOwn()
    {
        final FeedPipeline mapped = pipeline.withPayments(ColumnMapping.of(Map.of("key", "merchant")));
        mapped.write("feed.csv", "stream,key,id,time,arrival\npayments,k,a,1,1\nsignals,k,b,1,2\n");
        assertEquals(0, mapped.take("feed.csv").rejected());
        assertEquals(2, mapped.events().size());
    }

    @Test
    void shouldMapPerStreamWhereOneFeedHasSeveral()
    {
        final FeedPipeline mapped = pipeline.withPayments(ColumnMapping.of(Map.of("key", "merchant")));
        mapped.write("feed.csv", """
            stream,merchant,key,id,time,arrival
            payments,m,,a,1,1
            signals,,k,b,1,2
            signals,m,k,c,1,3
            payments,m,k,d,1,4
            """);
        assertEquals(2, mapped.take("feed.csv").rejected());
        assertEquals(List.of("payments-0 upsert m a 0 1 0 @1", "signals-0 upsert k b 0 1 0 @2"), mapped.events());
    }

    @Test
    void shouldRaiseArrivalsThatDoNotGrow()
    {
        pipeline.write("feed.csv",
            "stream,key,id,time,arrival\npayments,k,a,1,10\nsignals,k,b,1,10\npayments,k,c,1,5\npayments,k,d,1,20\n");
        pipeline.take("feed.csv");
        assertEquals(List.of(
            "payments-0 upsert k a 0 1 0 @10",
            "payments-0 upsert k c 0 1 0 @12",
            "payments-0 upsert k d 0 1 0 @20",
            "signals-0 upsert k b 0 1 0 @11"), pipeline.events());
    }

    @Test
    void shouldMakeTheClocksArrivalsGrowWhenItStandsStill()
    {
        pipeline.withArrivals(() -> 77);
        pipeline.write("feed.csv", "stream,key,id,time\npayments,k,a,1\npayments,k,b,1\n");
        pipeline.take("feed.csv");
        assertEquals(List.of("payments-0 upsert k a 0 1 0 @77", "payments-0 upsert k b 0 1 0 @78"), pipeline.events());
    }

    @Test
    void shouldStartArrivalsAnewForEachFeed()
    {
        pipeline.write("a.csv", "stream,key,id,time,arrival\npayments,k,a,1,1000\n");
        pipeline.write("b.csv", "stream,key,id,time,arrival\nsignals,k,b,1,10\n");
        final ImportResult result = new FeedImport(pipeline.context()).run(
            List.of(Feed.of(pipeline.path("a.csv").toString()), Feed.of(pipeline.path("b.csv").toString())));
        assertEquals(List.of("payments-0 upsert k a 0 1 0 @1000", "signals-0 upsert k b 0 1 0 @10"), pipeline.events());
        assertEquals(2, result.appended());
        assertEquals(Map.of("payments", 1L, "signals", 1L), result.appendedByStream());
    }

    @Test
    void shouldReplayByArrivalAtTheSpeedAskedFor()
    {
        pipeline.write("feed.csv",
            "stream,key,id,time,arrival\npayments,k,a,1,1000000000\npayments,k,c,1,1040000000\n");
        final long[] nowNs = {0};
        final FeedImportContext context = pipeline.context().speed(FeedImportContext.speedNamed("2x")).clocks(
            () -> 1_791_284_400_000L, () -> 1, () -> nowNs[0] += 1_000_000);
        assertEquals(2, FeedPipeline.take(context, Feed.of(pipeline.path("feed.csv").toString())).appended());
        assertTrue(nowNs[0] >= 20_000_000, "ns passed on the clock: " + nowNs[0]);
        assertTrue(nowNs[0] < 40_000_000, "ns passed on the clock: " + nowNs[0]);
    }

    @Test
    void shouldRefuseASpeedThatIsNone()
    {
        for (final String speed : List.of("fast", "0x", "-1x", "1", "x", ""))
        {
            assertThrows(IllegalArgumentException.class, () -> FeedImportContext.speedNamed(speed), speed);
        }
        assertEquals(0.5, FeedImportContext.speedNamed("0.5x"));
    }

    @Test
    void shouldEndWhenStopped()
    {
        final FeedImport[] running = new FeedImport[1];
        pipeline.withArrivals(() ->
        {
            running[0].stop();
            return 5;
        });
        pipeline.write("feed.csv", "stream,key,id,time\npayments,k,a,1\npayments,k,b,1\n");
        running[0] = new FeedImport(pipeline.context());
        final ImportResult result = running[0].run(List.of(Feed.of(pipeline.path("feed.csv").toString())));
        assertFalse(result.isComplete());
        assertEquals(1, result.appended());
    }

    @Test
    void shouldReportProgressInPlainLines()
    {
        final StringBuilder text = new StringBuilder("stream,key,id,time,arrival\n");
        for (int i = 0; i < 300_000; i++)
        {
            text.append("payments,k,").append(i).append(',').append(i).append(',').append(i).append('\n');
        }
        pipeline.write("feed.csv", text.toString());
        assertEquals(300_000, pipeline.take("feed.csv").appended());
        final List<String> lines = pipeline.progress().lines().toList();
        assertFalse(lines.isEmpty());
        assertTrue(lines.get(0).matches(".*feed.csv: [\\d,]+ lines, [\\d,]+ a second, \\d+ of \\d+ MiB, \\d+ s left"),
            lines.get(0));
    }

    @Test
    void shouldNotCloseStandardInput() throws IOException
    {
        final boolean[] isClosed = new boolean[1];
        try (InputStream in = new ByteArrayInputStream(
            "stream,key,id,time\npayments,k,a,1\n".getBytes(StandardCharsets.UTF_8))
        {
            @Override
            public void close()
            {
                isClosed[0] = true;
            }
        })
        {
            pipeline.takeInput(in);
            assertFalse(isClosed[0]);
        }
    }
}
