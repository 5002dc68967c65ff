package io.tidemark.operator.change;

import com.sun.management.ThreadMXBean;
import io.tidemark.operator.LateReason;
import io.tidemark.operator.TestEvent;
import io.tidemark.operator.clock.Clocks;
import io.tidemark.operator.spec.WatermarkSpec;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** The hot path makes no garbage. */
class AllocationTest
{
    private static final int ROUNDS = 20_000;

    private final ThreadMXBean threads = (ThreadMXBean)ManagementFactory.getThreadMXBean();
    private final Images images = new Images(1 << 16);
    private final UnsafeBuffer last = new UnsafeBuffer(ByteBuffer.allocateDirect(1 << 16));
    private final UnsafeBuffer rowId = new UnsafeBuffer(new byte[RowIds.MAX_LENGTH]);
    private long seen;

    @Test
    void shouldWriteAndReadChangeSetsWithoutGarbage()
    {
        final ChangeSetEncoder encoder =
            new ChangeSetEncoder((record, offset, length) -> last.putBytes(0, record, offset, length));
        final ChangeSetDecoder decoder = new ChangeSetDecoder();
        final long key = images.text("merchant|7");
        final long[] rows = {images.row("payment-1", 1), images.row("signal@1", 2), images.row("signal@2", 30)};
        shouldNotAllocate(() ->
        {
            encoder.begin(1, 2, 0, 1, 1, 1, 0, 0, 5, 0, key, 10);
            encoder.after(rows[0], RowImage.lengthAt(rows[0]));
            seen += RowIds.comparePairs(rows[1], rows[2], 1);
            encoder.insertPair(rows[1], RowImage.lengthAt(rows[1]));
            encoder.insertPair(rows[2], RowImage.lengthAt(rows[2]));
            encoder.commit();
            decoder.wrap(last, 0);
            while (decoder.next())
            {
                seen += decoder.left().time() + decoder.right().value() + decoder.putRowId(rowId, 0);
            }
        });
    }

    @Test
    void shouldRememberLateEventsWithoutGarbage()
    {
        final OutcomePublisher publisher = new OutcomePublisher(
            (record, offset, length) -> last.putBytes(0, record, offset, length), (record, offset, length) -> {});
        final TestEvent event = new TestEvent().key("k").id("i").time(5);
        event.view();
        shouldNotAllocate(
            () -> publisher.late(1, 2, 0, 0, 9, LateReason.BEFORE_ACCEPTANCE_CLOCK, event.view()));
    }

    @Test
    void shouldMoveClocksWithoutGarbage()
    {
        final Clocks clocks =
            new Clocks(new int[]{0, 0, 1}, 2, new WatermarkSpec(true, 0, 10, WatermarkSpec.OFF, 5), true);
        shouldNotAllocate(() ->
        {
            seen++;
            clocks.beforeEvent((int)(seen % 3), seen * 9);
            clocks.afterValidUpsert((int)(seen % 3), seen);
            clocks.tick(seen * 9 + seen % 30);
            seen += clocks.acceptance(1) & 1;
        });
    }

    private void shouldNotAllocate(final Runnable work)
    {
        long allocated = Long.MAX_VALUE;
        // whatever the JVM itself allocates while it warms up is not of the work
        for (int attempt = 0; attempt < 5 && allocated > 0; attempt++)
        {
            final long before = threads.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < ROUNDS; i++)
            {
                work.run();
            }
            allocated = threads.getCurrentThreadAllocatedBytes() - before;
        }
        assertEquals(0, allocated);
    }
}
