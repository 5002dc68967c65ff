package io.tidemark.ops.command;

import java.util.Comparator;
import java.util.List;

import io.tidemark.operator.spec.SessionRule;
import io.tidemark.ops.config.Configuration;
import io.tidemark.sink.CurrentTable;
import io.tidemark.sink.SessionRow;

/**
 * Activity of accounts, put into sessions.
 */
final class SessionSummary extends DemoSummary
{
    private static final String BRIDGED = "account-29";

    private final SessionRule rule;

    SessionSummary(final Console console, final Configuration configuration, final ExpectedAnswer expected)
    {
        super(console, configuration, expected);
        rule = configuration.spec().session();
    }

    @Override
    void headline()
    {
        line("Activity becomes sessions: events of an account belong to one session when neighbours are at most " +
            duration(rule.gapNs()));
        line("apart, though events come out of order, twice and too late, and some join what was two.");
    }

    @Override
    void results(final CurrentTable table)
    {
        final List<SessionRow> sessions = table.sessions().stream().map(row -> (SessionRow)row.row()).toList();
        final long open = sessions.stream().filter(row -> !row.isFinal()).count();
        final long accounts = sessions.stream().map(SessionRow::key).distinct().count();
        fact("Sessions", count(sessions.size()) + " of " + accounts + " accounts; " +
            count(sessions.size() - open) + " are final, " + open + " can still change.");
        final SessionRow longest = sessions.stream().max(Comparator.comparingLong(SessionRow::count)).orElseThrow();
        more("The largest: " + longest.count() + " events of " + longest.key() + " from " + time(longest.start()) +
            " to " + time(longest.end()) + ", sum " + longest.sum() + ".");
        sessions.stream().filter(row -> row.key().toString().equals(BRIDGED)).forEach(row -> more(BRIDGED + " from " +
            time(row.start()) + " to " + time(row.end()) + ": " + row.count() +
            (row.count() == 1 ? " event" : " events") + ", sum " + row.sum() +
            (row.count() == 1 ? "; a second beyond the gap." : "; two sessions and a bridge a gap from both.")));
    }

    @Override
    String tables()
    {
        return "Sessions";
    }

    @Override
    void nextResults(final String program)
    {
        next(program, " export sessions --format csv | head", "the sessions");
        next(program, " export changes --key " + BRIDGED, "how one account's sessions came about");
    }
}
