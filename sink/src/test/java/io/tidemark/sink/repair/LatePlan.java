package io.tidemark.sink.repair;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

import io.tidemark.ingest.StreamSpec;
import io.tidemark.ingest.Topology;
import io.tidemark.operator.spec.JoinRule;
import io.tidemark.operator.spec.PipelineSpec;
import io.tidemark.operator.spec.Rule;
import io.tidemark.operator.spec.SessionRule;
import io.tidemark.operator.spec.Unmatched;
import io.tidemark.operator.spec.WatermarkSpec;

/**
 * From one seed a pipeline and a feed in which much is late: inserts, revisions, retractions and redeliveries of rows
 * that are long gone. All times of a row keep within {@code max_move}, as producers promise, and nothing is invalid.
 */
final class LatePlan
{
    /** An event before it has a place in a log. */
    record Planned(
        int stream, int partition, int kind, String key, String id, int revision, long time, long start, long end,
        long value, long arrival)
    {
        static final int UPSERT = 0;
        static final int RETRACT = 1;
        static final int WATERMARK = 2;
    }

    private static final List<Unmatched> UNMATCHED =
        List.of(Unmatched.NONE, Unmatched.FINAL, Unmatched.PROVISIONAL);
    private static final String[] KEYS = {"k", "m|@", "\u00e9"};

    private final Random random;
    private final PipelineSpec spec;
    private final List<Planned> events = new ArrayList<>();
    private final Map<String, Long> baseTimes = new HashMap<>();
    private long arrival;
    private long now = 1_000;
    private int nextId;

    private LatePlan(final long seed, final boolean ofSessions)
    {
        random = new Random(seed);
        spec = ofSessions ? sessions() : join();
        final int length = 20 + random.nextInt(120);
        while (events.size() < length)
        {
            next();
        }
        for (int stream = 0; stream < spec.topology().streams(); stream++)
        {
            for (int partition = 0; partition < spec.topology().partitions(stream); partition++)
            {
                events.add(new Planned(stream, partition, Planned.WATERMARK, "", "", 0, Long.MAX_VALUE, 0, 0, 0,
                    ++arrival));
            }
        }
        for (int i = random.nextInt(8); i > 0; i--)
        {
            next();
        }
    }

    static LatePlan ofJoin(final long seed)
    {
        return new LatePlan(seed, false);
    }

    static LatePlan ofSessions(final long seed)
    {
        return new LatePlan(seed, true);
    }

    PipelineSpec spec()
    {
        return spec;
    }

    List<Planned> events()
    {
        return events;
    }

    private PipelineSpec join()
    {
        final boolean overlap = random.nextInt(3) == 0;
        final long longest = 1L + random.nextInt(12);
        final JoinRule rule = new JoinRule(
            1, overlap, overlap ? 0 : random.nextInt(12), overlap ? 0 : random.nextInt(6),
            overlap ? longest : 0, overlap ? random.nextInt((int)longest + 1) : 0,
            UNMATCHED.get(random.nextInt(UNMATCHED.size())), random.nextInt(4) > 0, random.nextBoolean(),
            random.nextInt(8), random.nextBoolean(), random.nextInt(6));
        return spec(rule, List.of(
            new StreamSpec("payments", 1 + random.nextInt(2)), new StreamSpec("signals", 1 + random.nextInt(2))),
            random.nextInt(2));
    }

    private PipelineSpec sessions()
    {
        final boolean aggregate = random.nextInt(4) == 0;
        final SessionRule rule = new SessionRule(
            1, random.nextInt(6), random.nextInt(3) > 0, aggregate, random.nextInt(8), false,
            aggregate ? 0 : random.nextInt(6));
        return spec(rule, List.of(new StreamSpec("activity", 1 + random.nextInt(2))), 0);
    }

    private PipelineSpec spec(final Rule rule, final List<StreamSpec> streams, final int leftStream)
    {
        final boolean keyScoped = random.nextInt(4) == 0;
        return new PipelineSpec(Topology.of(streams), leftStream, rule,
            new WatermarkSpec(keyScoped, random.nextInt(3), WatermarkSpec.NEVER, WatermarkSpec.OFF,
                keyScoped ? random.nextInt(15) : 0), 4, 100_000);
    }

    private void next()
    {
        now += random.nextInt(20) == 0 ? 10 + random.nextInt(40) : random.nextInt(3);
        final int kind = events.isEmpty() ? 0 : random.nextInt(10);
        if (kind < 5)
        {
            fresh();
            return;
        }
        final Planned past = events.get(random.nextInt(3) == 0 ? random.nextInt(events.size()) :
            Math.max(0, events.size() - 1 - random.nextInt(12)));
        if (past.kind() == Planned.WATERMARK)
        {
            fresh();
        }
        else if (kind == 5)
        {
            add(past, past.kind(), past.revision(), past.time(), past.value());
        }
        else if (kind == 6)
        {
            add(past, Planned.RETRACT, past.revision() + random.nextInt(2), past.time(), 0);
        }
        else
        {
            add(past, Planned.UPSERT, past.revision() + random.nextInt(3), movedTime(past), random.nextInt(100));
        }
    }

    private void fresh()
    {
        final int stream = random.nextInt(spec.topology().streams());
        final long late = random.nextInt(4) == 0 ? random.nextInt(80) : random.nextInt(6);
        final String id = "e" + nextId++;
        final String key = KEYS[random.nextInt(KEYS.length)];
        final long base = now - late;
        baseTimes.put(stream + key + id, base);
        final Planned empty = new Planned(stream, 0, 0, key, id, 0, base, 0, 0, 0, 0);
        add(empty, Planned.UPSERT, random.nextInt(2), base, random.nextInt(100));
    }

    private long movedTime(final Planned past)
    {
        final long base = baseTimes.get(past.stream() + past.key() + past.id());
        return base + random.nextInt((int)spec.rule().maxMoveNs() + 1);
    }

    private void add(final Planned row, final int kind, final int revision, final long time, final long value)
    {
        long start = 0;
        long end = 0;
        if (spec.rule() instanceof final JoinRule join && join.overlap() && kind == Planned.UPSERT)
        {
            final long before = random.nextInt((int)Math.min(join.maxBeforeNs(), join.maxLengthNs()) + 1);
            start = time - before;
            end = time + random.nextInt((int)(join.maxLengthNs() - before) + 1);
        }
        events.add(new Planned(row.stream(), random.nextInt(spec.topology().partitions(row.stream())), kind,
            row.key(), row.id(), revision, time, start, end, value, ++arrival));
    }
}
