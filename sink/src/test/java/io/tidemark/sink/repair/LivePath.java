package io.tidemark.sink.repair;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

import io.tidemark.operator.EventBatch;
import io.tidemark.operator.Operator;
import io.tidemark.operator.TestEvent;
import io.tidemark.operator.change.ChangeSetDecoder;
import io.tidemark.operator.change.ChangeSetEncoder;
import io.tidemark.operator.change.OutcomePublisher;
import io.tidemark.operator.change.RecordList;
import io.tidemark.operator.change.RowImageDecoder;
import io.tidemark.operator.codec.LateEventDecoder;
import io.tidemark.operator.codec.MessageHeaderDecoder;
import io.tidemark.operator.join.JoinEngine;
import io.tidemark.operator.session.SessionEngine;
import io.tidemark.operator.spec.PipelineSpec;
import io.tidemark.operator.spec.SessionRule;
import io.tidemark.sink.PairRow;
import io.tidemark.sink.ResultRow;
import io.tidemark.sink.RowId;
import io.tidemark.sink.SessionRow;
import io.tidemark.sink.SourceRow;
import io.tidemark.sink.UnmatchedRow;
import io.tidemark.sink.Utf8;
import io.tidemark.sink.candidate.Draft;
import io.tidemark.sink.repair.LatePlan.Planned;
import io.tidemark.sink.repair.build.KeyHistory;
import io.tidemark.sink.repair.build.RawEvent;
import io.tidemark.sink.verify.PlannedInput;
import io.tidemark.store.page.PageStore;

/**
 * The engine on a plan, position by position, with the table that its change-sets and the repairs make. A change-set
 * that does not fit the table fails the test: the live path has touched what was repaired.
 */
final class LivePath implements AutoCloseable
{
    private final PipelineSpec spec;
    private final RecordList changes = new RecordList();
    private final RecordList late = new RecordList();
    private final RecordList rejects = new RecordList();
    private final Operator engine;
    private final EventBatch batch = new EventBatch();
    private final TestEvent encoded = new TestEvent();
    private final PlannedInput input = new PlannedInput();
    private final ChangeSetDecoder decoder = new ChangeSetDecoder();
    private final Map<Utf8, Map<RowId, ResultRow>> tables = new TreeMap<>();
    private final Map<Utf8, List<RawEvent>> events = new TreeMap<>();
    private final Map<Integer, Long> nextIndex = new HashMap<>();
    private final Set<Long> waiting = new HashSet<>();
    private int changesRead;
    private int lateRead;
    private long position;

    LivePath(final PipelineSpec spec, final PageStore store)
    {
        this.spec = spec;
        final ChangeSetEncoder encoder = new ChangeSetEncoder(changes);
        final OutcomePublisher outcomes = new OutcomePublisher(late, rejects);
        engine = spec.rule() instanceof SessionRule ? new SessionEngine(spec, store, encoder, outcomes) :
            new JoinEngine(spec, store, encoder, outcomes);
    }

    void next(final Planned event)
    {
        position++;
        final int source = spec.topology().sourceOf(event.stream(), event.partition());
        final long index = nextIndex.merge(source, 1L, Long::sum) - 1;
        final boolean hasSpan = event.start() != 0 || event.end() != 0;
        encoded.arrival(event.arrival()).time(event.time()).value(event.value()).revision(event.revision())
            .start(hasSpan ? event.start() : null).end(hasSpan ? event.end() : null)
            .kind(event.kind()).key(event.key()).id(event.id());
        final int length = encoded.write();
        batch.clear();
        batch.add(position, source, index, encoded.buffer(), 0, length);
        engine.prepare(batch);
        engine.onEvent(position, source, index, encoded.view());
        input.add(source, index, event.arrival(), event.kind(), event.key(), event.id(), event.revision(),
            event.time(), hasSpan, event.start(), event.end(), event.value());
        assertEquals(0, rejects.size());
        final boolean isLate = readLate();
        if (event.kind() != Planned.WATERMARK)
        {
            events.computeIfAbsent(Utf8.of(event.key()), key -> new ArrayList<>()).add(new RawEvent(
                position, spec.side(event.stream()), event.partition(), index, event.kind() == Planned.RETRACT,
                Utf8.of(event.id()), event.revision(), event.time(), event.start(), event.end(), event.value(),
                isLate));
        }
        while (changesRead < changes.size())
        {
            applyRecord();
        }
    }

    private boolean readLate()
    {
        boolean isLate = false;
        while (lateRead < late.size())
        {
            final LateEventDecoder record = new LateEventDecoder();
            record.wrapAndApplyHeader(late.get(lateRead++), 0, new MessageHeaderDecoder());
            waiting.add(record.position());
            isLate = true;
        }
        return isLate;
    }

    private void applyRecord()
    {
        decoder.wrap(changes.get(changesRead++), 0);
        final Utf8 key = Utf8.of(decoder.key());
        while (decoder.next())
        {
            apply(key, row(key), !decoder.isRetraction());
        }
    }

    private void apply(final Utf8 key, final ResultRow row, final boolean isInsertion)
    {
        final Map<RowId, ResultRow> table = tables.computeIfAbsent(key, any -> new HashMap<>());
        if (isInsertion)
        {
            assertNull(table.put(row.id(), row), () -> "was current: " + row);
        }
        else
        {
            assertEquals(row, table.remove(row.id()));
        }
    }

    private ResultRow row(final Utf8 key)
    {
        return switch (decoder.kind())
        {
            case PAIR -> new PairRow(decoder.rule(), key, image(decoder.left()), image(decoder.right()));
            case UNMATCHED -> new UnmatchedRow(
                decoder.rule(), key, decoder.rowSide(), image(decoder.row()), decoder.isFinal());
            case SESSION -> new SessionRow(decoder.rule(), key, decoder.session().start(), decoder.session().end(),
                decoder.session().count(), decoder.session().sum(), decoder.session().min(),
                decoder.session().max(), decoder.isFinal(), decoder.session().publication());
        };
    }

    private static SourceRow image(final RowImageDecoder row)
    {
        return new SourceRow(
            Utf8.of(row.id()), row.revision(), row.time(), row.value(), row.partition(), row.index());
    }

    /** What a builder is told of a key now. */
    KeyHistory history(final Utf8 key)
    {
        return new KeyHistory(key, List.copyOf(events.getOrDefault(key, List.of())), table(key), waiting);
    }

    Collection<ResultRow> table(final Utf8 key)
    {
        return List.copyOf(tables.getOrDefault(key, Map.of()).values());
    }

    /** Applies a repair and closes its late events. */
    void publish(final Draft draft)
    {
        draft.retractions().forEach(row -> apply(draft.region().key(), row, false));
        draft.insertions().forEach(row -> apply(draft.region().key(), row, true));
        close(draft);
    }

    /** Closes its late events. */
    void close(final Draft draft)
    {
        waiting.removeAll(draft.region().late());
    }

    List<List<String>> complaints(final List<Draft> drafts)
    {
        return input.complaints(spec, drafts, any -> false, this::table);
    }

    Collection<Utf8> keys()
    {
        return events.keySet();
    }

    List<RawEvent> events(final Utf8 key)
    {
        return events.get(key);
    }

    int waiting()
    {
        return waiting.size();
    }

    Operator engine()
    {
        return engine;
    }

    @Override
    public void close()
    {
        for (int slot = 0; slot < engine.slots().count(); slot++)
        {
            engine.slots().drop(slot);
        }
        engine.close();
    }
}
