package io.tidemark.ops.config;

import java.util.List;
import java.util.Locale;

import io.tidemark.sink.sql.SqlTarget;

import io.tidemark.operator.worker.CheckpointSettings;

/**
 * Settings that decide how a pipeline runs, not what it computes. Those of checkpoints, repair and sinks are checked
 * here already, so that a file is right or wrong today as it will be when they are used.
 *
 * @param maxRows         the guard of {@code state.max_rows}.
 * @param sink            where results are kept for others to read.
 * @param unsafeRetentionNs {@code retention.unsafe_override}, or {@link #SAFE}.
 * @param repairHorizonNs how far back from the largest time late events can be repaired.
 * @param checkpoints     when they are taken, and how.
 */
record OperatingSettings(
    long maxRows, SinkSettings sink, long unsafeRetentionNs, long repairHorizonNs, CheckpointSettings checkpoints)
{
    /** Retention is what the rule needs. */
    static final long SAFE = -1;

    private static final long DEFAULT_REPAIR_HORIZON_NS = 30 * 86_400_000_000_000L;

    static OperatingSettings read(final Section root, final long defaultMaxRows)
    {
        final CheckpointSettings checkpoints = checkpoint(root.section("checkpoint"));
        final Section state = root.section("state");
        final long maxRows = state.number("max_rows", defaultMaxRows, 1, Long.MAX_VALUE);
        state.finish();
        final Section repair = root.section("repair");
        final long repairHorizonNs = repair.duration("horizon", DEFAULT_REPAIR_HORIZON_NS);
        repair.finish();
        final SinkSettings sink = sink(root.section("sink"));
        final Section retention = root.section("retention");
        final long unsafeRetentionNs = retention.duration("unsafe_override", SAFE);
        retention.finish();
        return new OperatingSettings(maxRows, sink, unsafeRetentionNs, repairHorizonNs, checkpoints);
    }

    /** How results are decided is filled in when it is known. */
    private static CheckpointSettings checkpoint(final Section checkpoint)
    {
        final long everyNs = checkpoint.duration("every", 10_000_000_000L);
        if (everyNs < 1)
        {
            throw checkpoint.error("every", "must be more than 0s, like 10s");
        }
        final long everyEvents = checkpoint.number("every_events", 1_000_000, 1, Long.MAX_VALUE);
        final int keep = (int)checkpoint.number("keep", 3, 1, 1_000_000);
        final boolean syncs =
            checkpoint.choice("durability", "process", List.of("process", "power")).equals("power");
        checkpoint.finish();
        return new CheckpointSettings(everyNs, everyEvents, keep, syncs, true, "");
    }

    private static SinkSettings sink(final Section sink)
    {
        final String type = sink.choice("type", "sqlite", List.of("view", "sqlite", "postgres"));
        final boolean isPostgres = type.equals("postgres");
        for (final String setting : List.of("url", "user", "password_env"))
        {
            if (!isPostgres)
            {
                sink.refuse(setting, "belongs to 'type: postgres'; this sink is of type " + type);
            }
        }
        final SinkSettings settings = new SinkSettings(
            SinkSettings.Type.valueOf(type.toUpperCase(Locale.ROOT)), sink.text("url", null), sink.text("user", null),
            sink.text("password_env", null));
        if (isPostgres)
        {
            sink.require("url", "a postgres sink needs the address of its database");
            try
            {
                SqlTarget.postgres(settings.url(), settings.user(), settings.passwordEnv());
            }
            catch (final IllegalArgumentException e)
            {
                throw sink.error("url", e.getMessage());
            }
        }
        sink.finish();
        return settings;
    }
}
