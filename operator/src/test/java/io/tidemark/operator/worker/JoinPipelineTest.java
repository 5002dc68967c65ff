package io.tidemark.operator.worker;

import io.tidemark.ingest.event.EventAppender;
import io.tidemark.ingest.event.SourceLogs;
import io.tidemark.ingest.log.Log;
import io.tidemark.ingest.log.LogTailer;
import io.tidemark.operator.change.ChangeSetDecoder;
import io.tidemark.operator.change.RowIds;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import static io.tidemark.operator.worker.PipelineFixture.PAYMENTS_0;
import static io.tidemark.operator.worker.PipelineFixture.PAYMENTS_1;
import static io.tidemark.operator.worker.PipelineFixture.SIGNALS;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The join on real logs, from source logs to change log. */
class JoinPipelineTest
{
    private static final long MAX_PAGES = 10_000;

    @TempDir
    Path directory;

    @Test
    void shouldPairAPaymentWithItsSignalAndPublishTheUnmatchedAtTheEndOfInput()
    {
        final PipelineFixture pipeline = PipelineFixture.in(directory);
        try (SourceLogs sources = sources(pipeline))
        {
            sources.appender(PAYMENTS_0).upsert(5_000).key("k").id("P1").arrival(1).append();
            sources.appender(PAYMENTS_1).upsert(5_100).key("k").id("P2").revision(3).arrival(2).append();
            sources.appender(SIGNALS).upsert(6_000).key("k").id("S1").arrival(3).append();
            sources.appender(SIGNALS).upsert(6_100).key("k").id("S2").arrival(4).append();
            sources.appender(PAYMENTS_0).retract(5_000).key("k").id("P1").revision(1).arrival(5).append();
            sources.appender(PAYMENTS_0).upsert(5_200).key("m").id("P|3").arrival(6).append();
        }
        try (PipelineRuntime runtime = open(pipeline))
        {
            runtime.runUntilCaughtUp();
            runtime.endOfInput();
            runtime.runUntilCaughtUp();
            assertEquals(0, runtime.operator().rows());
        }
        assertEquals(List.of(
            "3 + pair|1|k|P1@0|S1@0",
            "3 + pair|1|k|P2@3|S1@0",
            "4 + pair|1|k|P2@3|S2@0",
            "5 - pair|1|k|P1@0|S1@0",
            "9 + unmatched|1|m|left|P%7C3@0"), changes());
    }

    @Test
    void shouldWriteTheSameBytesWhereverItIsStopped(@TempDir final Path undisturbedDirectory)
    {
        final PipelineFixture undisturbed = PipelineFixture.in(undisturbedDirectory);
        appendRandomEvents(undisturbed);
        try (PipelineRuntime runtime = open(undisturbed))
        {
            runtime.runUntilCaughtUp();
        }
        final PipelineFixture pipeline = PipelineFixture.in(directory);
        appendRandomEvents(pipeline);
        for (final long stop : new long[]{1, 300, 1_500, 2_900})
        {
            try (PipelineRuntime runtime = open(pipeline))
            {
                runtime.runUntil(() -> runtime.position() >= stop);
            }
        }
        try (PipelineRuntime runtime = open(pipeline))
        {
            runtime.runUntilCaughtUp();
        }
        for (final String log : List.of(PipelineRuntime.CHANGES, PipelineRuntime.LATE, PipelineRuntime.REJECTS))
        {
            final List<byte[]> expected = records(undisturbedDirectory.resolve(log));
            final List<byte[]> actual = records(directory.resolve(log));
            assertEquals(expected.size(), actual.size(), log);
            for (int i = 0; i < expected.size(); i++)
            {
                assertArrayEquals(expected.get(i), actual.get(i), log + " " + i);
            }
        }
        assertTrue(records(directory.resolve(PipelineRuntime.CHANGES)).size() > 1_000);
        assertTrue(records(directory.resolve(PipelineRuntime.LATE)).size() > 10);
    }

    private static void appendRandomEvents(final PipelineFixture pipeline)
    {
        final Random random = new Random(11);
        try (SourceLogs sources = sources(pipeline))
        {
            for (int i = 0; i < 3_000; i++)
            {
                final EventAppender appender = sources.appender(random.nextInt(3));
                final long time = 10_000 + i * 20L - random.nextInt(random.nextInt(10) == 0 ? 4_000 : 100);
                if (random.nextInt(20) == 0)
                {
                    appender.retract(time);
                }
                else
                {
                    appender.upsert(time).value(i);
                }
                appender.key("k" + random.nextInt(20)).id("e" + random.nextInt(2_000)).revision(random.nextInt(3))
                    .arrival(1 + i).append();
            }
        }
    }

    private static SourceLogs sources(final PipelineFixture pipeline)
    {
        return SourceLogs.open(pipeline.dataDirectory(), pipeline.spec().topology());
    }

    private static PipelineRuntime open(final PipelineFixture pipeline)
    {
        return PipelineRuntime.open(pipeline.context().operatorFactory(
            new PagedOperatorFactory(pipeline.dataDirectory(), pipeline.spec(), MAX_PAGES)));
    }

    private List<String> changes()
    {
        final List<String> changes = new ArrayList<>();
        final ChangeSetDecoder decoder = new ChangeSetDecoder();
        final UnsafeBuffer rowId = new UnsafeBuffer(new byte[RowIds.MAX_LENGTH]);
        for (final byte[] record : records(directory.resolve(PipelineRuntime.CHANGES)))
        {
            decoder.wrap(new UnsafeBuffer(record), 0);
            while (decoder.next())
            {
                changes.add(decoder.position() + (decoder.isRetraction() ? " - " : " + ") +
                    rowId.getStringWithoutLengthUtf8(0, decoder.putRowId(rowId, 0)));
            }
        }
        return changes;
    }

    private static List<byte[]> records(final Path directory)
    {
        final List<byte[]> records = new ArrayList<>();
        try (Log log = Log.openReadOnly(directory); LogTailer tailer = log.tailer())
        {
            while (tailer.poll())
            {
                final byte[] record = new byte[tailer.length()];
                tailer.buffer().getBytes(tailer.offset(), record);
                records.add(record);
            }
        }
        return records;
    }
}
