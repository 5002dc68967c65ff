package io.tidemark.bench.micro;

import io.tidemark.store.RowCursor;
import io.tidemark.store.Slot;
import io.tidemark.store.Slots;
import io.tidemark.store.page.PageStore;
import org.agrona.IoUtil;
import org.agrona.UnsafeApi;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/** The rows of one key: the newest comes and the oldest goes, or a place among them is looked for. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Thread)
public class TimeIndexBenchmark
{
    private static final int BODY_LENGTH = 64;
    private static final long STEP = 10;

    /** Rows that the key has all the time. */
    @Param({"20", "10000"})
    public int rows;

    private final RowCursor cursor = new RowCursor();
    private final SplittableRandom random = new SplittableRandom(1);
    private Path directory;
    private PageStore store;
    private Slots slots;
    private Slot slot;
    private int owner;
    private long next;

    /**
     * Makes the rows.
     *
     * @throws IOException when there is no room for temporary files.
     */
    @Setup
    public void open() throws IOException
    {
        directory = Files.createTempDirectory("tidemark-bench-");
        store = PageStore.create(directory, 1 << 16);
        slots = new Slots(store, 1);
        slot = slots.slot(0);
        owner = slot.arena().allocate(0);
        while (next < rows)
        {
            insertNext();
        }
    }

    /** Removes them. */
    @TearDown
    public void close()
    {
        slots.close();
        store.close();
        IoUtil.delete(directory.toFile(), true);
    }

    /**
     * Inserts a row behind all others and removes the first.
     *
     * @return address of its body.
     */
    @Benchmark
    public long insertAndRemoveOldest()
    {
        final long body = insertNext();
        slot.rows().first(cursor, UnsafeApi.getInt(root()));
        slot.rows().remove(root(), cursor.leaf(), 1L << cursor.entry());
        return body;
    }

    /**
     * Looks for the first row at or after some time.
     *
     * @return its start.
     */
    @Benchmark
    public long seek()
    {
        final long start = (next - rows) * STEP + random.nextInt(rows) * STEP;
        return slot.rows().seek(cursor, UnsafeApi.getInt(root()), start) ? cursor.start() : -1;
    }

    private long insertNext()
    {
        final long number = next++;
        // an odd multiplier spreads consecutive numbers as a hash of ids would
        return slot.rows().insert(root(), owner, number * STEP, (int)number * 0x9E3779B1, BODY_LENGTH);
    }

    private long root()
    {
        return slot.arena().address(owner);
    }
}
