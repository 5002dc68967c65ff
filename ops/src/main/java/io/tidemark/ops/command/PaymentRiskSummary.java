package io.tidemark.ops.command;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import io.tidemark.operator.spec.JoinRule;
import io.tidemark.ops.config.Configuration;
import io.tidemark.sink.CurrentTable;
import io.tidemark.sink.PairRow;
import io.tidemark.sink.TableRow;
import io.tidemark.sink.UnmatchedRow;

/**
 * The main job: payments and the risk signals around them.
 */
final class PaymentRiskSummary extends DemoSummary
{
    private static final String EDGE_INSIDE = "edge-at-";
    private static final String EDGE = "edge-";

    private final JoinRule rule;

    PaymentRiskSummary(final Console console, final Configuration configuration, final ExpectedAnswer expected)
    {
        super(console, configuration, expected);
        rule = configuration.spec().join();
    }

    @Override
    void headline()
    {
        line("Payments meet risk signals: a payment matches the signals of its merchant from " +
            duration(rule.lookBackNs()) + " before");
        line("it to " + duration(rule.lookAheadNs()) +
            " after it, though events come out of order, twice, corrected, withdrawn and too late.");
    }

    @Override
    void results(final CurrentTable table)
    {
        final List<TableRow> pairs = table.pairs();
        final List<TableRow> unmatched = table.unmatched();
        final Map<String, Long> byKey = new TreeMap<>();
        pairs.forEach(row -> byKey.merge(row.row().key().toString(), 1L, Long::sum));
        final Map.Entry<String, Long> busiest =
            byKey.entrySet().stream().max(Map.Entry.comparingByValue()).orElseThrow();
        fact("Matched", count(pairs.size()) + " pairs of " + byKey.size() + " merchants; " + busiest.getKey() +
            " alone has " + count(busiest.getValue()) + ".");
        final PairRow example = pairs.stream().map(row -> (PairRow)row.row())
            .filter(pair -> pair.right().revision() > 0).findFirst().orElseThrow();
        more("One: " + example.left().id() + " of " + time(example.left().time()) + " with " + example.right().id() +
            " of " + time(example.right().time()) + ", a signal whose correction replaced its pairs.");
        final long inside = byKey.keySet().stream().filter(key -> key.startsWith(EDGE_INSIDE)).count();
        final long outside = unmatched.stream().map(row -> (UnmatchedRow)row.row())
            .filter(row -> row.key().toString().startsWith(EDGE)).count();
        more(inside + " signals exactly on an end of the span match, " + outside +
            " a second outside it do not, whoever came first.");
        fact("Unmatched", count(unmatched.size()) +
            " payments without a signal, which is final: none can come in time any more.");
    }

    @Override
    String tables()
    {
        return "Pairs, unmatched";
    }

    @Override
    void nextResults(final String program)
    {
        next(program, " export pairs --format csv | head", "what matched");
        next(program, " export changes --key merchant-61", "how one merchant's results came about");
    }
}
