package io.tidemark.ingest.log;

import net.openhft.chronicle.core.values.LongValue;
import net.openhft.chronicle.queue.impl.single.SingleChronicleQueue;
import net.openhft.chronicle.queue.impl.single.SingleChronicleQueueBuilder;
import net.openhft.chronicle.queue.impl.table.AbstractTSQueueLock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

import static io.tidemark.ingest.log.Records.payload;
import static io.tidemark.ingest.log.Records.payloads;
import static io.tidemark.ingest.log.Records.range;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * What processes that die leave behind. Rounds of {@link #shouldLoseAndDoubleNothingWhenKilledAnywhere()}:
 * {@code -Dtidemark.kill.rounds=200}.
 */
class LogCrashTest
{
    private static final int ROUNDS = Integer.getInteger("tidemark.kill.rounds", 12);
    private static final long SEED = Long.getLong("tidemark.seed", 20_261_130);
    /** Chronicle, left to itself, waits at least this long for a dead process to go on. */
    private static final long WAIT_FOR_THE_DEAD_NS = TimeUnit.SECONDS.toNanos(10);
    /** Locks are to be recovered in less. */
    private static final long AT_ONCE_MS = 2_000;
    private static final String[] LOCKS = {"chronicle.write.lock", "chronicle.append.lock"};

    @TempDir
    private Path directory;

    private final Records records = new Records();

    /** Kind 45 of FAULTS.md. */
    @Test
    void shouldLoseAndDoubleNothingWhenKilledAnywhere() throws IOException, InterruptedException
    {
        final SplittableRandom random = new SplittableRandom(SEED);
        long said = -1;
        for (int round = 0; round < ROUNDS; round++)
        {
            try (ChildJvm child = ChildJvm.start(true, AppendForEver.class, directory, SEED + round))
            {
                for (int lines = random.nextInt(200); lines >= 0; lines--)
                {
                    said = Long.parseLong(child.readLine());
                }
                child.kill();
            }
            checkAndAppendOne(said, "seed " + SEED + ", round " + round);
        }
    }

    private void checkAndAppendOne(final long said, final String where)
    {
        try (Log log = Log.open(directory, System::currentTimeMillis); LogTailer tailer = log.tailer())
        {
            long index = -1;
            long number = -1;
            while (tailer.poll())
            {
                assertEquals(number + 1, payload(tailer), where);
                assertTrue(number < 0 || tailer.index() > index, where);
                number = tailer.number();
                index = tailer.index();
            }
            assertTrue(number >= said, where);
            assertEquals(number, log.lastNumber(), where);
            final long next = records.append(log.appender(), 64, number + 1);
            assertTrue(next == index + 1 || index >> 32 < next >> 32, where);
            assertTrue(tailer.poll(), where);
            assertEquals(next, tailer.index(), where);
            assertFalse(tailer.poll(), where);
            tailer.moveAfter(index, number);
            assertTrue(tailer.poll(), where);
            assertEquals(number + 1, payload(tailer), where);
        }
    }

    @Test
    void shouldOpenAtOnceWhenTheHolderOfTheAppendLockIsDead() throws IOException, InterruptedException
    {
        appendThreeAndDieInTheFourth();
        checkFourthIsTheNext();
    }

    /** Kind 53 of FAULTS.md. */
    @Test
    void shouldOpenAtOnceWhenTheDeadHolderHadOurPid() throws IOException, InterruptedException
    {
        appendThreeAndDieInTheFourthWithOurPid();
        checkFourthIsTheNext();
    }

    private void appendThreeAndDieInTheFourthWithOurPid() throws IOException, InterruptedException
    {
        appendThreeAndDieInTheFourth();
        try (SingleChronicleQueue queue = queue())
        {
            for (final String lock : LOCKS)
            {
                word(queue, lock).setOrderedValue(ProcessHandle.current().pid());
            }
        }
    }

    /**
     * Whatever Chronicle waits for is over before it is asked to append; and would it wait, both of its waits, for a
     * header and for a lock half as long again, were over in time.
     */
    @Test
    void shouldLeaveNoLockOfADeadProcessForChronicleToWaitFor() throws IOException, InterruptedException
    {
        appendThreeAndDieInTheFourthWithOurPid();
        try (Log log = Log.open(directory, System::currentTimeMillis); SingleChronicleQueue queue = queue())
        {
            for (final String lock : LOCKS)
            {
                assertEquals(AbstractTSQueueLock.UNLOCKED, word(queue, lock).getVolatileValue(), lock);
            }
            assertEquals(3, log.appender().nextNumber());
        }
        assertTrue(Log.TIMEOUT_MS + Log.TIMEOUT_MS * 3 / 2 < AT_ONCE_MS);
    }

    private SingleChronicleQueue queue()
    {
        return SingleChronicleQueueBuilder.binary(directory)
            .rollCycle(Log.ROLL_CYCLE).blockSize(Log.BLOCK_SIZE).readOnly(false).build();
    }

    private static LongValue word(final SingleChronicleQueue queue, final String lock)
    {
        return queue.metaStore().doWithExclusiveLock(store -> store.acquireValueFor(lock));
    }

    private void appendThreeAndDieInTheFourth() throws IOException, InterruptedException
    {
        try (Log log = Log.open(directory, System::currentTimeMillis))
        {
            records.appendNumbered(log, 3);
        }
        try (ChildJvm child = ChildJvm.start(true, HangInAppend.class, directory))
        {
            assertEquals("inside", child.readLine());
            child.kill();
        }
    }

    private void checkFourthIsTheNext()
    {
        final long start = System.nanoTime();
        try (Log log = Log.open(directory, System::currentTimeMillis); LogTailer tailer = log.tailer())
        {
            assertEquals(range(0, 3), payloads(tailer));
            assertEquals(3, log.appender().nextNumber());
            final long last = tailer.index();
            final long next = records.append(log.appender(), 64, 3);
            final long tookNs = System.nanoTime() - start;
            System.out.println("opened and appended behind a dead process's half record in " +
                TimeUnit.NANOSECONDS.toMillis(tookNs) + " ms");
            assertTrue(tookNs < WAIT_FOR_THE_DEAD_NS);
            assertTrue(next == last + 1 || last >> 32 < next >> 32);
            assertEquals(range(3, 4), payloads(tailer));
        }
    }

    @Test
    void shouldRefuseASecondProcessAndNameTheFirst() throws IOException, InterruptedException
    {
        try (ChildJvm holder = ChildJvm.start(true, OpenLog.class, directory))
        {
            assertEquals("open -1", holder.readLine());
            final LogException refusal =
                assertThrows(LogException.class, () -> Log.open(directory, System::currentTimeMillis));
            assertTrue(refusal.getMessage().contains("pid " + holder.pid()), refusal.getMessage());
            holder.kill();
        }
        Log.open(directory, System::currentTimeMillis).close();
    }

    @Test
    void shouldRefuseASecondOpeningByTheSameProcessAndKeepTheFirst() throws IOException
    {
        try (Log log = Log.open(directory, System::currentTimeMillis))
        {
            assertThrows(LogException.class, () -> Log.open(directory, System::currentTimeMillis));
            records.appendNumbered(log, 1);
            // The failed attempt must not have freed the lock for others.
            try (ChildJvm second = ChildJvm.start(true, OpenLog.class, directory))
            {
                final String said = second.readLine();
                assertTrue(said.contains("pid " + ProcessHandle.current().pid()), said);
            }
        }
        Log.open(directory, System::currentTimeMillis).close();
    }

    /** Kind 57 of FAULTS.md. */
    @Test
    void shouldSayWhichJvmFlagIsMissingBeforeAnythingIsOpened() throws IOException
    {
        final Path log = directory.resolve("log");
        try (ChildJvm child = ChildJvm.start(false, OpenLog.class, log))
        {
            final String said = child.readLine();
            assertTrue(said.contains("without --add-opens=java.base/java.io=ALL-UNNAMED"), said);
        }
        assertFalse(Files.exists(log));
    }
}
