package io.tidemark.operator.join;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

import io.tidemark.ingest.fixture.Feed;
import io.tidemark.ingest.fixture.Settings;

/**
 * Feeds on which the engine and the oracle once differed, shrunk: seeds would lose their meaning whenever the
 * generator changes. {@link JoinAgainstOracleTest} prints new ones ready to be put here, at the end of the list.
 */
final class KeptFeeds
{
    /**
     * A feed that once failed.
     *
     * @param name     what was wrong.
     * @param settings under which.
     * @param feed     the feed.
     */
    record KeptFeed(String name, Settings settings, Feed feed)
    {
        @Override
        public String toString()
        {
            return name;
        }
    }

    private static final String HEADER = "stream,partition,kind,id,revision,key,time,start,end,value,arrival\n";

    private KeptFeeds()
    {
    }

    static Stream<KeptFeed> all()
    {
        return Stream.of(
            new KeptFeed(
                "two rows that meet",
                Settings.intervalJoin().reach(7, 3).lateness(3).build(),
                feed("""
                    payments,0,upsert,P1,0,k,10,,,0,100
                    signals,0,upsert,S1,0,k,3,,,0,101
                    """)));
    }

    /** The code that belongs into {@link #all()}. */
    static String code(final String name, final Settings settings, final Feed feed)
    {
        final StringBuilder code = new StringBuilder("            new KeptFeed(\n                \"" + name + "\",\n");
        code.append("                ").append(code(settings)).append(",\n                feed(\"\"\"\n");
        feed.toCsv().substring(HEADER.length()).lines().forEach(
            line -> code.append("                    ").append(escaped(line)).append('\n'));
        return code.append("                    \"\"\"))\n").toString();
    }

    private static String code(final Settings settings)
    {
        final List<Settings.Stream> streams = settings.streams();
        final boolean rightFirst = !streams.get(0).name().equals(settings.left());
        return (settings.overlap() ?
            "Settings.overlapJoin().longest(" + l(settings.maxLengthNs()) + ", " + l(settings.maxBeforeNs()) :
            "Settings.intervalJoin().reach(" + l(settings.lookBackNs()) + ", " + l(settings.lookAheadNs())) +
            ")\n                    .ruleVersion(" + settings.ruleVersion() + ").partitions(" +
            streams.get(rightFirst ? 1 : 0).partitions() + ", " + streams.get(rightFirst ? 0 : 1).partitions() +
            ").rightFirst(" + rightFirst + ")" +
            "\n                    .unmatched(Unmatched." + settings.unmatched().name().toUpperCase(Locale.ROOT) +
            ", " + settings.unmatchedLeft() + ", " + settings.unmatchedRight() + ")" +
            "\n                    .lateness(" + l(settings.latenessNs()) + ").joint(" + settings.joint() +
            ").maxMove(" + l(settings.maxMoveNs()) + ").delay(" + l(settings.delayNs()) + ")" +
            "\n                    .idleAfter(" + l(settings.idleAfterNs()) + ").maxAhead(" +
            l(settings.maxAheadNs()) + ")" +
            (settings.keyScope() ? ".keyScope(" + l(settings.keySkewNs()) + ")" : "") + ".build()";
    }

    private static String escaped(final String line)
    {
        final StringBuilder escaped = new StringBuilder();
        line.chars().forEach(c -> escaped.append(
            c == '\\' ? "\\\\" : c < ' ' || c > '~' ? String.format("\\u%04x", c) : Character.toString(c)));
        return escaped.toString();
    }

    private static String l(final long value)
    {
        return value + "L";
    }

    private static Feed feed(final String rows)
    {
        return Feed.parseCsv(HEADER + rows);
    }
}
