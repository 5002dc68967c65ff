package io.tidemark.sink;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Stream;

import io.tidemark.ingest.log.CrashPoint;
import io.tidemark.sink.sql.PostgresServer;
import io.tidemark.sink.sql.SqlTables;
import io.tidemark.sink.sql.SqlTarget;
import io.tidemark.sink.view.ViewReader;
import io.tidemark.sink.view.ViewTables;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A process with a sink is halted at each place where something is half done, started again and halted again, and then
 * runs to the end. After each halt the table is that of some change-set, whole; at the end it is that of the last, and
 * each change-set was applied once. A share of the places here; all with {@code -Dtidemark.crashes=all}.
 */
class SinkCrashTest
{
    private static final int SHARE = 7;
    private static final boolean IS_ALL = "all".equals(System.getProperty("tidemark.crashes"));
    private static final List<String> SQL_PLACES = List.of(
        "sql.connected", "sql.tables-made", "sql.tables-there", "sql.before-change-set:1",
        "sql.before-change-set:777", "sql.after-change-set:1500", "sql.rows-kept-as-past:1", "sql.rows-kept-as-past:2",
        "sql.rows-retracted:1", "sql.rows-retracted:3", "sql.rows-inserted:1", "sql.rows-inserted:4",
        "sql.before-progress:1", "sql.before-progress:2", "sql.before-commit:1", "sql.before-commit:2",
        "sql.after-commit:1", "sql.after-commit:2");
    private static final List<String> VIEW_PLACES = List.of(
        "view.files-made", "view.before-change-set:1", "view.before-change-set:900", "view.row-written:1",
        "view.row-written:2000", "view.level-linked:1", "view.level-linked:3000", "view.row-linked:500",
        "view.row-inserted:1000", "view.row-retired:1", "view.row-retired:700", "view.before-published:300",
        "view.published:1", "view.published:1200", "view.row-removed:1", "view.row-unlinked:200",
        "view.memory-reused:1", "view.table-made", "view.table-shown", "view.before-shown", "view.shown");

    @TempDir
    private static Path logs;

    private static List<TreeMap<String, Long>> tables;

    /** One crash of one sink. */
    record Crash(String sink, String at)
    {
        @Override
        public String toString()
        {
            return sink + " at " + at;
        }
    }

    static Stream<Crash> crashes()
    {
        final List<Crash> all = new ArrayList<>();
        SQL_PLACES.forEach(place -> all.add(new Crash("sqlite", place)));
        VIEW_PLACES.forEach(place -> all.add(new Crash("view", place)));
        SQL_PLACES.forEach(place -> all.add(new Crash("postgres", place)));
        return IS_ALL ? all.stream() : Stream.iterate(0, i -> i < all.size(), i -> i + SHARE).map(all::get);
    }

    @BeforeAll
    static void writeChangeLog()
    {
        tables = ChangeLogScript.write(logs, 2_000);
    }

    @Test
    void shouldHaveFortyPlacesToCrashAtAndMore()
    {
        assertTrue(2 * SQL_PLACES.size() + VIEW_PLACES.size() >= 40);
    }

    @ParameterizedTest
    @MethodSource("crashes")
    void shouldApplyEachChangeSetOnceWhateverInstructionItDiesAt(final Crash crash)
        throws IOException, InterruptedException
    {
        final Path directory =
            Files.createDirectory(logs.resolve(crash.sink() + "-" + crash.at().replace(':', '-')));
        for (final String log : List.of("changes", "late"))
        {
            Files.createSymbolicLink(directory.resolve(log), logs.resolve(log));
        }
        final String url = crash.sink().equals("postgres") ? PostgresServer.shared().newDatabase() : "";
        final String[] args = {crash.sink(), directory.toString(), url};

        assertEquals(CrashPoint.EXIT_CODE, SinkChild.run(crash.at(), args), "the place is not reached");
        expectTableOfSomeChangeSet(crash.sink(), directory, url);
        // dies again where it began to make up for it, or after it has committed
        SinkChild.run(crash.sink().equals("view") ? "view.published:1900" : "sql.after-commit:1", args);
        expectTableOfSomeChangeSet(crash.sink(), directory, url);
        assertEquals(0, SinkChild.run(null, args));

        assertEquals(tables.get(tables.size() - 1), read(crash.sink(), directory, url));
    }

    private static void expectTableOfSomeChangeSet(final String sink, final Path directory, final String url)
    {
        final TreeMap<String, Long> found = read(sink, directory, url);
        assertTrue(found == null || tables.contains(found),
            "a table that no change-set leaves: " + found);
    }

    /** Rows by id with the value of their left row; null where there is no table yet. */
    private static TreeMap<String, Long> read(final String sink, final Path directory, final String url)
    {
        final TreeMap<String, Long> rows = new TreeMap<>();
        try (TableSource source = open(sink, directory, url))
        {
            source.forEach(TableSource.Kind.PAIRS, null, row -> add(rows, row.row()));
            source.forEach(TableSource.Kind.UNMATCHED, null, row -> add(rows, row.row()));
            final TreeMap<String, Long> expected = tables.get((int)source.changeNumber() + 1);
            assertEquals(expected, rows, "rows and progress are of one change-set");
            return rows;
        }
        catch (final TableException e)
        {
            return null;
        }
    }

    private static TableSource open(final String sink, final Path directory, final String url)
    {
        return switch (sink)
        {
            case "sqlite" -> SqlTables.open(SqlTarget.sqlite(directory), "test");
            case "postgres" -> SqlTables.open(SqlTarget.postgres(url, "tidemark", null), "test");
            default -> ViewReader.exists(directory) ? ViewTables.open(directory) : null;
        };
    }

    private static void add(final TreeMap<String, Long> rows, final ResultRow row)
    {
        final Long before = row instanceof final PairRow pair ?
            rows.put(pair.key() + " " + pair.left().id() + " " + pair.right().id(), pair.left().value()) :
            rows.put(row.key() + " " + ((UnmatchedRow)row).row().id(), ((UnmatchedRow)row).row().value());
        assertEquals(null, before, "two current rows for one logical result");
    }
}
