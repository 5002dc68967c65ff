package io.tidemark.bench.micro;

import io.tidemark.bench.EventFeed;
import io.tidemark.operator.change.ChangeSetEncoder;
import io.tidemark.operator.change.RowImage;
import org.agrona.concurrent.UnsafeBuffer;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;

/** Encoding the change-set of a new row with its pairs, up to the append. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Thread)
public class ChangeSetBenchmark
{
    private static final int ID_LENGTH = 13;
    private static final int KEY_LENGTH = 9;
    private static final int IMAGE_LENGTH = RowImage.length(ID_LENGTH);

    /** Pairs of the row. */
    @Param({"1", "8", "50"})
    public int pairs;

    private UnsafeBuffer images;
    private long appendedBytes;
    private long position;
    private ChangeSetEncoder encoder;

    /** Makes the rows. */
    @Setup
    public void makeRows()
    {
        images = new UnsafeBuffer(ByteBuffer.allocateDirect((pairs + 1) * IMAGE_LENGTH + KEY_LENGTH));
        for (int i = 0; i <= pairs; i++)
        {
            final long image = image(i);
            RowImage.put(image, 0, EventFeed.FIRST_ARRIVAL_NS + i, i, 0, i);
            RowImage.putId(image, image, ID_LENGTH);
        }
        encoder = new ChangeSetEncoder((record, offset, length) -> appendedBytes += length);
    }

    /**
     * Encodes a change-set.
     *
     * @return bytes so far.
     */
    @Benchmark
    public long encode()
    {
        encoder.begin(++position, 0, 0, 1, 1, 1, 0, 0, position, 0, image(pairs + 1), KEY_LENGTH);
        encoder.after(image(0), IMAGE_LENGTH);
        for (int i = 1; i <= pairs; i++)
        {
            encoder.insertPair(image(i), IMAGE_LENGTH);
        }
        encoder.commit();
        return appendedBytes;
    }

    private long image(final int i)
    {
        return images.addressOffset() + (long)i * IMAGE_LENGTH;
    }
}
