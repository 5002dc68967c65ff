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
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class OrderTailerTest
{
    private static final int SOURCES = 3;

    @TempDir
    private Path data;

    private OrderFixture fixture;

    @BeforeEach
    void open()
    {
        fixture = new OrderFixture(data, SOURCES);
        final Sequencer sequencer = fixture.sequencer(100);
        for (int burst = 0; burst < 20; burst++)
        {
            for (int i = 0; i < 10; i++)
            {
                fixture.arrive((burst + i / 3) % SOURCES, 1000L * burst + i);
            }
            fixture.now(1000L * burst + 500);
            drain(sequencer);
        }
    }

    @AfterEach
    void close()
    {
        fixture.close();
    }

    @Test
    void shouldGoOnBehindAnyPosition()
    {
        final List<Entry> all = fixture.order();
        assertTrue(all.stream().anyMatch(entry -> entry.source() == OrderTailer.TICK));
        final long[] ordered = new long[SOURCES];
        try (OrderedEvents events = new OrderedEvents(fixture.sources(), fixture.orderLog()))
        {
            for (int position = 0; position <= all.size(); position++)
            {
                events.moveAfter(position, ordered);
                assertEquals(all.subList(position, all.size()), OrderFixture.order(events));
                if (position < all.size() && all.get(position).source() >= 0)
                {
                    ordered[all.get(position).source()]++;
                }
            }
        }
    }

    @Test
    void shouldRefuseAPositionThatTheOrderDoesNotReach()
    {
        final int last = fixture.order().size();
        try (OrderTailer order = new OrderTailer(fixture.orderLog(), fixture.topology()))
        {
            order.moveAfter(last);
            assertFalse(order.next());
            final String message = assertThrows(OrderException.class, () -> order.moveAfter(last + 1)).getMessage();
            assertTrue(message.contains("has no position " + (last + 1) + ", it ends with " + last), message);
            order.moveAfter(1);
            assertTrue(order.next());
            assertEquals(2, order.position());
        }
    }

    @Test
    void shouldReadOnWhenTheOrderGrows()
    {
        try (OrderTailer order = new OrderTailer(fixture.orderLog(), fixture.topology()))
        {
            while (order.next())
            {
                // To the end.
            }
            final long last = order.position();
            assertFalse(order.next());
            fixture.arrive(1, 1_000_000);
            drain(fixture.sequencer());
            assertTrue(order.next());
            assertEquals(last + 1, order.position());
            assertEquals(1, order.source());
            assertFalse(order.next());
        }
    }

    @Test
    void shouldReadAnEmptyOrder(@TempDir final Path empty)
    {
        try (OrderFixture none = new OrderFixture(empty, 1);
            OrderTailer order = new OrderTailer(none.orderLog(), none.topology()))
        {
            order.moveAfter(0);
            assertFalse(order.next());
            assertEquals(0, order.position());
            assertThrows(OrderException.class, () -> order.moveAfter(1));
        }
    }

    @Test
    void shouldRefuseALogThatIsNoOrder()
    {
        try (OrderTailer order = new OrderTailer(fixture.sources().log(0), fixture.topology()))
        {
            assertThrows(OrderException.class, order::next);
        }
    }
}
