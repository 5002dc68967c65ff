package io.tidemark.operator.keyed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What was pushed comes out once the clock is past it and not before, against queues of the JDK. */
class CalendarTest
{
    /** A bucket of 256 nanoseconds. */
    private static final long WAIT_NS = 512 * 256;

    private static final int EXACT = 7;

    private record Entry(long due, long key) implements Comparable<Entry>
    {
        @Override
        public int compareTo(final Entry other)
        {
            return due != other.due ? Long.compare(due, other.due) : Long.compare(key, other.key);
        }
    }

    private final Calendar calendar = new Calendar(WAIT_NS);
    private final DueKeys cleanUps = new DueKeys();
    private final PriorityQueue<Entry> exact = new PriorityQueue<>();
    private final PriorityQueue<Entry> later = new PriorityQueue<>();
    private final long[] shown = new long[16];

    @AfterEach
    void free()
    {
        calendar.close();
        cleanUps.close();
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1_000_000, Long.MIN_VALUE + 1_000, Long.MAX_VALUE - 40_000_000})
    void shouldGiveEverythingOnceTheClockIsPastItInTheOrderOfDueTimesAndKeys(final long begin)
    {
        final SplittableRandom random = new SplittableRandom(13);
        assertEquals(Calendar.NOTHING_DUE, calendar.firstDue());
        long clock = Long.MIN_VALUE;
        for (int step = 0; step < 300_000; step++)
        {
            final long now = Math.max(clock, begin);
            final long reach = random.nextInt(50) == 0 ? 900_000 : random.nextInt(20) == 0 ? 0 : 90_000;
            push(random, clock, now + random.nextLong(reach + 1));
            if (random.nextInt(3) == 0)
            {
                clock = now + random.nextInt(random.nextInt(1_000) == 0 ? 200_000 : 60);
                takeDue(clock);
            }
        }
        takeDue(Long.MAX_VALUE);
        assertEquals(Calendar.NOTHING_DUE, calendar.firstDue());
        assertEquals(0, calendar.size());
    }

    @Test
    void shouldShowAllThatWaits()
    {
        final SplittableRandom random = new SplittableRandom(23);
        long clock = 0;
        for (int round = 0; round < 60; round++)
        {
            for (int i = random.nextInt(2_000); i > 0; i--)
            {
                push(random, clock, clock + random.nextInt(random.nextInt(4) == 0 ? 1_000_000 : 90_000));
            }
            clock += random.nextInt(50_000);
            takeDue(clock);
            final List<Entry> expected = new ArrayList<>(exact);
            expected.addAll(later);
            final List<Entry> seen = new ArrayList<>();
            calendar.forEach((due, slot, ref, note) -> seen.add(new Entry(due, Calendar.key(slot, ref))));
            assertEquals(expected.stream().sorted().toList(), seen.stream().sorted().toList());
            assertEquals(seen.size(), calendar.size());
        }
    }

    /** A bucket that very many fall into is opened in one go. */
    @Test
    void shouldGiveAMillionKeysThatAreDueAtOnce()
    {
        for (int i = 0; i < 1_000_000; i++)
        {
            final long key = Calendar.key(i & 255, 1 + (i * 7919 & 0xF_FFFF));
            calendar.pushLater(0, calendar.putOff(1_000, key), key);
        }
        takeAll(1_000_000);
        assertEquals(1_000_000, cleanUps.size());
        for (int i = 1; i < cleanUps.size(); i++)
        {
            assertTrue(new Entry(cleanUps.due(i - 1), cleanUps.key(i - 1))
                .compareTo(new Entry(cleanUps.due(i), cleanUps.key(i))) < 0);
        }
    }

    @Test
    void shouldBeEmptyAfterItWasClearedAndBeginAtAnyTimeAgain()
    {
        final SplittableRandom random = new SplittableRandom(29);
        for (int i = 0; i < 1_000; i++)
        {
            push(random, 0, random.nextInt(1_000_000));
        }
        takeDue(10_000);
        calendar.clear();
        exact.clear();
        later.clear();
        assertEquals(0, calendar.size());
        assertEquals(Calendar.NOTHING_DUE, calendar.firstDue());
        calendar.forEach((due, slot, ref, note) ->
        {
            throw new AssertionError("an entry is left");
        });
        push(random, -5_000_000, -4_000_000);
        takeDue(-4_500_000);
        takeDue(0);
        assertTrue(exact.isEmpty() && later.isEmpty());
    }

    private void push(final SplittableRandom random, final long clock, final long due)
    {
        final long key = Calendar.key(random.nextInt(256), 1 + random.nextInt(10_000));
        if (random.nextBoolean())
        {
            calendar.push(clock, due, key, EXACT);
            exact.add(new Entry(due, key));
        }
        else
        {
            final long putOff = calendar.putOff(due, key);
            assertTrue(putOff >= due && putOff - due <= 256, "put off from " + due + " to " + putOff);
            calendar.pushLater(clock, putOff, key);
            later.add(new Entry(putOff, key));
        }
    }

    private void takeDue(final long clock)
    {
        if (calendar.firstDue() < clock)
        {
            takeAll(clock);
            for (int i = 0; i < cleanUps.size(); i++)
            {
                assertEquals(later.poll(), new Entry(cleanUps.due(i), cleanUps.key(i)));
            }
            cleanUps.clear();
        }
        assertTrue(exact.isEmpty() || exact.peek().due >= clock);
        assertTrue(later.isEmpty() || later.peek().due >= clock);
        assertFalse(calendar.firstDue() < clock && clock < Long.MAX_VALUE);
    }

    private void takeAll(final long clock)
    {
        while (calendar.take(clock, cleanUps))
        {
            calendar.next(shown);
        }
        while (calendar.exactDue() < clock)
        {
            if (calendar.exactNote() == EXACT)
            {
                assertEquals(exact.poll(), new Entry(calendar.exactDue(), calendar.exactKey()));
            }
            else
            {
                cleanUps.add(calendar.exactKey(), calendar.exactDue());
            }
            calendar.popExact();
        }
        calendar.settle();
        cleanUps.sort();
    }
}
