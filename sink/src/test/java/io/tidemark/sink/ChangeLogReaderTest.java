package io.tidemark.sink;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChangeLogReaderTest
{
    private static final SourceRow LEFT = new SourceRow(Utf8.of("P1"), 0, 1_000, 5, 1, 11);
    private static final SourceRow RIGHT = new SourceRow(Utf8.of("S1"), 2, 1_500, -6, 0, 12);

    @TempDir
    private Path data;

    private final List<ChangeSet> seen = new ArrayList<>();

    @Test
    void shouldHandOutWholeRowsWithWhatCausedThem()
    {
        try (ChangeLogFixture log = new ChangeLogFixture(data))
        {
            log.begin(3, 8, 0, "k").after(LEFT).insertPair(RIGHT).commit();
            log.begin(4, 9, 1, "j").insertUnmatched(0, true, LEFT).commit();
        }

        read(10);

        assertEquals(List.of(
            new ChangeSet(new ChangeSetIdentity(3, 8, 0), 1, 1, 0, 2, 99, Utf8.of("k"),
                List.of(new Change(true, new PairRow(7, Utf8.of("k"), LEFT, RIGHT)))),
            new ChangeSet(new ChangeSetIdentity(4, 9, 1), 1, 1, ChangeSet.CLOCK, 2, 99, Utf8.of("j"),
                List.of(new Change(true, new UnmatchedRow(7, Utf8.of("j"), 0, LEFT, true))))), seen);
    }

    @Test
    void shouldHandOutOneChangeSetWhereTheLogHasSeveralRecords()
    {
        final int partners = 5_000;
        try (ChangeLogFixture log = new ChangeLogFixture(data))
        {
            log.begin(1, 0, 0, "hot").after(LEFT);
            for (int i = 0; i < partners; i++)
            {
                log.insertPair(new SourceRow(Utf8.of(String.format("S%05d", i)), 0, i, i, 0, i));
            }
            log.commit();
            assertTrue(log.records() > 1);
        }

        read(10);

        assertEquals(1, seen.size());
        assertEquals(partners, seen.get(0).changes().size());
    }

    @Test
    void shouldGoOnAfterAnIdentityThatTheConsumerRemembers()
    {
        try (ChangeLogFixture log = new ChangeLogFixture(data))
        {
            for (int position = 1; position <= 5; position++)
            {
                log.begin(position, 0, 0, "k").insertUnmatched(0, true, LEFT).commit();
            }
        }
        try (ChangeLogReader reader = ChangeLogReader.open(data))
        {
            reader.moveAfter(new ChangeSetIdentity(3, 0, 0));
            assertEquals(1, reader.poll(seen::add, 1));
            assertEquals(1, reader.poll(seen::add, 10));
            assertEquals(0, reader.poll(seen::add, 10));
            final ChangeSetIdentity unknown = new ChangeSetIdentity(3, 1, 0);
            assertThrows(TableException.class, () -> reader.moveAfter(unknown));
        }

        assertEquals(List.of(4L, 5L), seen.stream().map(set -> set.identity().position()).toList());
    }

    @Test
    void shouldSeeWhatIsAppendedWhileItReads()
    {
        try (ChangeLogFixture log = new ChangeLogFixture(data); ChangeLogReader reader = ChangeLogReader.open(data))
        {
            assertEquals(0, reader.poll(seen::add, 10));
            log.begin(1, 0, 0, "k").insertUnmatched(0, true, LEFT).commit();
            assertEquals(1, reader.poll(seen::add, 10));
        }
    }

    @Test
    void shouldPassOverOtherKeys()
    {
        try (ChangeLogFixture log = new ChangeLogFixture(data))
        {
            log.begin(1, 0, 0, "a").insertUnmatched(0, true, LEFT).commit();
            log.begin(2, 0, 0, "b").insertUnmatched(0, true, LEFT).commit();
        }
        try (ChangeLogReader reader = ChangeLogReader.open(data).only(Utf8.of("b")::equals))
        {
            reader.poll(seen::add, 10);
        }

        assertEquals(List.of(Utf8.of("b")), seen.stream().map(ChangeSet::key).toList());
    }

    @Test
    void shouldHandOutEachRowInOneShareOnly()
    {
        final int partners = 100;
        try (ChangeLogFixture log = new ChangeLogFixture(data))
        {
            log.begin(1, 0, 0, "k").after(LEFT);
            for (int i = 0; i < partners; i++)
            {
                log.insertPair(new SourceRow(Utf8.of(String.format("S%03d", i)), 0, i, i, 0, i));
            }
            log.commit();
            for (int i = 0; i < partners; i++)
            {
                log.begin(2 + i, 0, 0, "k").insertUnmatched(0, true, row("P\u00e9" + i)).commit();
            }
        }
        int count = 0;
        for (int share = 0; share < 3; share++)
        {
            final RowShare wanted = new RowShare(share, 3);
            try (ChangeLogReader reader = ChangeLogReader.open(data).only(wanted))
            {
                seen.clear();
                reader.pollAll(seen::add);
            }
            final List<ResultRow> rows =
                seen.stream().flatMap(set -> set.changes().stream()).map(Change::row).toList();
            assertTrue(rows.stream().allMatch(wanted::has));
            count += rows.size();
        }
        assertEquals(2 * partners, count);
        try (ChangeLogReader reader = ChangeLogReader.open(data))
        {
            assertEquals(2 * partners, reader.countChanges());
        }
    }

    private static SourceRow row(final String id)
    {
        return new SourceRow(Utf8.of(id), 0, 1, 1, 0, 1);
    }

    private void read(final int limit)
    {
        try (ChangeLogReader reader = ChangeLogReader.open(data))
        {
            reader.poll(seen::add, limit);
        }
    }
}
