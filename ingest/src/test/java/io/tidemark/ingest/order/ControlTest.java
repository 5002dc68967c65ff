package io.tidemark.ingest.order;

import io.tidemark.ingest.codec.MessageHeaderDecoder;
import io.tidemark.ingest.codec.MessageHeaderEncoder;
import io.tidemark.ingest.codec.PublicationDecoder;
import io.tidemark.ingest.codec.PublicationEncoder;
import io.tidemark.ingest.log.Log;
import io.tidemark.ingest.log.LogTailer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import static io.tidemark.ingest.order.OrderFixture.drain;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Barriers and publications: how they come into the order, and how they are read there. */
class ControlTest
{
    @TempDir
    Path directory;

    private OrderFixture fixture;
    private Log controlLog;
    private boolean isReady = true;
    private long dueAfter = Long.MAX_VALUE;

    @BeforeEach
    void open()
    {
        fixture = new OrderFixture(directory, 2);
        controlLog = ControlLog.openReadOnly(directory, () -> 0);
    }

    @AfterEach
    void close()
    {
        controlLog.close();
        fixture.close();
    }

    @Test
    void shouldPutABarrierThatIsAskedForBehindWhatIsOrderedOnce()
    {
        Sequencer sequencer = sequencer(OrderMark.start(2));
        fixture.arrive(0, 1);
        fixture.arrive(1, 2);
        drain(sequencer);
        requestBarrier();
        drain(sequencer);
        fixture.arrive(0, 3);
        drain(sequencer);
        assertEquals(List.of("1", "2", "barrier 2 requests 1", "3"), order());
        sequencer.onClose();
        sequencer = sequencer(OrderMark.start(2));
        assertEquals(0, drain(sequencer));
        assertEquals(3, sequencer.lastPosition());
        assertEquals(List.of("1", "2", "barrier 2 requests 1", "3"), order());
    }

    @Test
    void shouldLetARequestWaitUntilACheckpointCanBeTaken()
    {
        isReady = false;
        final Sequencer sequencer = sequencer(OrderMark.start(2));
        fixture.arrive(0, 1);
        requestBarrier();
        drain(sequencer);
        assertEquals(List.of("1"), order());
        isReady = true;
        drain(sequencer);
        assertEquals(List.of("1", "barrier 1 requests 1"), order());
    }

    @Test
    void shouldWriteABarrierWhenOneIsDue()
    {
        dueAfter = 2;
        final Sequencer sequencer = sequencer(OrderMark.start(2));
        fixture.arrive(0, 1);
        drain(sequencer);
        fixture.arrive(0, 2);
        fixture.arrive(0, 3);
        drain(sequencer);
        fixture.arrive(0, 4);
        drain(sequencer);
        sequencer.writeBarrier();
        assertEquals(List.of("1", "2", "3", "barrier 3 requests 0", "4", "barrier 4 requests 0"), order());
    }

    @Test
    void shouldGiveAPublicationAPositionWhenAllItsPartsAreThere()
    {
        final Sequencer sequencer = sequencer(OrderMark.start(2));
        fixture.arrive(0, 1);
        drain(sequencer);
        final byte[] content = new byte[2 * ControlLog.MAX_PART_LENGTH + 7];
        for (int i = 0; i < content.length; i++)
        {
            content[i] = (byte)(i * 31);
        }
        try (ControlLog control = ControlLog.open(directory, () -> 0))
        {
            assertEquals(0, control.requestPublication(5, 6, 7, new UnsafeBuffer(content), 0, content.length));
            assertEquals(3, control.requestBarrier());
        }
        drain(sequencer);
        fixture.arrive(1, 9);
        drain(sequencer);
        assertEquals(List.of("1", "2 publication 0 x3", "barrier 2 requests 4", "3"), order());
        final byte[] read = new byte[content.length];
        int length = 0;
        final PublicationDecoder publication = new PublicationDecoder();
        try (LogTailer records = controlLog.tailer())
        {
            for (int part = 0; part < 3; part++)
            {
                assertTrue(records.poll());
                publication.wrapAndApplyHeader(records.buffer(), records.offset(), new MessageHeaderDecoder());
                length += publication.getContent(read, length, read.length - length);
            }
        }
        assertEquals(new UnsafeBuffer(content), new UnsafeBuffer(read));
    }

    @Test
    void shouldPassOverAPublicationWhoseWriterDied()
    {
        try (Log log = Log.open(directory.resolve(ControlLog.NAME), () -> 0))
        {
            final UnsafeBuffer record = new UnsafeBuffer(new byte[256]);
            new PublicationEncoder()
                .wrapAndApplyHeader(record, 0, new MessageHeaderEncoder())
                .candidate(5).part(0).parts(2).putContent(new byte[3], 0, 3);
            log.appender().append(record, 0, 100);
        }
        Sequencer sequencer = sequencer(OrderMark.start(2));
        assertEquals(0, drain(sequencer));
        sequencer.onClose();
        sequencer = sequencer(OrderMark.start(2));
        try (ControlLog control = ControlLog.open(directory, () -> 0))
        {
            control.requestPublication(5, 0, 0, new UnsafeBuffer(new byte[3]), 0, 3);
        }
        drain(sequencer);
        assertEquals(List.of("1 publication 1 x1"), order());
    }

    @Test
    void shouldGoOnFromAnyPlaceInTheOrder()
    {
        dueAfter = 3;
        final Sequencer first = sequencer(OrderMark.start(2));
        for (int i = 1; i <= 20; i++)
        {
            fixture.arrive(i / 5 % 2, i);
            if (i % 4 == 0)
            {
                drain(first);
            }
        }
        first.onClose();
        dueAfter = Long.MAX_VALUE;
        final List<String> all = order();
        assertTrue(all.contains("barrier 4 requests 0"), all.toString());
        final long[] ordered = new long[2];
        try (OrderedEvents before = new OrderedEvents(fixture.sources(), fixture.orderLog()))
        {
            for (long position = 1; position <= 20; position++)
            {
                assertTrue(before.next());
                ordered[before.source()]++;
                final OrderMark mark = new OrderMark(position, ordered, 0, position, new long[2]);
                final Sequencer sequencer = sequencer(mark);
                assertEquals(20, sequencer.lastPosition());
                assertEquals(0, drain(sequencer));
                sequencer.onClose();
                try (OrderedEvents after = new OrderedEvents(fixture.sources(), fixture.orderLog(), true))
                {
                    after.moveAfter(mark);
                    final List<String> rest = texts(after);
                    rest.remove("barrier " + position + " requests 0");
                    final List<String> expected = new ArrayList<>(all.subList(
                        all.indexOf(Long.toString(position)) + 1, all.size()));
                    expected.remove("barrier " + position + " requests 0");
                    assertEquals(expected, rest);
                }
            }
            assertFalse(before.next());
        }
    }

    private void requestBarrier()
    {
        try (ControlLog control = ControlLog.open(directory, () -> 0))
        {
            control.requestBarrier();
        }
    }

    private Sequencer sequencer(final OrderMark mark)
    {
        return new Sequencer(fixture.sources(), fixture.orderLog(), controlLog, mark, new BarrierPolicy()
        {
            private long last;

            @Override
            public boolean isReady()
            {
                return isReady;
            }

            @Override
            public boolean isDue(final long lastPosition)
            {
                return lastPosition - last > dueAfter - 1;
            }

            @Override
            public void onBarrier(final long position)
            {
                last = position;
            }
        }, Sequencer.NO_TICKS, () -> 0);
    }

    private List<String> order()
    {
        try (OrderedEvents events = new OrderedEvents(fixture.sources(), fixture.orderLog(), true))
        {
            return texts(events);
        }
    }

    private static List<String> texts(final OrderedEvents events)
    {
        final List<String> order = new ArrayList<>();
        while (events.next())
        {
            if (events.isBarrier())
            {
                order.add("barrier " + events.position() + " requests " + events.requests());
            }
            else
            {
                order.add(events.position() + (events.isControl() ?
                    " publication " + events.requests() + " x" + events.controlRecords() : ""));
            }
        }
        return order;
    }
}
