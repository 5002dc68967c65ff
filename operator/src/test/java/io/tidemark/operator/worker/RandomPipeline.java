package io.tidemark.operator.worker;

import io.tidemark.ingest.event.EventAppender;
import io.tidemark.ingest.event.SourceLogs;
import io.tidemark.ingest.log.Log;
import io.tidemark.ingest.log.LogTailer;
import io.tidemark.operator.spec.PipelineSpec;
import io.tidemark.store.snapshot.CheckpointDirectory;
import io.tidemark.store.snapshot.Manifest;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;

/** A join on real logs and random events, to be stopped anywhere and compared with one that was not. */
final class RandomPipeline
{
    static final List<String> RESULTS =
        List.of(PipelineRuntime.CHANGES, PipelineRuntime.LATE, PipelineRuntime.REJECTS);

    private static final long MAX_PAGES = 10_000;

    private final PipelineFixture fixture;
    private final Random random;
    private CheckpointSettings checkpoints =
        new CheckpointSettings(Long.MAX_VALUE, Long.MAX_VALUE, 3, false, false, "test");
    private int appended;

    RandomPipeline(final Path directory, final long seed)
    {
        fixture = PipelineFixture.in(directory);
        random = new Random(seed);
    }

    /** Of any rule whose topology has three sources. */
    RandomPipeline(final Path directory, final long seed, final PipelineSpec spec)
    {
        fixture = new PipelineFixture(directory, spec);
        random = new Random(seed);
    }

    RandomPipeline checkpoints(final long everyEvents, final int keep)
    {
        checkpoints = new CheckpointSettings(Long.MAX_VALUE, everyEvents, keep, false, false, "test");
        return this;
    }

    RandomPipeline checkpoints(final CheckpointSettings settings)
    {
        checkpoints = settings;
        return this;
    }

    Path directory()
    {
        return fixture.dataDirectory();
    }

    /** Appends events that depend on the seed and on how many there were before, and on nothing else. */
    RandomPipeline append(final int events)
    {
        try (SourceLogs sources = SourceLogs.open(
            directory(), fixture.spec().topology(), () -> 0, () -> 1))
        {
            for (int i = 0; i < events; i++)
            {
                append(sources);
            }
        }
        return this;
    }

    private void append(final SourceLogs sources)
    {
        final EventAppender appender = sources.appender(random.nextInt(3));
        final long time = 10_000 + appended * 20L - random.nextInt(random.nextInt(10) == 0 ? 4_000 : 100);
        if (random.nextInt(20) == 0)
        {
            appender.retract(time);
        }
        else
        {
            appender.upsert(time).value(appended);
        }
        // First all keys, then mostly a few, so that some pages change between two checkpoints and others don't.
        final int keys = appended < 300 || random.nextInt(50) == 0 ? 20 : 3;
        appender.key("k" + random.nextInt(keys)).id("e" + random.nextInt(2_000)).revision(random.nextInt(3))
            .arrival(1 + appended).append();
        appended++;
    }

    RuntimeContext context()
    {
        return fixture.context().checkpoints(checkpoints).operatorFactory(
            new PagedOperatorFactory(directory(), fixture.spec(), MAX_PAGES));
    }

    PipelineRuntime open()
    {
        return PipelineRuntime.open(context());
    }

    /** Runs to the end of the logs and stops in order, with a checkpoint. */
    RecoveryReport runToTheEnd()
    {
        try (PipelineRuntime runtime = open())
        {
            runtime.runUntilCaughtUp();
            runtime.checkpoint();
            return runtime.recovery();
        }
    }

    /** Runs until a position is passed and stops as a process that was killed would. */
    RecoveryReport runUntil(final long position)
    {
        try (PipelineRuntime runtime = open())
        {
            runtime.runUntil(() -> runtime.position() >= position);
            return runtime.recovery();
        }
    }

    /** All results, and the state's digest at the newest checkpoint. */
    List<String> outcome()
    {
        final List<String> outcome = new ArrayList<>();
        for (final String log : RESULTS)
        {
            outcome.addAll(records(log));
        }
        final CheckpointDirectory checkpointDirectory = new CheckpointDirectory(directory());
        final Manifest newest = checkpointDirectory.manifest(checkpointDirectory.positions().get(0));
        outcome.add("position " + newest.position() + " state " + newest.stateDigest());
        return outcome;
    }

    List<String> records(final String name)
    {
        final List<String> records = new ArrayList<>();
        try (Log log = Log.openReadOnly(directory().resolve(name)); LogTailer tailer = log.tailer())
        {
            while (tailer.poll())
            {
                final byte[] record = new byte[tailer.length()];
                tailer.buffer().getBytes(tailer.offset(), record);
                records.add(name + " " + Long.toHexString(tailer.index()) + " " + HexFormat.of().formatHex(record));
            }
        }
        return records;
    }
}
