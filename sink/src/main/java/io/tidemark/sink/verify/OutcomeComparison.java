package io.tidemark.sink.verify;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

import io.tidemark.ingest.Topology;
import io.tidemark.sink.LateEntry;
import io.tidemark.sink.RejectEntry;

/**
 * Compares the late log, the reject log and the counters with what there should be.
 */
final class OutcomeComparison
{
    private static final long DAY_NS = 86_400_000_000_000L;

    private final Topology topology;
    private final TreeMap<Long, KeyOutcome.Late> late = new TreeMap<>();
    private final TreeMap<Long, LoggedEvent> rejected = new TreeMap<>();
    private long accepted;
    private long duplicates;
    private long conflicts;

    OutcomeComparison(final Topology topology)
    {
        this.topology = topology;
    }

    void expect(final KeyOutcome outcome)
    {
        accepted += outcome.accepted;
        duplicates += outcome.duplicates;
        conflicts += outcome.conflicts;
        outcome.late.forEach(entry -> late.put(entry.event().position(), entry));
        outcome.rejected.forEach(event -> rejected.put(event.position(), event));
    }

    void expectRejected(final List<LoggedEvent> invalid)
    {
        invalid.forEach(event -> rejected.put(event.position(), event));
    }

    Check compareLate(final List<LateEntry> found)
    {
        final Differences differences = new Differences();
        final TreeMap<Long, KeyOutcome.Late> missing = new TreeMap<>(late);
        for (final LateEntry entry : found)
        {
            final KeyOutcome.Late expected = missing.remove(entry.position());
            if (expected == null)
            {
                differences.add("position " + entry.position() + " is in the late log, but is not late: key " +
                    entry.key() + ", id " + entry.id() + "@" + entry.revision());
            }
            else if (!isSame(expected, entry))
            {
                differences.add("late event at position " + entry.position() + " should be " + expected +
                    ", but the late log has " + entry);
            }
        }
        missing.values().forEach(expected -> differences.add("position " + expected.event().position() +
            " is late (" + expected.reason() + " " + expected.clock() + "), but not in the late log: key " +
            expected.event().key() + ", id " + expected.event().id() + "@" + expected.event().revision()));
        return differences.toCheck("late events", TableComparison.count(late.size(), "event"));
    }

    Check compareRejects(final List<RejectEntry> found)
    {
        final Differences differences = new Differences();
        final TreeMap<Long, LoggedEvent> missing = new TreeMap<>(rejected);
        for (final RejectEntry entry : found)
        {
            if (missing.remove(entry.position()) == null)
            {
                differences.add("position " + entry.position() + " was rejected (" + entry.reason().text() +
                    "), but breaks no rule: key " + entry.key() + ", id " + entry.id());
            }
        }
        missing.values().forEach(event -> differences.add("position " + event.position() +
            " breaks a rule, but was not rejected: key " + event.key() + ", id " + event.id()));
        return differences.toCheck("rejected events", TableComparison.count(rejected.size(), "event"));
    }

    Check compareCounters(final long events, final ReportedCounters reported)
    {
        final ReportedCounters expected = new ReportedCounters(
            events, accepted, duplicates, conflicts, late.size(), rejected.size());
        final Differences differences = new Differences();
        final List<long[]> values = new ArrayList<>();
        values.add(new long[]{expected.events(), reported.events()});
        values.add(new long[]{expected.accepted(), reported.accepted()});
        values.add(new long[]{expected.duplicates(), reported.duplicates()});
        values.add(new long[]{expected.conflicts(), reported.conflicts()});
        values.add(new long[]{expected.late(), reported.late()});
        values.add(new long[]{expected.rejected(), reported.rejected()});
        final List<String> names = List.of("events", "accepted", "duplicates", "conflicts", "late", "rejected");
        for (int i = 0; i < names.size(); i++)
        {
            if (values.get(i)[0] != values.get(i)[1])
            {
                differences.add(names.get(i) + " should be " + values.get(i)[0] + ", but the pipeline counted " +
                    values.get(i)[1]);
            }
        }
        return differences.toCheck("counters", accepted + " accepted, " + duplicates + " duplicates, " +
            late.size() + " late, " + rejected.size() + " rejected");
    }

    private boolean isSame(final KeyOutcome.Late expected, final LateEntry found)
    {
        final LoggedEvent event = expected.event();
        return topology.sourceOf(found.stream(), found.partition()) == event.source() &&
            found.index() == event.index() && found.kind() == event.kind() && found.key().equals(event.key()) &&
            found.id().equals(event.id()) && found.revision() == event.revision() && found.time() == event.time() &&
            found.acceptanceClock() == expected.clock() && found.reason().text().equals(expected.reason()) &&
            found.dueDay() == Math.floorDiv(event.time(), DAY_NS);
    }
}
