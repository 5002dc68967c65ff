package io.tidemark.operator.join;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

import io.tidemark.ingest.fixture.Feed;
import io.tidemark.ingest.fixture.Settings;
import io.tidemark.ingest.fixture.Settings.Unmatched;

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
                "a promise ends a silent key's clock, and its rows with it",
                Settings.intervalJoin().reach(10, 10).partitions(3, 1).unmatched(Unmatched.FINAL, false, true)
                    .lateness(5).maxMove(10).delay(3).maxAhead(Settings.OFF).keyScope(100_000).build(),
                feed("""
                    signals,0,upsert,e15,0,k,-655,,,2,-580
                    payments,0,upsert,e44,0,k,-631,,,0,-554
                    signals,0,watermark,,0,,-587,,,0,-492
                    """)),
            new KeptFeed(
                "the fallback of one input ends rows of a silent key whose clock is joint",
                Settings.overlapJoin().longest(7, 0).partitions(1, 3).rightFirst(true)
                    .unmatched(Unmatched.FINAL, true, true).lateness(20).joint(true).maxMove(23)
                    .maxAhead(Settings.OFF).keyScope(10).build(),
                feed("""
                    L,0,upsert,e16,0,k,45,45,52,1,53
                    R,0,upsert,e7,0,k,31,31,38,2,71
                    R,0,upsert,e23,0,k,87,87,90,3,112
                    L,0,upsert,e18,2,m,74,74,81,0,122
                    """)),
            new KeptFeed(
                "the fallback ends the row of a silent key",
                Settings.intervalJoin().reach(10, 5).partitions(2, 2).unmatched(Unmatched.FINAL, true, true)
                    .lateness(2).maxMove(Long.MAX_VALUE / 2).maxAhead(Settings.OFF).keyScope(0).build(),
                feed("""
                    payments,1,upsert,e0,2,k,60,,,3,6
                    signals,0,upsert,e2,0,k,7,,,2,93
                    signals,1,upsert,e9,0,a,40,,,2,131
                    signals,0,upsert,e10,0,m,43,,,0,133
                    """)),
            new KeptFeed(
                "the end of one input makes a provisional row of a silent key final",
                Settings.intervalJoin().reach(1, 1).partitions(1, 2).unmatched(Unmatched.PROVISIONAL, true, true)
                    .lateness(7).maxMove(0).maxAhead(Settings.OFF).keyScope(1).build(),
                feed("""
                    payments,0,upsert,e0,1,k,-7,,,2,155
                    payments,0,upsert,e21,0,k,130,,,1,158
                    signals,1,upsert,e9,0,k,150,,,1,194
                    payments,0,watermark,,0,,9223372036854775807,,,0,195
                    """)),
            new KeptFeed(
                "a partition that is active again counts for its keys before its event is judged",
                Settings.intervalJoin().reach(0, Long.MAX_VALUE / 2).partitions(2, 1)
                    .unmatched(Unmatched.PROVISIONAL, true, true).lateness(3).maxMove(3).idleAfter(13)
                    .maxAhead(Settings.OFF).keyScope(20).build(),
                feed("""
                    payments,0,upsert,e70,0,k,77,,,3,493
                    payments,1,upsert,m71,0,k,79,,,1,500
                    payments,0,upsert,e24,0,m,80,,,1,504
                    payments,1,upsert,e58,1,k,44,,,2,524
                    """)),
            new KeptFeed(
                "a row that idleness let expire becomes final although its id comes again at that position",
                Settings.intervalJoin().reach(1, 0).partitions(3, 3).unmatched(Unmatched.FINAL, true, true)
                    .lateness(2).maxMove(2).idleAfter(20).maxAhead(45).build(),
                feed("""
                    payments,1,upsert,e1,1,m,4,,,1,42
                    signals,0,watermark,,0,,32,,,0,45
                    payments,2,upsert,e1,0,m,38,,,2,64
                    """)));
    }

    /** What spans bring about that add up to more than time has. */
    static Stream<KeptFeed> ofLongSpans()
    {
        return Stream.of(
            new KeptFeed(
                "spans that add up to more than time has keep a ghost that starts before the clock less all of time",
                Settings.intervalJoin().reach(4611686018427387903L, 1).partitions(1, 1)
                    .unmatched(Unmatched.PROVISIONAL, true, false).lateness(4611686018427387903L).joint(true)
                    .maxMove(0).idleAfter(Settings.OFF).maxAhead(Settings.OFF).keyScope(2).build(),
                feed("""
                    payments,0,upsert,e9,0,k,25,,,1,39
                    signals,0,upsert,e0,0,k,9223372036854775806,,,0,91
                    signals,0,upsert,e16,0,k,26,,,3,92
                    signals,0,upsert,e2,1,k,-2,,,0,111
                    payments,0,upsert,e29,0,k,9223372036854775806,,,3,139
                    """)),
            new KeptFeed(
                "a row that closes farther behind its start than time has becomes final when its key's clocks close it",
                Settings.intervalJoin().reach(4611686018427387903L, 1).partitions(1, 1)
                    .unmatched(Unmatched.FINAL, true, false).lateness(4611686018427387903L).joint(true)
                    .maxMove(0).idleAfter(Settings.OFF).maxAhead(Settings.OFF).keyScope(1000).build(),
                feed("""
                    payments,0,upsert,e1,0,k,-4611686018427387804,,,1,1
                    payments,0,upsert,e2,0,k,100,,,1,2
                    signals,0,upsert,s1,0,k,100,,,1,3
                    payments,0,upsert,e3,0,k,105,,,1,4
                    signals,0,upsert,s2,0,k,105,,,1,5
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
