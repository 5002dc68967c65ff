package io.tidemark.operator.oracle;

import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

import io.tidemark.ingest.fixture.Feed;
import io.tidemark.ingest.fixture.FeedEvent;
import io.tidemark.ingest.fixture.FeedEvent.Kind;
import io.tidemark.ingest.fixture.FeedLanguage;
import io.tidemark.ingest.fixture.Settings;
import io.tidemark.operator.oracle.ResultRow.Pair;
import io.tidemark.operator.oracle.ResultRow.Unmatched;

/**
 * What an oracle holds, in the JSON Lines of the expected answers (pairs, unmatched, late, summary), in no
 * particular order.
 */
final class OracleExport
{
    private final Settings settings;
    private final Oracle oracle;
    private final List<FeedEvent> order;

    OracleExport(final Settings settings, final Oracle oracle, final Feed feed)
    {
        this.settings = settings;
        this.oracle = oracle;
        order = feed.events();
    }

    List<String> lines()
    {
        final List<String> lines = new ArrayList<>();
        rows(Pair.class).forEach(pair -> lines.add(line(pair)));
        rows(Unmatched.class).forEach(row -> lines.add(line(row)));
        oracle.late().forEach(late -> lines.add(line(late)));
        lines.add(summary());
        return lines;
    }

    private <T> Stream<T> rows(final Class<T> kind)
    {
        return oracle.table().values().stream().filter(kind::isInstance).map(kind::cast);
    }

    private static String line(final Pair pair)
    {
        return new Json("pairs").text("row_id", pair.rowId()).number("rule", pair.rule()).text("key", pair.key())
            .text("left_id", pair.left().id()).number("left_revision", pair.left().revision())
            .time("left_time", pair.left().time()).number("left_value", pair.left().value())
            .text("right_id", pair.right().id()).number("right_revision", pair.right().revision())
            .time("right_time", pair.right().time()).number("right_value", pair.right().value()).line();
    }

    private static String line(final Unmatched row)
    {
        return new Json("unmatched").text("row_id", row.rowId()).number("rule", row.rule()).text("key", row.key())
            .text("side", row.side() == 0 ? "left" : "right").text("id", row.row().id())
            .number("revision", row.row().revision()).time("time", row.row().time())
            .number("value", row.row().value()).raw("final", row.isFinal()).line();
    }

    private String line(final Outcome.Late late)
    {
        final FeedEvent event = order.get((int)late.position() - 1);
        return new Json("late").number("position", late.position()).text("stream", event.stream())
            .number("partition", event.partition())
            .text("kind", event.kind() == Kind.UPSERT ? "upsert" : event.kind().name().toLowerCase(Locale.ROOT))
            .text("id", event.id()).number("revision", event.revision()).text("key", event.key())
            .time("time", event.time()).time("acceptance_clock", late.acceptanceClock())
            .text("reason", reason(late.reason())).text("due", LocalDate.ofEpochDay(late.dueDay()).toString()).line();
    }

    private static String reason(final Outcome.LateReason reason)
    {
        return switch (reason)
        {
            case BEFORE_CLOCK -> "before the acceptance clock";
            case NOT_OPEN -> "its row is no longer open";
            case MOVED_BEFORE_CLOCK -> "moved to a time before the acceptance clock";
        };
    }

    private String summary()
    {
        final Outcome.Counters counters = oracle.counters();
        final Outcome.Census census = oracle.census();
        final Json json = new Json("summary");
        json.raw("counters", new Json().number("events", counters.events())
            .number("accepted", counters.accepted()).number("duplicates", counters.duplicates())
            .number("conflicts", counters.conflicts()).number("late", counters.late())
            .number("rejected", counters.rejected()).line());
        json.raw("state", new Json().number("open", census.open()).number("ghosts", census.ghosts())
            .number("records", census.records()).number("tombstones", census.tombstones())
            .number("sessions", 0).number("key_clocks", census.keyClocks()).line());
        final Json watermarks = new Json();
        for (final Settings.Stream stream : settings.streams())
        {
            watermarks.raw(stream.name(), clocks(stream));
        }
        return json.raw("watermarks", watermarks.line()).line();
    }

    private String clocks(final Settings.Stream stream)
    {
        final int first = settings.source(stream.name(), 0);
        final int side = settings.sideOf(first);
        final List<String> partitions = new ArrayList<>();
        for (int p = 0; p < stream.partitions(); p++)
        {
            partitions.add(Json.clock(oracle.partitionClock(first + p)));
        }
        return new Json().raw("partitions", "[" + String.join(", ", partitions) + "]")
            .raw("watermark", Json.clock(oracle.watermark(side)))
            .raw("acceptance_clock", settings.keyScope() ? "null" : Json.clock(oracle.acceptance(side))).line();
    }

    /** One object, written field by field. */
    private static final class Json
    {
        private final StringBuilder text = new StringBuilder("{");

        Json()
        {
        }

        Json(final String table)
        {
            text("table", table);
        }

        Json text(final String name, final String value)
        {
            return raw(name, '"' + value.replace("\\", "\\\\").replace("\"", "\\\"") + '"');
        }

        Json number(final String name, final long value)
        {
            return raw(name, value);
        }

        Json time(final String name, final long value)
        {
            return raw(name, clock(value));
        }

        Json raw(final String name, final Object value)
        {
            text.append(text.length() == 1 ? "" : ", ").append('"').append(name).append("\": ").append(value);
            return this;
        }

        String line()
        {
            return text + "}";
        }

        static String clock(final long value)
        {
            return value == OracleTime.MINUS_INFINITY ? "null" :
                value == OracleTime.PLUS_INFINITY ? "\"end\"" : '"' + FeedLanguage.iso(value) + '"';
        }
    }
}
