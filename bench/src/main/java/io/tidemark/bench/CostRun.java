package io.tidemark.bench;

import io.tidemark.ingest.StreamSpec;
import io.tidemark.ingest.Topology;
import io.tidemark.ingest.codec.EventEncoder;
import io.tidemark.ingest.codec.Kind;
import io.tidemark.ingest.codec.MessageHeaderEncoder;
import io.tidemark.ingest.event.EventKind;
import io.tidemark.ingest.event.EventView;
import io.tidemark.operator.Operator;
import io.tidemark.operator.change.ChangeSetEncoder;
import io.tidemark.operator.change.OutcomePublisher;
import io.tidemark.operator.change.RecordAppender;
import io.tidemark.operator.join.JoinEngine;
import io.tidemark.operator.session.SessionEngine;
import io.tidemark.operator.spec.JoinRule;
import io.tidemark.operator.spec.PipelineSpec;
import io.tidemark.operator.spec.Rule;
import io.tidemark.operator.spec.SessionRule;
import io.tidemark.operator.spec.Unmatched;
import io.tidemark.operator.spec.WatermarkSpec;
import io.tidemark.store.page.PageStore;
import org.agrona.concurrent.UnsafeBuffer;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * The cost of one event as state grows: an operator is filled with rows that all stay, then rows among them, chosen by
 * chance, come, are revised and go. In joins each of these meets one row; in sessions the row that goes splits a
 * session of all rows of its key in two, and that which comes bridges them again. No logs, no batches: every event
 * waits for its own cache misses.
 */
final class CostRun
{
    private static final int SLOTS = 256;
    private static final long MAX_PAGES = 4_000_000;
    private static final int MOST_KEYS = 1_000_000;
    private static final int FEWEST = 1_000;
    private static final int ROUNDS = 20_000;
    private static final long STEP_NS = 1_000;
    private static final long FOREVER_NS = 1L << 60;
    private static final RecordAppender NOWHERE = (record, offset, length) -> {};
    private static final List<String> RULES = List.of("interval-join", "overlap-join", "session");

    private final String rule;
    private final Operator operator;
    private final boolean isSession;
    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private final EventEncoder encoder = new EventEncoder();
    private final UnsafeBuffer memory = new UnsafeBuffer(ByteBuffer.allocateDirect(EventRecord.MAX_LENGTH));
    private final EventView view = new EventView();
    private final byte[] key = new byte[8];
    private final byte[] id = new byte[8];
    private long position;
    private int revision;

    private CostRun(final String rule, final PageStore store, final int rows)
    {
        this.rule = rule;
        isSession = rule.equals("session");
        final ChangeSetEncoder changes = new ChangeSetEncoder(NOWHERE);
        final OutcomePublisher outcomes = new OutcomePublisher(NOWHERE, NOWHERE);
        final Topology topology = Topology.of(isSession ?
            List.of(new StreamSpec("activity", 1)) :
            List.of(new StreamSpec("left", 1), new StreamSpec("right", 1)));
        final PipelineSpec spec =
            new PipelineSpec(topology, 0, rule(rule), WatermarkSpec.DEFAULT, SLOTS, rows + 4L * ROUNDS);
        operator = isSession ?
            new SessionEngine(spec, store, changes, outcomes) : new JoinEngine(spec, store, changes, outcomes);
    }

    /** All rules, rows of one key and keys of one row, in powers of ten up to so many rows. */
    static List<CostFigures> all(final int mostRows, final BenchSettings settings)
    {
        final List<CostFigures> figures = new ArrayList<>();
        for (final String rule : RULES)
        {
            // once for the compiler
            run(rule, FEWEST, 1, settings);
            for (int rows = FEWEST; rows <= mostRows; rows *= 10)
            {
                figures.add(run(rule, rows, 1, settings));
            }
            for (int keys = FEWEST; keys <= Math.min(mostRows, MOST_KEYS); keys *= 10)
            {
                figures.add(run(rule, keys, keys, settings));
            }
        }
        return figures;
    }

    private static CostFigures run(
        final String rule, final int rows, final int keys, final BenchSettings settings)
    {
        settings.progress("cost: " + rule + ", " + rows + " rows of " + keys + " keys");
        try (ScratchDirectory scratch = new ScratchDirectory(settings.directory());
            PageStore store = PageStore.create(scratch.path(), MAX_PAGES))
        {
            final CostRun run = new CostRun(rule, store, rows);
            try (Operator filled = run.operator)
            {
                for (int i = 0; i < rows; i++)
                {
                    run.event(0, EventKind.UPSERT, i % keys, i, time(i / keys));
                }
                final Measure measure = run.measure(rows, keys, new SplittableRandom(settings.seed()));
                return new CostFigures(rule, rows, keys, measure, filled.stateBytes());
            }
        }
    }

    private Measure measure(final int rows, final int keys, final SplittableRandom random)
    {
        final Stopwatch stopwatch = new Stopwatch();
        stopwatch.start();
        for (int i = 0; i < ROUNDS; i++)
        {
            final int row = random.nextInt(rows);
            final int ofKey = row % keys;
            final long timeNs = time(row / keys);
            revision++;
            if (isSession)
            {
                event(0, EventKind.RETRACT, ofKey, row, timeNs);
                revision++;
                event(0, EventKind.UPSERT, ofKey, row, timeNs);
                revision++;
                event(0, EventKind.UPSERT, ofKey, row, timeNs);
            }
            else
            {
                event(1, EventKind.UPSERT, ofKey, row, timeNs);
                revision++;
                event(1, EventKind.UPSERT, ofKey, row, timeNs);
                event(1, EventKind.RETRACT, ofKey, row, timeNs);
            }
        }
        final Measure measure = stopwatch.stop(3L * ROUNDS);
        if (operator.tally().accepted() != operator.tally().events())
        {
            throw new IllegalStateException(rule + ": not every event was accepted");
        }
        return measure;
    }

    private void event(final int source, final int kind, final int ofKey, final int row, final long timeNs)
    {
        put(key, ofKey);
        put(id, row);
        final boolean hasSpan = rule.equals("overlap-join") && kind == EventKind.UPSERT;
        encoder.wrapAndApplyHeader(memory, 0, header)
            .number(0)
            .arrival(timeNs)
            .time(timeNs)
            .start(hasSpan ? timeNs : EventEncoder.startNullValue())
            .end(hasSpan ? timeNs : EventEncoder.endNullValue())
            .value(revision)
            .revision(revision)
            .kind(Kind.get((short)kind))
            .putKey(key, 0, key.length)
            .putId(id, 0, id.length);
        position++;
        operator.onEvent(position, source, position, view.wrap(memory, 0));
    }

    private static long time(final int row)
    {
        return EventFeed.FIRST_ARRIVAL_NS + row * STEP_NS;
    }

    private static void put(final byte[] name, final int number)
    {
        for (int i = 0; i < name.length; i++)
        {
            name[i] = (byte)('a' + ((number >>> (4 * i)) & 15));
        }
    }

    private static Rule rule(final String type)
    {
        return switch (type)
        {
            case "session" -> new SessionRule(1, STEP_NS, true, false, FOREVER_NS, false, 0);
            case "overlap-join" -> join(true, 0, STEP_NS);
            default -> join(false, STEP_NS / 2, 0);
        };
    }

    private static JoinRule join(final boolean overlap, final long reachNs, final long lengthNs)
    {
        return new JoinRule(
            1, overlap, reachNs, reachNs, lengthNs, lengthNs, Unmatched.NONE, true, false, FOREVER_NS, false, 0);
    }
}
