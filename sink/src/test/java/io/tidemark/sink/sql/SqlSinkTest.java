package io.tidemark.sink.sql;

import static io.tidemark.sink.sql.SqlFixture.row;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;

import io.tidemark.sink.ChangeLogFixture;
import io.tidemark.sink.PairRow;
import io.tidemark.sink.SourceRow;
import io.tidemark.sink.TableException;
import io.tidemark.sink.TableSource;
import io.tidemark.sink.UnmatchedRow;
import io.tidemark.sink.Utf8;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SqlSinkTest
{
    private static final SourceRow P1 = row("P1", 0, 1_000, 5);
    private static final SourceRow S1 = row("S1", 0, 1_001, 6);
    private static final SourceRow S2 = row("S2", 0, 1_002, 7);

    @TempDir
    private Path directory;

    @ParameterizedTest
    @EnumSource(Database.class)
    void shouldHoldWhatIsCurrentAndWhatWas(final Database database)
    {
        try (SqlFixture sql = new SqlFixture(database, directory);
            ChangeLogFixture log = new ChangeLogFixture(directory))
        {
            log.begin(1, 3, 0, "k").after(P1).insertPair(S1).commit();
            log.begin(2, 3, 0, "k").before(P1).after(row("P1", 1, 1_000, 9)).retractPair(S1)
                .insertPair(S1).insertPair(S2).commit();
            log.begin(3, 5, 1, "z").insertUnmatched(0, true, row("P9", 0, -1, 2)).commit();
            sql.applied();

            final SourceRow revised = row("P1", 1, 1_000, 9);
            assertEquals(
                List.of(new PairRow(7, Utf8.of("k"), revised, S1), new PairRow(7, Utf8.of("k"), revised, S2)),
                sql.rows(TableSource.Kind.PAIRS));
            assertEquals(List.of(new UnmatchedRow(7, Utf8.of("z"), 0, row("P9", 0, -1, 2), true)),
                sql.rows(TableSource.Kind.UNMATCHED));
            assertEquals(
                List.of("pair|7|k|P1@0|S1@0 pairs 1 2", "pair|7|k|P1@1|S1@0 pairs 2 null",
                    "pair|7|k|P1@1|S2@0 pairs 2 null", "unmatched|7|z|left|P9@0 unmatched 3 null"),
                sql.query("SELECT row_id, kind, inserted_position, retracted_position FROM history " +
                    "ORDER BY row_id, inserted_position"));
            assertEquals(List.of("1969-12-31T23:59:59.999999999Z"), sql.query("SELECT time FROM unmatched_iso"));
            assertEquals(List.of("1970-01-01T00:00:00.000001000Z"),
                sql.query("SELECT DISTINCT left_time FROM pairs_iso"));
            assertEquals(List.of("3 2 0 1", "5 3 1 1"),
                sql.query("SELECT slot, position, ordinal, epoch FROM progress ORDER BY slot"));
            assertEquals(List.of("1 7 1"), sql.query("SELECT generation, rule, first_position FROM generations"));
        }
    }

    @ParameterizedTest
    @EnumSource(Database.class)
    void shouldGoOnWhereItWasWhenItStartsAgain(final Database database)
    {
        try (SqlFixture sql = new SqlFixture(database, directory);
            ChangeLogFixture log = new ChangeLogFixture(directory))
        {
            log.begin(1, 3, 0, "k").after(P1).insertPair(S1).commit();
            sql.applied();
            log.begin(2, 3, 0, "k").before(P1).retractPair(S1).commit();
            log.begin(4, 3, 0, "k").after(P1).insertPair(S1).commit();
            sql.restart().applied().restart().applied();

            assertEquals(1, sql.rows(TableSource.Kind.PAIRS).size());
            assertEquals(List.of("1 2", "4 null"), sql.query(
                "SELECT inserted_position, retracted_position FROM history ORDER BY inserted_position"));
            assertEquals(2, sql.sink.progress().changeNumber());
        }
    }

    @ParameterizedTest
    @EnumSource(Database.class)
    void shouldApplyManyChangesOfOneRowIdInOneTransactionInTheirOrder(final Database database)
    {
        try (SqlFixture sql = new SqlFixture(database, directory);
            ChangeLogFixture log = new ChangeLogFixture(directory))
        {
            for (int i = 0; i < 40; i += 2)
            {
                log.begin(1 + i, 3, 0, "k").after(P1).insertPair(S1).commit();
                log.begin(2 + i, 3, 0, "k").before(P1).retractPair(S1).commit();
            }
            log.begin(100, 3, 0, "k").after(P1).insertPair(S1).commit();
            sql.applied();

            assertEquals(1, sql.rows(TableSource.Kind.PAIRS).size());
            assertEquals(List.of("20"), sql.query("SELECT count(*) FROM pairs_past"));
        }
    }

    @ParameterizedTest
    @EnumSource(Database.class)
    void shouldKeepTheExactPastOfRowsThatComeAndGoWithinOneTransaction(final Database database)
    {
        try (SqlFixture sql = new SqlFixture(database, directory);
            ChangeLogFixture log = new ChangeLogFixture(directory))
        {
            final SourceRow x = row("X", 0, 1, 5);
            log.begin(1, 3, 0, "k").insertUnmatched(0, false, x).commit();
            sql.applied();
            log.begin(2, 3, 0, "k").retractUnmatched(0, false, x).insertUnmatched(0, false, row("Y", 0, 2, 6)).commit();
            log.begin(3, 3, 0, "k").retractUnmatched(0, false, row("Y", 0, 2, 6)).insertUnmatched(0, true, x).commit();
            log.begin(4, 3, 0, "k").retractUnmatched(0, true, x).insertUnmatched(0, false, row("X", 0, 9, 9)).commit();
            sql.applied();

            assertEquals(List.of("X 9 9"), sql.query("SELECT id, time, value FROM unmatched"));
            assertEquals(List.of("1 X 5 2", "2 Y 6 3", "3 X 5 4", "4 X 9 null"), sql.query(
                "SELECT position, id, value, retracted_position FROM unmatched_history ORDER BY position"));
            for (int position = 1; position <= 4; position++)
            {
                assertEquals(List.of("1"), sql.query("SELECT count(*) FROM unmatched_history WHERE position <= " +
                    position + " AND (retracted_position IS NULL OR retracted_position > " + position + ")"));
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Database.class)
    void shouldSayThatARowIsRetractedTwiceOrWithOtherContentWithinOneTransaction(final Database database)
    {
        try (SqlFixture sql = new SqlFixture(database, directory);
            ChangeLogFixture log = new ChangeLogFixture(directory))
        {
            final SourceRow x = row("X", 0, 1, 5);
            log.begin(1, 3, 0, "k").insertUnmatched(0, false, x).commit();
            sql.applied();
            log.begin(2, 3, 0, "k").retractUnmatched(0, false, x).commit();
            log.begin(3, 3, 0, "k").retractUnmatched(0, false, x).commit();
            final TableException e = assertThrows(TableException.class, sql::applied);
            assertTrue(e.getMessage().contains("(3, 3, 0) retracts unmatched|7|k|left|X@0, which is not current"),
                e.getMessage());
            sql.restart();
            assertEquals(List.of("X 5"), sql.query("SELECT id, value FROM unmatched"), "nothing was written");
        }
        try (SqlFixture sql = new SqlFixture(database, directory.resolve("other"));
            ChangeLogFixture log = new ChangeLogFixture(directory.resolve("other")))
        {
            log.begin(1, 3, 0, "k").insertUnmatched(0, false, row("X", 0, 1, 5)).commit();
            log.begin(2, 3, 0, "k").retractUnmatched(0, false, row("X", 0, 1, 6)).commit();
            final TableException e = assertThrows(TableException.class, sql::applied);
            assertTrue(e.getMessage().contains("has other content: time 1, value 5"), e.getMessage());
        }
    }

    @ParameterizedTest
    @EnumSource(Database.class)
    void shouldMoveRowsFromKeyToKeyInOneBatch(final Database database)
    {
        // FAULTS.md 26: inserts of a batch before its deletes, or kind by kind, would leave only k6.
        try (SqlFixture sql = new SqlFixture(database, directory);
            ChangeLogFixture log = new ChangeLogFixture(directory))
        {
            for (int i = 1; i <= 5; i++)
            {
                log.begin(i, i, 0, "k" + i).insertUnmatched(0, false, row("P" + i, 0, i, i)).commit();
            }
            for (int i = 1; i <= 5; i++)
            {
                log.begin(10 + i, i, 0, "k" + i).retractUnmatched(0, false, row("P" + i, 0, i, i)).commit();
                log.begin(10 + i, i + 1, 1, "k" + (i + 1)).insertUnmatched(0, false, row("P" + i, 1, i, i)).commit();
            }
            sql.applied();

            assertEquals(List.of("k2 P1", "k3 P2", "k4 P3", "k5 P4", "k6 P5"),
                sql.query("SELECT key, id FROM unmatched ORDER BY key"));
        }
    }

    @ParameterizedTest
    @EnumSource(Database.class)
    void shouldSkipWhatItHasAppliedAndRefuseAnOldOwner(final Database database)
    {
        try (SqlFixture sql = new SqlFixture(database, directory);
            ChangeLogFixture log = new ChangeLogFixture(directory))
        {
            log.epoch(2).begin(5, 3, 0, "k").after(P1).insertPair(S1).commit();
            log.epoch(2).begin(4, 3, 0, "k").after(P1).insertPair(S2).commit();
            log.epoch(1).begin(6, 3, 0, "k").before(P1).retractPair(S1).commit();
            log.epoch(1).begin(6, 4, 0, "other").after(P1).insertPair(S2).commit();
            sql.applied();

            assertEquals(List.of("k S1", "other S2"), sql.query("SELECT key, right_id FROM pairs ORDER BY key"));
            assertEquals(1, sql.sink.progress().skipped());
            assertEquals(1, sql.sink.progress().fenced());
        }
    }

    @ParameterizedTest
    @EnumSource(Database.class)
    void shouldStopAndWriteNothingWhenTheSameChangeSetComesWithOtherBytes(final Database database)
    {
        // FAULTS.md 32
        try (SqlFixture sql = new SqlFixture(database, directory);
            ChangeLogFixture log = new ChangeLogFixture(directory))
        {
            log.begin(5, 3, 0, "k").after(P1).insertPair(S1).commit();
            sql.applied();
            log.begin(6, 4, 0, "other").after(P1).insertPair(S2).commit();
            log.begin(5, 3, 0, "k").after(P1).insertPair(S2).commit();

            final TableException e = assertThrows(TableException.class, sql::applied);
            assertTrue(e.getMessage().contains("(5, 3, 0) has been applied with other bytes"), e.getMessage());
            sql.sink.close();
            assertEquals(List.of("k S1"), sql.query("SELECT key, right_id FROM pairs"));
        }
    }

    @ParameterizedTest
    @EnumSource(Database.class)
    void shouldSayThatARetractedRowIsNotCurrent(final Database database)
    {
        try (SqlFixture sql = new SqlFixture(database, directory);
            ChangeLogFixture log = new ChangeLogFixture(directory))
        {
            log.begin(1, 3, 0, "k").after(P1).insertPair(S1).commit();
            log.begin(2, 3, 0, "k").before(P1).retractPair(S2).commit();

            final TableException e = assertThrows(TableException.class, sql::applied);
            assertTrue(e.getMessage().contains("(2, 3, 0) retracts pair|7|k|P1@0|S2@0, which is not current"),
                e.getMessage());
        }
    }

    @ParameterizedTest
    @EnumSource(Database.class)
    void shouldSayWhatDiffersWhenARetractionDoesNotRepeatItsRow(final Database database)
    {
        try (SqlFixture sql = new SqlFixture(database, directory);
            ChangeLogFixture log = new ChangeLogFixture(directory))
        {
            log.begin(1, 3, 0, "k").after(P1).insertPair(S1).commit();
            log.begin(2, 3, 0, "k").before(row("P1", 0, 1_000, 999)).retractPair(S1).commit();

            final TableException e = assertThrows(TableException.class, sql::applied);
            assertTrue(e.getMessage().contains("has other content: left_time 1000, left_value 5"), e.getMessage());
        }
    }

    @ParameterizedTest
    @EnumSource(Database.class)
    void shouldReplaceARowWhoseIdIsInsertedAgain(final Database database)
    {
        try (SqlFixture sql = new SqlFixture(database, directory);
            ChangeLogFixture log = new ChangeLogFixture(directory))
        {
            log.begin(1, 3, 0, "k").insertUnmatched(0, true, row("P1", 0, 1, 5)).commit();
            log.begin(2, 3, 0, "k").insertUnmatched(0, true, row("P2", 0, 1, 5)).commit();
            sql.applied();
            log.begin(3, 3, 0, "k").insertUnmatched(0, true, row("P1", 0, 2, 6)).commit();
            log.begin(4, 3, 0, "k").insertUnmatched(0, true, row("P1", 0, 3, 7)).commit();
            sql.applied();

            assertEquals(List.of("P1 3 7", "P2 1 5"), sql.query("SELECT id, time, value FROM unmatched ORDER BY id"));
            assertEquals(List.of("5 1 3", "6 3 4", "7 4 null"), sql.query(
                "SELECT value, position, retracted_position FROM unmatched_history WHERE id = 'P1' ORDER BY value"));
        }
    }

    @ParameterizedTest
    @EnumSource(Database.class)
    void shouldKeepEveryKeyAndIdExactly(final Database database)
    {
        final List<String> texts = List.of(
            "\0", "a\0b", "a\tb\nc\rd", "\\N", "\\.", "\u2400", "|%@",
            "\u0001\u0085", "\ud83d\ude00", "'; --", "\\", "x".repeat(255));
        try (SqlFixture sql = new SqlFixture(database, directory);
            ChangeLogFixture log = new ChangeLogFixture(directory))
        {
            int position = 1;
            for (final String text : texts)
            {
                log.begin(position++, 3, 0, text).insertUnmatched(1, false, row(text, 0, 1, 5)).commit();
            }
            sql.applied();

            assertEquals(texts.stream().sorted().toList(), sql.rows(TableSource.Kind.UNMATCHED).stream()
                .map(row -> row.key().toString()).sorted().toList());
            assertEquals(texts.stream().sorted().toList(), sql.rows(TableSource.Kind.UNMATCHED).stream()
                .map(row -> ((UnmatchedRow)row).row().id().toString()).sorted().toList());
            position = 100;
            for (final String text : texts)
            {
                log.begin(position++, 3, 0, text).retractUnmatched(1, false, row(text, 0, 1, 5)).commit();
            }
            sql.applied();
            assertEquals(List.of(), sql.rows(TableSource.Kind.UNMATCHED));
        }
    }

    @ParameterizedTest
    @EnumSource(Database.class)
    void shouldRefuseTablesThatAreNotItsOwn(final Database database)
    {
        try (SqlFixture sql = new SqlFixture(database, directory.resolve("one"));
            ChangeLogFixture log = new ChangeLogFixture(directory.resolve("one"));
            ChangeLogFixture other = new ChangeLogFixture(directory.resolve("two")))
        {
            log.begin(1, 3, 0, "k").after(P1).insertPair(S1).commit();
            other.begin(1, 3, 0, "k").after(P1).insertPair(S2).commit();
            sql.applied();

            try (SqlSink sink = new SqlSink(sql.target, "test", directory.resolve("two"), SqlFixture.TOPOLOGY))
            {
                final TableException e = assertThrows(TableException.class, () -> sink.work(0));
                assertTrue(e.getMessage().contains("were filled from another change log"), e.getMessage());
            }
            try (SqlSink sink = new SqlSink(sql.target, "else", directory.resolve("two"), SqlFixture.TOPOLOGY))
            {
                final TableException e = assertThrows(TableException.class, () -> sink.work(0));
                assertTrue(e.getMessage().contains("belong to the pipeline 'test', not to 'else'"), e.getMessage());
            }
            sql.execute("UPDATE tidemark_schema SET version = 99");
            final TableException e = assertThrows(TableException.class, () -> sql.restart().sink.work(0));
            assertTrue(e.getMessage().contains("have version 99"), e.getMessage());
        }
    }

    @ParameterizedTest
    @EnumSource(Database.class)
    void shouldApplyAChangeSetOfManyRecordsWhole(final Database database)
    {
        try (SqlFixture sql = new SqlFixture(database, directory);
            ChangeLogFixture log = new ChangeLogFixture(directory))
        {
            log.begin(1, 3, 0, "k").after(P1);
            for (int i = 0; i < 9_000; i++)
            {
                log.insertPair(row("S" + i, 0, 1_000 + i, i));
            }
            log.commit();
            assertTrue(log.records() > 3);
            sql.applied();

            assertEquals(List.of("9000"), sql.query("SELECT count(*) FROM pairs"));
            assertEquals(1, sql.sink.progress().changeSets());
        }
    }
}
