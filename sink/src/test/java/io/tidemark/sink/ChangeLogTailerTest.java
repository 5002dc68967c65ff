package io.tidemark.sink;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChangeLogTailerTest
{
    private static final SourceRow P1 = new SourceRow(Utf8.of("P1"), 0, 1_000, 5, 1, 11);
    private static final SourceRow S1 = new SourceRow(Utf8.of("S1"), 2, 1_500, -6, 0, 12);

    @TempDir
    private Path directory;

    private final List<String> seen = new ArrayList<>();

    private void see(final ChangeSetCursor changeSet)
    {
        int changes = 0;
        long values = 0;
        while (changeSet.next())
        {
            changes++;
            values += changeSet.change().isPair() ? changeSet.change().right().value() : 0;
        }
        seen.add(changeSet.identity() + " " + changeSet.change().key() + " " + changes + " " + values);
    }

    @Test
    void shouldHandOutEachChangeSetWholeAndGoOnAfterAnyIdentity()
    {
        try (ChangeLogFixture log = new ChangeLogFixture(directory);
            ChangeLogTailer tailer = ChangeLogTailer.open(directory))
        {
            log.begin(1, 3, 0, "k").after(P1).insertPair(S1).commit();
            log.begin(2, 4, 0, "m").after(P1);
            for (int i = 0; i < 3_000; i++)
            {
                log.insertPair(new SourceRow(Utf8.of("S" + i), 0, 1_000, 1, 0, i));
            }
            log.commit();
            assertTrue(log.records() > 2, "several records");
            log.begin(2, 5, 1, "z").insertUnmatched(0, true, P1).commit();

            assertEquals(3, tailer.poll(this::see, 10));
            final List<String> all =
                List.of("(1, 3, 0) k 1 -6", "(2, 4, 0) m 3000 3000", "(2, 5, 1) z 1 0");
            assertEquals(all, seen);

            seen.clear();
            tailer.moveAfter(1, 3, 0);
            assertEquals(1, tailer.poll(this::see, 1));
            assertEquals(1, tailer.poll(this::see, 1));
            assertEquals(0, tailer.poll(this::see, 1));
            assertEquals(all.subList(1, 3), seen);

            tailer.moveAfter(2, 4, 0);
            seen.clear();
            tailer.poll(this::see, 10);
            assertEquals(all.subList(2, 3), seen);
            assertThrows(TableException.class, () -> tailer.moveAfter(2, 9, 0));
        }
    }

    @Test
    void shouldAllocateNothingForAChangeSet()
    {
        try (ChangeLogFixture log = new ChangeLogFixture(directory);
            ChangeLogTailer tailer = ChangeLogTailer.open(directory))
        {
            for (int i = 0; i < 40_000; i++)
            {
                log.begin(i + 1, 3, 0, "k").after(P1).insertPair(S1).commit();
            }
            final long[] sum = {0};
            final ChangeSetConsumer consumer = changeSet ->
            {
                while (changeSet.next())
                {
                    sum[0] += changeSet.change().right().value() + changeSet.position();
                }
            };
            final com.sun.management.ThreadMXBean threads =
                (com.sun.management.ThreadMXBean)ManagementFactory.getThreadMXBean();
            tailer.poll(consumer, 20_000);
            final long before = threads.getCurrentThreadAllocatedBytes();
            tailer.poll(consumer, 15_000);
            final long allocated = threads.getCurrentThreadAllocatedBytes() - before;

            assertTrue(allocated < 15_000, "bytes for 15,000 change-sets: " + allocated);
            assertTrue(sum[0] > 0);
        }
    }
}
