package io.tidemark.ops.command;

import java.util.List;
import java.util.stream.Collectors;

import io.tidemark.operator.spec.JoinRule;
import io.tidemark.ops.config.Configuration;
import io.tidemark.sink.CurrentTable;
import io.tidemark.sink.PairRow;
import io.tidemark.sink.TableRow;

/**
 * Rows of two streams whose intervals overlap, in rounds of some nanoseconds.
 */
final class OverlapSummary extends DemoSummary
{
    private final JoinRule rule;

    OverlapSummary(final Console console, final Configuration configuration, final ExpectedAnswer expected)
    {
        super(console, configuration, expected);
        rule = configuration.spec().join();
    }

    @Override
    void headline()
    {
        line("Rows of two streams meet whose intervals overlap, ends included, and whose keys are equal. None is");
        line("longer than " + rule.maxLengthNs() + " ns, so none is kept for long; some are withdrawn, one too late.");
    }

    @Override
    void results(final CurrentTable table)
    {
        final List<TableRow> pairs = table.pairs();
        final long keys = pairs.stream().map(row -> row.row().key()).distinct().count();
        fact("Matched", count(pairs.size()) + " pairs of " + keys + " keys, that stand.");
        final PairRow example = (PairRow)pairs.get(pairs.size() - 1).row();
        more("One: " + example.left().id() + " of " + time(example.left().time()) + " with " + example.right().id() +
            " of " + time(example.right().time()) + ".");
        more("Keys: " + pairs.stream().map(row -> row.row().key().toString()).distinct().sorted().limit(8)
            .collect(Collectors.joining(", ")) + ".");
    }

    @Override
    String tables()
    {
        return "Pairs";
    }

    @Override
    void nextResults(final String program)
    {
        next(program, " export pairs --format csv | head", "what matched");
        next(program, " export changes --key u2", "how one key's results came about");
    }
}
