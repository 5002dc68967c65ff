package io.tidemark.sink;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigInteger;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

import io.tidemark.sink.sql.PostgresServer;
import io.tidemark.sink.sql.SqlTables;
import io.tidemark.sink.sql.SqlTarget;
import io.tidemark.sink.view.ViewTables;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Family E of FAULTS.md as far as it concerns tables, in each of the sinks: what they make of changes that others have
 * made wrong tables of. What changes must come is the matter of the operators' own tests (ChangeFaultsTest,
 * SessionFaultsTest); a halt at any instruction that of SinkCrashTest.
 */
class SinkFaultsTest
{
    private static final long MINUTE = 60_000_000_000L;
    private static final long NOON = 12 * 60 * MINUTE;
    private static final SourceRow P1 = row("P1", 0, NOON, 5);
    private static final SourceRow S1 = row("S1", 0, NOON, 7);

    @TempDir
    private Path directory;
    private String url = "";

    private static SourceRow row(final String id, final int revision, final long time, final long value)
    {
        return new SourceRow(Utf8.of(id), revision, time, value, 0, 1);
    }

    private static SessionRow session(final int fromMinute, final int toMinute, final int count)
    {
        return new SessionRow(7, Utf8.of("k"), NOON + fromMinute * MINUTE, NOON + toMinute * MINUTE, count,
            BigInteger.valueOf(count), 1, 1, false, fromMinute);
    }

    private TableSink open(final String kind)
    {
        url = kind.equals("postgres") && url.isEmpty() ? PostgresServer.shared().newDatabase() : url;
        return SinkChild.sink(kind, directory, url);
    }

    private static void apply(final TableSink sink)
    {
        int idle = 0;
        for (long nowMs = 0; idle < 3; nowMs++)
        {
            idle = sink.work(nowMs) > 0 ? 0 : idle + 1;
            assertEquals("", sink.progress().trouble());
        }
    }

    /** Opens, applies all, closes. */
    private TableSink applied(final String kind)
    {
        try (TableSink sink = open(kind))
        {
            apply(sink);
            return sink;
        }
    }

    private List<String> table(final String kind)
    {
        final List<String> rows = new ArrayList<>();
        try (TableSource source = switch (kind)
        {
            case "sqlite" -> SqlTables.open(SqlTarget.sqlite(directory), "test");
            case "postgres" -> SqlTables.open(SqlTarget.postgres(url, "tidemark", null), "test");
            default -> ViewTables.open(directory);
        })
        {
            source.forEach(TableSource.Kind.PAIRS, null, row -> rows.add(text(row.row())));
            source.forEach(TableSource.Kind.UNMATCHED, null, row -> rows.add(text(row.row())));
            source.forEach(TableSource.Kind.SESSIONS, null, row -> rows.add(text(row.row())));
        }
        Collections.sort(rows);
        return rows;
    }

    private static String text(final ResultRow row)
    {
        if (row instanceof final PairRow pair)
        {
            final SourceRow left = pair.left();
            return pair.key() + " " + left.id() + "r" + left.revision() + "=" + left.value() + " " + pair.right().id();
        }
        if (row instanceof final UnmatchedRow alone)
        {
            return alone.key() + " " + alone.row().id() + "r" + alone.row().revision();
        }
        final SessionRow session = (SessionRow)row;
        return "[" + (session.start() - NOON) / MINUTE + "," + (session.end() - NOON) / MINUTE + "]#" + session.count();
    }

    @ParameterizedTest
    @ValueSource(strings = {"sqlite", "postgres", "view"})
    void shouldMoveRowsFromKeyToKeyInWhateverBatchesTheyCome26(final String kind)
    {
        try (ChangeLogFixture log = new ChangeLogFixture(directory))
        {
            for (int i = 1; i <= 5; i++)
            {
                log.begin(i, i, 0, "k" + i).after(row("P" + i, 0, NOON, i)).insertPair(S1).commit();
            }
            for (int i = 1; i <= 5; i++)
            {
                log.begin(10 + 2 * i, i, 0, "k" + i).before(row("P" + i, 0, NOON, i)).retractPair(S1).commit();
                log.begin(11 + 2 * i, i + 1, 0, "k" + (i + 1)).after(row("P" + i, 1, NOON, i)).insertPair(S1).commit();
            }
            applied(kind);
            assertEquals(
                List.of("k2 P1r1=1 S1", "k3 P2r1=2 S1", "k4 P3r1=3 S1", "k5 P4r1=4 S1", "k6 P5r1=5 S1"), table(kind));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"sqlite", "postgres", "view"})
    void shouldHeedALoneRetraction27(final String kind)
    {
        try (ChangeLogFixture log = new ChangeLogFixture(directory); TableSink sink = open(kind))
        {
            log.begin(1, 3, 0, "k").after(P1).insertPair(S1).commit();
            apply(sink);
            assertEquals(List.of("k P1r0=5 S1"), table(kind));
            log.begin(2, 3, 0, "k").before(P1).retractPair(S1).commit();
            apply(sink);
            assertEquals(List.of(), table(kind));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"sqlite", "postgres", "view"})
    void shouldStopAtARetractionThatDoesNotRepeatItsRow28(final String kind)
    {
        try (ChangeLogFixture log = new ChangeLogFixture(directory); TableSink sink = open(kind))
        {
            log.begin(1, 3, 0, "k").after(P1).insertPair(S1).commit();
            apply(sink);
            log.begin(2, 3, 0, "k").before(row("P1", 0, NOON, 6)).retractPair(S1).commit();
            final TableException e = assertThrows(TableException.class, () -> apply(sink));
            assertTrue(e.getMessage().contains("has other content"), e.getMessage());
            assertEquals(List.of("k P1r0=5 S1"), table(kind));
        }
    }

    /** What is unmatched appears once, when it is said to be, and leaves nothing behind. */
    @ParameterizedTest
    @ValueSource(strings = {"sqlite", "postgres", "view"})
    void shouldHoldOneUnmatchedRowOrNone29And30(final String kind)
    {
        try (ChangeLogFixture log = new ChangeLogFixture(directory); TableSink sink = open(kind))
        {
            log.begin(1, 3, 0, "k").insertUnmatched(0, false, P1).commit();
            apply(sink);
            assertEquals(List.of("k P1r0"), table(kind));
            log.begin(2, 3, 0, "k").retractUnmatched(0, false, P1).commit();
            apply(sink);
            assertEquals(List.of(), table(kind));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"sqlite", "postgres", "view"})
    void shouldMakeOneSessionOfTwoInOneStep31(final String kind)
    {
        try (ChangeLogFixture log = new ChangeLogFixture(directory); TableSink sink = open(kind))
        {
            log.beginSessions(1, 3, 0, "k").insert(session(0, 2, 2)).commit();
            log.beginSessions(2, 3, 0, "k").insert(session(20, 21, 2)).commit();
            apply(sink);
            assertEquals(List.of("[0,2]#2", "[20,21]#2"), table(kind));
            log.beginSessions(3, 3, 0, "k").retract(session(0, 2, 2)).retract(session(20, 21, 2))
                .insert(session(0, 21, 5)).commit();
            apply(sink);
            assertEquals(List.of("[0,21]#5"), table(kind));
        }
    }

    /** The sink dies with its commit and never learns of it; the log also brings the change-set a second time. */
    @ParameterizedTest
    @ValueSource(strings = {"sqlite", "postgres", "view"})
    void shouldApplyOnceWhatItHasCommittedAndNotHeardOf32(final String kind)
    {
        try (ChangeLogFixture log = new ChangeLogFixture(directory))
        {
            for (int position = 1; position <= 42; position++)
            {
                log.begin(position, 3, 0, "k").after(row("P" + position, 0, NOON, 5)).insertPair(S1).commit();
            }
            applied(kind);
            final List<String> before = table(kind);
            assertEquals(42, before.size());

            log.begin(42, 3, 0, "k").after(row("P42", 0, NOON, 5)).insertPair(S1).commit();
            final TableSink again = applied(kind);
            assertEquals(before, table(kind));
            assertEquals(1, again.progress().skipped());
            log.begin(43, 3, 0, "k").after(row("P43", 0, NOON, 5)).insertPair(S1).commit();
            applied(kind);
            assertEquals(43, table(kind).size());

            log.begin(43, 3, 0, "k").after(row("P43", 0, NOON, 6)).insertPair(S1).commit();
            final TableException e = assertThrows(TableException.class, () -> applied(kind));
            assertTrue(e.getMessage().contains("has been applied with other bytes"), e.getMessage());
            assertEquals(43, table(kind).size());
        }
    }
}
