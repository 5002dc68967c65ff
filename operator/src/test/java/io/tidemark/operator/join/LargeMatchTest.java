package io.tidemark.operator.join;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tidemark.ingest.event.EventKind;
import io.tidemark.ingest.fixture.FeedEvent;
import io.tidemark.ingest.fixture.FeedLanguage;
import io.tidemark.ingest.fixture.Settings;
import io.tidemark.ingest.fixture.Settings.Unmatched;
import io.tidemark.operator.oracle.ChangeSet;
import io.tidemark.operator.oracle.JoinUnderTest.Effect;
import io.tidemark.operator.oracle.JoinUnderTest.Emitted;
import io.tidemark.operator.oracle.ResultRow;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One event with more matches than a record of the change log holds, and one step of a clock that closes many rows. */
class LargeMatchTest
{
    private static final int MANY = 200_000;
    private static final int RECORD = 60_000;

    @TempDir
    private Path directory;

    private static Settings settings(final Unmatched unmatched)
    {
        return Settings.intervalJoin().reach(10, 10).lateness(1_000).maxMove(100).unmatched(unmatched, true, true)
            .maxAhead(Settings.OFF).build();
    }

    /** Insert, revision, move away, move back, withdrawal: each a change-set of many records, its order by row id. */
    @Test
    void shouldPutOutOneChangeSetInManyRecordsInOrderOfRowIds()
    {
        try (EngineJoin join = new EngineJoin(settings(Unmatched.PROVISIONAL), 256, Integer.MAX_VALUE))
        {
            final List<String> ids = IntStream.range(0, 2_000).mapToObj(OddNames::name).toList();
            for (final String id : ids)
            {
                join.next(FeedLanguage.signal(id).at(5).value(3).arrivesAt(1));
            }
            final FeedEvent payment = FeedLanguage.payment("%|@\u0001").at(5).arrivesAt(2);
            // pairs, and provisional rows that they end
            assertWhole(join.next(payment), 2_000, 2_000, 0);
            assertWhole(join.next(payment.revision(1).value(7)), 2_000, 2_000, 1);
            assertWhole(join.next(payment.revision(2).at(90)), 2_000, 2_001, 2);
            assertWhole(join.next(payment.revision(3).at(6)), 2_001, 2_000, 3);
            assertWhole(join.next(payment.revision(3).at(6).retract()), 2_000, 2_000, 4);
            StateAudit.of(join.engine());
        }
    }

    private static void assertWhole(final Effect effect, final int retractions, final int insertions, final int what)
    {
        assertEquals(1, effect.changeSets().size(), () -> "event " + what);
        final ChangeSet changeSet = effect.changeSets().get(0).changeSet();
        assertEquals(retractions, changeSet.retractions().size());
        assertEquals(insertions, changeSet.insertions().size());
        assertSorted(changeSet.retractions());
        assertSorted(changeSet.insertions());
    }

    private static void assertSorted(final List<ResultRow> rows)
    {
        for (int i = 1; i < rows.size(); i++)
        {
            assertTrue(ResultRow.compareUtf8(rows.get(i - 1).rowId(), rows.get(i).rowId()) < 0,
                rows.get(i - 1).rowId() + " before " + rows.get(i).rowId());
        }
    }

    @Test
    void shouldMatchOneEventWithTwoHundredThousand()
    {
        final List<Long> parts = new ArrayList<>();
        try (Drive drive = new Drive(directory, settings(Unmatched.FINAL)))
        {
            for (int i = 0; i < MANY; i++)
            {
                drive.event(1, EventKind.UPSERT, 1, i, 0, 5 + i % 7, i);
            }
            for (int revision = 0; revision < 3; revision++)
            {
                final long before = drive.changeSets();
                drive.event(0, EventKind.UPSERT, 1, 1, revision, 8, MANY);
                parts.add(drive.changeSets() - before);
            }
            // an image of 47 bytes a pair, twice for a revision that retracts them too
            assertTrue(parts.get(0) >= MANY * 47L / RECORD && parts.get(0) <= MANY * 47L / RECORD + 2, parts::toString);
            assertTrue(parts.get(1) >= 2 * MANY * 47L / RECORD && parts.get(1) <= 2 * MANY * 47L / RECORD + 2);
            assertEquals(parts.get(1), parts.get(2));
            assertEquals(MANY + 1, drive.engine.rows());
            drive.event(0, EventKind.WATERMARK, 0, 0, 0, Long.MAX_VALUE, MANY);
            drive.event(1, EventKind.WATERMARK, 0, 0, 0, Long.MAX_VALUE, MANY);
            assertEquals(0, drive.engine.rows());
            assertEquals(0, drive.engine.keyCount());
            StateAudit.of(drive.engine);
        }
    }

    /** By slot, and in each by end, key, row id; every row once, ordinals without a gap. */
    @Test
    void shouldPutOutAHundredThousandRowsThatOneStepOfTheClockMakesFinal()
    {
        final int rows = 100_000;
        final Settings settings = settings(Unmatched.FINAL);
        try (EngineJoin join = new EngineJoin(settings, 16, Integer.MAX_VALUE))
        {
            for (int i = 0; i < rows; i++)
            {
                final String stream = i % 3 == 0 ? FeedLanguage.PAYMENTS : FeedLanguage.SIGNALS;
                join.next(FeedLanguage.upsert(stream, OddNames.name(i)).key(OddNames.name(i * 7 % 500))
                    .at(i % 3 == 0 ? i % 50 : 500 + i % 50).arrivesAt(1));
            }
            join.next(FeedLanguage.watermark(FeedLanguage.PAYMENTS, 5_000).arrivesAt(2));
            final Effect effect = join.next(FeedLanguage.watermark(FeedLanguage.SIGNALS, 5_000).arrivesAt(3));
            assertEquals(rows, effect.changeSets().size());
            assertInOrder(effect.changeSets());
            final Set<String> ids = effect.changeSets().stream()
                .map(each -> each.changeSet().insertions().get(0).rowId())
                .collect(Collectors.toCollection(HashSet::new));
            assertEquals(rows, ids.size());
            StateAudit.of(join.engine());
        }
    }

    private static void assertInOrder(final List<Emitted> emitted)
    {
        final TreeMap<Integer, Long> ordinals = new TreeMap<>();
        Emitted last = null;
        for (final Emitted each : emitted)
        {
            assertEquals(ordinals.getOrDefault(each.slot(), 0L) + 1, each.ordinal());
            ordinals.put(each.slot(), each.ordinal());
            if (last != null && last.slot() == each.slot())
            {
                assertTrue(compare(last, each) < 0, last + " before " + each);
            }
            assertTrue(last == null || last.slot() <= each.slot());
            last = each;
        }
        assertEquals(16, ordinals.size());
    }

    private static int compare(final Emitted a, final Emitted b)
    {
        final ResultRow.Unmatched left = (ResultRow.Unmatched)a.changeSet().insertions().get(0);
        final ResultRow.Unmatched right = (ResultRow.Unmatched)b.changeSet().insertions().get(0);
        final int byEnd = Long.compare(end(left), end(right));
        final int byKey = byEnd != 0 ? byEnd : ResultRow.compareUtf8(a.changeSet().key(), b.changeSet().key());
        return byKey != 0 ? byKey : ResultRow.compareUtf8(left.rowId(), right.rowId());
    }

    private static long end(final ResultRow.Unmatched row)
    {
        return row.row().time() + (row.side() == Settings.LEFT ? 10 : 0);
    }
}
