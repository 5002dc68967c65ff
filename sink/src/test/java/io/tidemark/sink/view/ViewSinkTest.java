package io.tidemark.sink.view;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;

import io.tidemark.sink.ChangeLogFixture;
import io.tidemark.sink.PairRow;
import io.tidemark.sink.ResultRow;
import io.tidemark.sink.SourceRow;
import io.tidemark.sink.TableException;
import io.tidemark.sink.UnmatchedRow;
import io.tidemark.sink.Utf8;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ViewSinkTest
{
    private static final SourceRow P1 = row("P1", 0, 1_000, 5);
    private static final SourceRow S1 = row("S1", 0, 1_001, 6);
    private static final SourceRow S2 = row("S2", 0, 999, 7);

    @TempDir
    private Path directory;

    private static SourceRow row(final String id, final int revision, final long time, final long value)
    {
        return new SourceRow(Utf8.of(id), revision, time, value, 1, 77);
    }

    private static List<ResultRow> rows(final ViewReader view, final String key)
    {
        final List<ResultRow> rows = new ArrayList<>();
        view.forEachRow(key, row -> rows.add(row.row()));
        return rows;
    }

    private static void applied(final ViewSink sink)
    {
        long nowMs = 0;
        while (sink.work(nowMs) > 0)
        {
            nowMs++;
        }
    }

    @Test
    void shouldShowTheRowsOfAKeyInTimeOrderAndFindThemById()
    {
        try (ViewSink sink = new ViewSink(directory); ChangeLogFixture log = new ChangeLogFixture(directory))
        {
            log.begin(1, 3, 0, "k").after(P1).insertPair(S1).insertPair(S2).commit();
            log.begin(2, 3, 0, "k").insertUnmatched(0, true, row("P0", 3, 10, 8)).commit();
            log.begin(3, 9, 0, "other").insertUnmatched(1, false, row("x|%", 0, 10, 8)).commit();
            applied(sink);

            try (ViewReader view = ViewReader.open(directory))
            {
                final Utf8 key = Utf8.of("k");
                assertEquals(
                    List.of(new UnmatchedRow(7, key, 0, row("P0", 3, 10, 8), true), new PairRow(7, key, P1, S2),
                        new PairRow(7, key, P1, S1)),
                    rows(view, "k"));
                assertEquals(List.of(), rows(view, "none"));
                assertEquals(3, view.position());
                assertEquals(2, view.changeNumber());
                final ViewRow row = new ViewRow();
                assertTrue(view.find("pair|7|k|P1@0|S2@0", row));
                assertEquals(7, row.rightValue());
                assertEquals("pair|7|k|P1@0|S2@0", row.rowId());
                assertTrue(view.find("unmatched|7|other|right|x%7C%25@0", row));
                assertEquals(Utf8.of("other"), row.key());
                assertFalse(view.find("pair|7|k|P1@0|S3@0", row));
            }
        }
    }

    @Test
    void shouldShowAChangeSetWholeAndNeverBefore()
    {
        try (ViewSink sink = new ViewSink(directory); ChangeLogFixture log = new ChangeLogFixture(directory))
        {
            log.begin(1, 3, 0, "k").after(P1).insertPair(S1).commit();
            applied(sink);
            try (ViewReader view = ViewReader.open(directory))
            {
                final SourceRow revised = row("P1", 1, 1_000, 9);
                log.begin(2, 3, 0, "k").before(P1).after(revised).retractPair(S1).insertPair(S1).insertPair(S2)
                    .commit();
                assertEquals(List.of(new PairRow(7, Utf8.of("k"), P1, S1)), rows(view, "k"));
                applied(sink);
                assertEquals(
                    List.of(new PairRow(7, Utf8.of("k"), revised, S2), new PairRow(7, Utf8.of("k"), revised, S1)),
                    rows(view, "k"));
            }
        }
    }

    @Test
    void shouldSayWhatDoesNotFit()
    {
        try (ViewSink sink = new ViewSink(directory); ChangeLogFixture log = new ChangeLogFixture(directory))
        {
            log.begin(1, 3, 0, "k").after(P1).insertPair(S1).commit();
            log.begin(2, 3, 0, "k").before(P1).retractPair(S2).commit();
            final TableException e = assertThrows(TableException.class, () -> applied(sink));
            assertTrue(e.getMessage().contains("(2, 3, 0) retracts pair|7|k|P1@0|S2@0, which is not current"),
                e.getMessage());
        }
    }

    @Test
    void shouldSayThatARetractionDoesNotRepeatItsRow()
    {
        try (ViewSink sink = new ViewSink(directory); ChangeLogFixture log = new ChangeLogFixture(directory))
        {
            log.begin(1, 3, 0, "k").after(P1).insertPair(S1).commit();
            log.begin(2, 3, 0, "k").before(row("P1", 0, 1_000, 999)).retractPair(S1).commit();
            final TableException e = assertThrows(TableException.class, () -> applied(sink));
            assertTrue(e.getMessage().contains("other content"), e.getMessage());
        }
    }

    @Test
    void shouldReplaceARowWhoseIdIsInsertedAgain()
    {
        try (ViewSink sink = new ViewSink(directory); ChangeLogFixture log = new ChangeLogFixture(directory))
        {
            log.begin(1, 3, 0, "k").insertUnmatched(0, true, row("P1", 0, 1, 5)).commit();
            log.begin(2, 3, 0, "k").insertUnmatched(0, true, row("P1", 0, 2, 6)).commit();
            applied(sink);
            try (ViewReader view = ViewReader.open(directory))
            {
                assertEquals(List.of(new UnmatchedRow(7, Utf8.of("k"), 0, row("P1", 0, 2, 6), true)), rows(view, "k"));
            }
        }
    }

    @Test
    void shouldAgreeWithAModelOverManyRowsComingAndGoing()
    {
        final Map<String, Long> model = new TreeMap<>();
        try (ViewSink sink = new ViewSink(directory, 3); ChangeLogFixture log = new ChangeLogFixture(directory))
        {
            final java.util.Random random = new java.util.Random(5);
            long position = 0;
            long nowMs = 0;
            for (int round = 0; round < 60; round++)
            {
                for (int i = 0; i < 400; i++)
                {
                    final String id = "r" + random.nextInt(3_000);
                    final String key = "k" + id.hashCode() % 7;
                    final Long value = model.remove(id);
                    log.begin(++position, 3, 0, key);
                    if (value != null)
                    {
                        log.retractUnmatched(0, true, row(id, 0, value % 50, value));
                    }
                    if (value == null || random.nextInt(3) == 0)
                    {
                        model.put(id, position);
                        log.insertUnmatched(0, true, row(id, 0, position % 50, position));
                    }
                    log.commit();
                }
                while (sink.work(nowMs) > 0)
                {
                    nowMs++;
                }
                nowMs += 2;
                assertEquals(model, seen());
            }
        }
    }

    private Map<String, Long> seen()
    {
        final Map<String, Long> seen = new TreeMap<>();
        try (ViewReader view = ViewReader.open(directory))
        {
            for (int i = -6; i < 7; i++)
            {
                final long[] last = {Long.MIN_VALUE};
                view.forEachRow("k" + i, row ->
                {
                    assertTrue(row.time() >= last[0]);
                    last[0] = row.time();
                    seen.put(((UnmatchedRow)row.row()).row().id().toString(), row.value());
                });
            }
            final Map<String, Long> all = new TreeMap<>();
            assertTrue(view.forEachRow(
                row -> all.put(((UnmatchedRow)row.row()).row().id().toString(), row.value())));
            assertEquals(seen, all);
            final ViewRow row = new ViewRow();
            seen.forEach((id, value) ->
                assertTrue(view.find("unmatched|7|k" + id.hashCode() % 7 + "|left|" + id + "@0", row)));
        }
        return seen;
    }

    @Test
    void shouldLetAReaderGoOnWhenTheWriterIsReplaced()
    {
        try (ChangeLogFixture log = new ChangeLogFixture(directory))
        {
            log.begin(1, 3, 0, "k").after(P1).insertPair(S1).commit();
            final ViewSink first = new ViewSink(directory);
            applied(first);
            try (ViewReader view = ViewReader.open(directory))
            {
                assertEquals(1, rows(view, "k").size());
                // the first is left as a killed process leaves it
                try (ViewSink second = new ViewSink(directory))
                {
                    log.begin(2, 3, 0, "k").after(P1).insertPair(S2).commit();
                    assertEquals(1, rows(view, "k").size());
                    applied(second);
                    assertEquals(2, rows(view, "k").size());
                    assertEquals(1, view.changeNumber());
                }
                assertEquals(2, rows(view, "k").size(), "after the end of the writer too");
            }
            first.close();
        }
    }

    @Test
    void shouldNeverShowHalfAChangeSetToConcurrentReaders() throws InterruptedException
    {
        final int keys = 5;
        final long observations = Long.getLong("tidemark.observations", 100_000);
        final AtomicReference<Throwable> failure = new AtomicReference<>();
        try (ViewSink sink = new ViewSink(directory, 1); ChangeLogFixture log = new ChangeLogFixture(directory))
        {
            for (int k = 0; k < keys; k++)
            {
                log.begin(k + 1, 3, 0, "k" + k).after(row("P", 0, 1, 0)).insertPair(S1).insertPair(S2).commit();
            }
            applied(sink);
            final long[] seen = new long[2];
            final Thread[] readers = new Thread[seen.length];
            for (int r = 0; r < readers.length; r++)
            {
                final int reader = r;
                readers[r] = new Thread(() -> observe(keys, observations / seen.length, seen, reader));
                readers[r].setUncaughtExceptionHandler((thread, e) -> failure.set(e));
                readers[r].start();
            }
            long position = 100;
            int revision = 0;
            while (failure.get() == null && (readers[0].isAlive() || readers[1].isAlive()))
            {
                revision++;
                for (int k = 0; k < keys; k++)
                {
                    log.begin(position++, 3, 0, "k" + k).before(row("P", revision - 1, 1, revision - 1))
                        .after(row("P", revision, 1, revision)).retractPair(S1).retractPair(S2).insertPair(S1)
                        .insertPair(S2).commit();
                }
                sink.work(System.nanoTime() / 1_000_000);
            }
            for (final Thread reader : readers)
            {
                reader.join();
            }
        }
        if (failure.get() != null)
        {
            throw new AssertionError(failure.get());
        }
    }

    /** Each key has two pairs at all times, both of one revision, and revisions never go back. */
    private void observe(final int keys, final long observations, final long[] seen, final int reader)
    {
        final long[] last = new long[keys];
        try (ViewReader view = ViewReader.open(directory))
        {
            for (long i = 0; i < observations; i++)
            {
                final int key = (int)(i % keys);
                final long[] values = {-1, -1};
                final int[] count = {0};
                view.forEachRow("k" + key, row -> values[Math.min(1, count[0]++)] = row.value());
                if (count[0] != 2 || values[0] != values[1] || values[0] < last[key])
                {
                    throw new AssertionError(
                        "k" + key + " has " + count[0] + " rows: " + values[0] + " and " + values[1]);
                }
                last[key] = values[0];
                seen[reader]++;
            }
        }
    }
}
