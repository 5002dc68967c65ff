package io.tidemark.ingest.order;

import io.tidemark.ingest.order.OrderFixture.Entry;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.List;

import static io.tidemark.ingest.order.OrderFixture.drain;
import static org.junit.jupiter.api.Assertions.assertEquals;

/**
 * Ticks, where {@code idle_after} is 100 ns: a source is idle from its last arrival plus 101 ns.
 */
class TickTest
{
    private static final long IDLE_AFTER_NS = 100;

    @TempDir
    private Path data;

    private OrderFixture fixture;

    @BeforeEach
    void open()
    {
        fixture = new OrderFixture(data, 2);
    }

    @AfterEach
    void close()
    {
        fixture.close();
    }

    @Test
    void shouldTickOnceForEachDeadlineThatPasses()
    {
        final Sequencer sequencer = fixture.sequencer(IDLE_AFTER_NS);
        fixture.arrive(0, 1000);
        fixture.arrive(1, 1050);
        drain(sequencer);
        fixture.now(1100);
        assertEquals(0, drain(sequencer));
        fixture.now(1101);
        assertEquals(1, drain(sequencer));
        fixture.now(1150);
        assertEquals(0, drain(sequencer));
        fixture.now(1400);
        assertEquals(1, drain(sequencer));
        fixture.now(9999);
        assertEquals(0, drain(sequencer));
        assertEquals(
            List.of(new Entry(1, 0, 1000), new Entry(2, 1, 1050), tick(3, 1101), tick(4, 1400)), fixture.order());
    }

    @Test
    void shouldTickAgainAfterASourceHasComeBack()
    {
        final Sequencer sequencer = fixture.sequencer(IDLE_AFTER_NS);
        fixture.arrive(0, 1000);
        fixture.now(2000);
        assertEquals(2, drain(sequencer));
        fixture.arrive(0, 3000);
        assertEquals(1, drain(sequencer));
        fixture.now(3101);
        assertEquals(1, drain(sequencer));
        assertEquals(tick(4, 3101), fixture.order().get(3));
    }

    @Test
    void shouldCountASourceThatHasNotDeliveredFromTheFirstEvent()
    {
        final Sequencer sequencer = fixture.sequencer(IDLE_AFTER_NS);
        fixture.arrive(0, 1000);
        fixture.arrive(0, 1090);
        drain(sequencer);
        fixture.now(1101);
        assertEquals(1, drain(sequencer));
        fixture.now(1190);
        assertEquals(0, drain(sequencer));
    }

    @Test
    void shouldNotTickBeforeTheFirstEventNorWithoutIdleAfter()
    {
        fixture.now(1_000_000);
        assertEquals(0, drain(fixture.sequencer(IDLE_AFTER_NS)));
        fixture.arrive(0, 1000);
        final Sequencer never = fixture.sequencer();
        assertEquals(1, drain(never));
        assertEquals(0, drain(never));
    }

    @Test
    void shouldNotTickWhileARecordWaits()
    {
        final Sequencer sequencer = fixture.sequencer(IDLE_AFTER_NS);
        fixture.arrive(0, 1000);
        drain(sequencer);
        fixture.now(5000);
        fixture.arrive(1, 4000);
        assertEquals(1, sequencer.doWork());
        assertEquals(new Entry(2, 1, 4000), fixture.order().get(1));
        fixture.now(4100);
        assertEquals(0, drain(sequencer));
        fixture.now(4101);
        assertEquals(1, drain(sequencer));
    }

    @Test
    void shouldNotTickAgainAfterARestart()
    {
        fixture.arrive(0, 1000);
        fixture.arrive(1, 1050);
        fixture.now(1120);
        assertEquals(3, drain(fixture.sequencer(IDLE_AFTER_NS)));
        fixture.newRun();
        final Sequencer sequencer = fixture.sequencer(IDLE_AFTER_NS);
        fixture.now(1150);
        assertEquals(0, drain(sequencer));
        fixture.now(1151);
        assertEquals(1, drain(sequencer));
        fixture.newRun();
        fixture.now(9999);
        assertEquals(0, drain(fixture.sequencer(IDLE_AFTER_NS)));
    }

    @Test
    void shouldNeverTickWhereTheDeadlineIsBeyondTime()
    {
        final Sequencer sequencer = fixture.sequencer(Long.MAX_VALUE - 5);
        fixture.arrive(0, 1000);
        fixture.now(Long.MAX_VALUE - 1);
        assertEquals(1, drain(sequencer));
    }

    private static Entry tick(final long position, final long nowNs)
    {
        return new Entry(position, OrderTailer.TICK, nowNs);
    }
}
