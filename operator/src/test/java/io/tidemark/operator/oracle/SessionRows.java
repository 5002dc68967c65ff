package io.tidemark.operator.oracle;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

import io.tidemark.ingest.fixture.Settings;

/** Sessions of one key from its members, by the definition of section 7. */
final class SessionRows
{
    /** Something with a time and a value that belongs to a session. */
    interface Member
    {
        /** Its event time. */
        long time();

        /** Its value. */
        long value();
    }

    private SessionRows()
    {
    }

    /** The members of each session, in order of time. */
    static <T extends Member> List<List<T>> cluster(final Settings settings, final List<T> members)
    {
        final List<T> sorted = new ArrayList<>(members);
        sorted.sort(Comparator.comparingLong(Member::time));
        final List<List<T>> sessions = new ArrayList<>();
        for (final T member : sorted)
        {
            final List<T> last = sessions.isEmpty() ? null : sessions.get(sessions.size() - 1);
            if (last == null || OracleTime.furtherApartThan(
                settings.session().gapNs(), last.get(last.size() - 1).time(), member.time()))
            {
                sessions.add(new ArrayList<>());
            }
            sessions.get(sessions.size() - 1).add(member);
        }
        return sessions;
    }

    /** The row of a session, not published yet. */
    static ResultRow.Session row(final Settings settings, final String key, final List<? extends Member> members)
    {
        return new ResultRow.Session(
            settings.ruleVersion(), key, members.get(0).time(), members.get(members.size() - 1).time(), members.size(),
            members.stream().map(member -> BigInteger.valueOf(member.value())).reduce(BigInteger.ZERO, BigInteger::add),
            members.stream().mapToLong(Member::value).min().getAsLong(),
            members.stream().mapToLong(Member::value).max().getAsLong(), false, 0);
    }
}
