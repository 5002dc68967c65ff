package io.tidemark.ops.command;

import java.util.List;

import io.tidemark.ingest.Topology;
import io.tidemark.ops.config.Configuration;
import io.tidemark.sink.PairRow;
import io.tidemark.sink.ResultRow;
import io.tidemark.sink.SessionRow;
import io.tidemark.sink.UnmatchedRow;
import io.tidemark.sink.candidate.Candidate;
import io.tidemark.sink.candidate.RowName;
import io.tidemark.sink.candidate.SourceRange;
import io.tidemark.sink.candidate.Totals;
import io.tidemark.sink.export.RowIdText;
import io.tidemark.sink.export.TimeText;

/**
 * All that a candidate says, for people.
 */
final class CandidateText
{
    private final Configuration configuration;
    private final Console console;
    private final RowIdText rowIds = new RowIdText();

    CandidateText(final Configuration configuration, final Console console)
    {
        this.configuration = configuration;
        this.console = console;
    }

    void show(final Candidate candidate)
    {
        final boolean isJoin = configuration.spec().rule().inputs() == 2;
        console.line("  times        " + TimeText.ofTime(candidate.draft().region().fromTime()) + " to " +
            TimeText.ofTime(candidate.draft().region().toTime()));
        console.line("  rows         " + String.join(", ",
            candidate.draft().region().rows().stream().map(row -> name(row, isJoin)).toList()));
        console.line("  late events  positions " + String.join(", ",
            candidate.draft().region().late().stream().map(String::valueOf).toList()));
        console.line("  as of        position " + candidate.position() + ", acceptance clock" + (isJoin ?
            "s " + TimeText.ofClock(candidate.leftClock()) + " and " + TimeText.ofClock(candidate.rightClock()) :
            " " + TimeText.ofClock(candidate.leftClock())));
        candidate.read().forEach(range -> console.line("  read         " + read(range)));
        console.line("  totals       " + totals(candidate.draft().totals(), isJoin));
        rows("-", candidate.draft().retractions());
        rows("+", candidate.draft().insertions());
        candidate.complaints().forEach(complaint -> console.line("  wrong        " + complaint));
        console.line("  digest       " + candidate.digest());
    }

    private String read(final SourceRange range)
    {
        final Topology topology = configuration.topology();
        final String name = topology.streamName(range.stream()) + "/" + range.partition();
        return range.records() == 0 ? name + ": nothing" : name + ": " + range.records() + " records, indices " +
            range.firstIndex() + " to " + range.lastIndex();
    }

    private static String name(final RowName row, final boolean isJoin)
    {
        return (isJoin ? row.side() == 0 ? "left " : "right " : "") + row.id();
    }

    private static String totals(final Totals totals, final boolean isJoin)
    {
        return isJoin ? totals.pairs() + " pairs, values " + totals.leftSum() + " left and " + totals.rightSum() +
            " right; " + totals.unmatched() + " unmatched, values " + totals.unmatchedSum() :
            totals.sessions() + " sessions of " + totals.members() + " events, values " + totals.sessionSum();
    }

    private void rows(final String sign, final List<ResultRow> rows)
    {
        rows.forEach(row -> console.line("  " + sign + " " + rowIds.of(row) + content(row)));
    }

    private static String content(final ResultRow row)
    {
        if (row instanceof final PairRow pair)
        {
            return "  values " + pair.left().value() + ", " + pair.right().value();
        }
        if (row instanceof final UnmatchedRow alone)
        {
            return "  value " + alone.row().value();
        }
        final SessionRow session = (SessionRow)row;
        return "  to " + TimeText.ofTime(session.end()) + ", " + session.count() + " events, sum " + session.sum();
    }
}
