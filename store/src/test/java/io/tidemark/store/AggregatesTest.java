package io.tidemark.store;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tidemark.store.page.PageStore;
import java.math.BigInteger;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import org.agrona.UnsafeApi;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Aggregates over spans of a tree against sums over a list, while the tree grows, changes and shrinks. */
class AggregatesTest
{
    private static final int MARK = 8;

    private record Row(long start, long value, long mark)
    {
    }

    @TempDir
    private Path directory;
    private PageStore store;
    private Slots slots;
    private Slot slot;
    private int owner;
    private final long target = UnsafeApi.allocateMemory(Aggregate.LENGTH);
    private final RowCursor cursor = new RowCursor();
    private final List<Row> rows = new ArrayList<>();
    private long nextMark;

    @BeforeEach
    void openStore()
    {
        store = PageStore.create(directory, 1 << 16);
        slots = new Slots(store, 1, UnsafeApi::getLong);
        slot = slots.slot(0);
        owner = slot.arena().allocate(0);
    }

    @AfterEach
    void closeStore()
    {
        slots.close();
        store.close();
        UnsafeApi.freeMemory(target);
    }

    /** Long bodies make nine rows a leaf, so that some thousands of rows are trees of three levels. */
    @ParameterizedTest
    @CsvSource({"1,random,400", "2,random,60", "3,rising,400", "4,falling,400", "5,equal,400", "6,few,400", "7,few,50"})
    void shouldHoldWhatAListAddsUpTo(final long seed, final String shape, final int length)
    {
        final SplittableRandom random = new SplittableRandom(seed);
        for (int step = 0; step < 9_000; step++)
        {
            final boolean growing = step / 3_000 % 2 == 0;
            final int choice = random.nextInt(100);
            if (choice < (growing ? 85 : 30) || rows.isEmpty())
            {
                insert(start(shape, step, random), value(random), length);
            }
            else if (choice < 90)
            {
                remove(rows.remove(random.nextInt(rows.size())));
            }
            else
            {
                change(random.nextInt(rows.size()), value(random));
            }
            if (step % 97 == 0)
            {
                assertSpans(random);
            }
        }
        while (!rows.isEmpty())
        {
            remove(rows.remove(random.nextInt(rows.size())));
            if (rows.size() % 97 == 0)
            {
                assertSpans(random);
            }
        }
        assertEquals(Arena.LINE, slot.arena().blockBytes(), "an empty tree must leave nothing");
    }

    @Test
    void shouldFindRowsFromBehind()
    {
        final SplittableRandom random = new SplittableRandom(5);
        for (int i = 0; i < 3_000; i++)
        {
            insert(random.nextInt(1_000), i, 48);
        }
        rows.sort(Comparator.comparingLong(Row::start).thenComparingLong(Row::mark));
        for (int start = -1; start <= 1_001; start++)
        {
            final int time = start;
            final List<Row> upTo = rows.stream().filter((row) -> row.start() <= time).toList();
            boolean found = slot.rows().seekLast(cursor, root(), time);
            for (int i = upTo.size() - 1; i >= Math.max(0, upTo.size() - 100); i--)
            {
                assertEquals(true, found);
                assertEquals(upTo.get(i).mark(), UnsafeApi.getLong(cursor.body() + MARK));
                found = slot.rows().previous(cursor);
            }
            assertEquals(upTo.size() > 100, found);
        }
    }

    @Test
    void shouldAddUpExactlyBeyondSixtyFourBits()
    {
        Aggregate.clear(target);
        BigInteger sum = BigInteger.ZERO;
        final SplittableRandom random = new SplittableRandom(9);
        final List<Long> values = new ArrayList<>();
        for (int i = 0; i < 10_000; i++)
        {
            final long value = switch (random.nextInt(4))
            {
                case 0 -> Long.MAX_VALUE;
                case 1 -> Long.MIN_VALUE;
                default -> random.nextLong() >> random.nextInt(64);
            };
            values.add(value);
            Aggregate.add(target, value);
            sum = sum.add(BigInteger.valueOf(value));
            if (random.nextInt(3) == 0)
            {
                final long taken = values.remove(random.nextInt(values.size()));
                Aggregate.take(target, taken);
                sum = sum.subtract(BigInteger.valueOf(taken));
            }
            assertEquals(sum, sum(target));
        }
        assertEquals(values.size(), Aggregate.count(target));
    }

    private void insert(final long start, final long value, final int length)
    {
        final Row row = new Row(start, value, nextMark++);
        final long body = slot.rows().insertMeasured(rootAddress(), owner, start, hash(row), length);
        UnsafeApi.putLong(body, value);
        UnsafeApi.putLong(body + MARK, row.mark());
        slot.rows().aggregates().inserted(slot.rows().inserted());
        rows.add(row);
    }

    private void remove(final Row row)
    {
        find(row);
        slot.rows().remove(rootAddress(), cursor.leaf(), 1L << cursor.entry());
    }

    private void change(final int i, final long value)
    {
        final Row row = rows.get(i);
        find(row);
        UnsafeApi.putLong(cursor.body(), value);
        slot.rows().aggregates().changed(cursor.leaf());
        rows.set(i, new Row(row.start(), value, row.mark()));
    }

    private void find(final Row row)
    {
        boolean found = slot.rows().findFirst(cursor, root(), owner, hash(row));
        while (found && UnsafeApi.getLong(cursor.body() + MARK) != row.mark())
        {
            found = slot.rows().findNext(cursor, owner, hash(row));
        }
        assertEquals(true, found);
    }

    private void assertSpans(final SplittableRandom random)
    {
        for (int i = 0; i < 12; i++)
        {
            final long a = i == 0 || rows.isEmpty() ? Long.MIN_VALUE : anyStart(random);
            final long b = i == 0 || rows.isEmpty() ? Long.MAX_VALUE : anyStart(random);
            final long from = Math.min(a, b);
            final long to = Math.max(a, b);
            Aggregate.clear(target);
            slot.rows().aggregates().addRows(root(), from, to, target);
            long count = 0;
            long min = 0;
            long max = 0;
            BigInteger sum = BigInteger.ZERO;
            for (final Row row : rows)
            {
                if (row.start() >= from && row.start() <= to)
                {
                    min = count == 0 ? row.value() : Math.min(min, row.value());
                    max = count == 0 ? row.value() : Math.max(max, row.value());
                    sum = sum.add(BigInteger.valueOf(row.value()));
                    count++;
                }
            }
            assertEquals(count, Aggregate.count(target));
            assertEquals(sum, sum(target));
            assertEquals(min, Aggregate.min(target));
            assertEquals(max, Aggregate.max(target));
        }
    }

    private long anyStart(final SplittableRandom random)
    {
        return rows.get(random.nextInt(rows.size())).start() + random.nextInt(3) - 1;
    }

    private static long start(final String shape, final int step, final SplittableRandom random)
    {
        return switch (shape)
        {
            case "random" -> random.nextInt();
            case "rising" -> step;
            case "falling" -> -step;
            case "equal" -> 7;
            default -> random.nextInt(20);
        };
    }

    private static long value(final SplittableRandom random)
    {
        return random.nextBoolean() ? random.nextInt(10) : random.nextLong();
    }

    private static BigInteger sum(final long aggregate)
    {
        return new BigInteger(Long.toUnsignedString(Aggregate.low(aggregate)))
            .add(BigInteger.valueOf(Aggregate.high(aggregate)).shiftLeft(64));
    }

    private static int hash(final Row row)
    {
        return (int)(row.mark() % 3_000) + 1;
    }

    private long rootAddress()
    {
        return slot.arena().address(owner) + 4;
    }

    private int root()
    {
        return UnsafeApi.getInt(rootAddress());
    }
}
