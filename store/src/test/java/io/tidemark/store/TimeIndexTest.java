package io.tidemark.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tidemark.store.page.PageStore;
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
import org.junit.jupiter.params.provider.ValueSource;

/** Trees against sorted lists: two owners and sides share a slot, so that nothing may leak from one to the other. */
class TimeIndexTest
{
    private record Row(long start, int hash, long mark, int length)
    {
    }

    @TempDir
    private Path directory;
    private PageStore store;
    private Slots slots;
    private Slot slot;
    private final RowCursor cursor = new RowCursor();
    private final List<List<Row>> expected = new ArrayList<>();
    private final int[] owners = new int[3];
    private long nextMark = 1;

    @BeforeEach
    void openStore()
    {
        store = PageStore.create(directory, 1 << 18);
        slots = new Slots(store, 1);
        slot = slots.slot(0);
        for (int i = 0; i < owners.length; i++)
        {
            owners[i] = slot.arena().allocate(0);
            expected.add(new ArrayList<>());
        }
    }

    @AfterEach
    void closeStore()
    {
        slots.close();
        store.close();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void shouldHoldWhatASortedListHolds(final long seed)
    {
        final SplittableRandom random = new SplittableRandom(seed);
        final int spread = seed % 2 == 0 ? 50 : 1_000_000;
        for (int step = 0; step < 12_000; step++)
        {
            final int tree = random.nextInt(owners.length);
            final boolean growing = step / 3_000 % 2 == 0;
            if (random.nextInt(100) < (growing ? 80 : 30))
            {
                final long start = seed % 3 == 0 ? step : random.nextInt(spread);
                insert(tree, start, random.nextInt(2_000), 48 + random.nextInt(random.nextInt(10) == 0 ? 350 : 20));
            }
            else if (random.nextInt(4) == 0)
            {
                removeSome(tree, random);
            }
            else
            {
                removeOne(tree, random);
            }
            if (step % 500 == 0)
            {
                assertSame(random);
            }
        }
        assertSame(random);
        for (int tree = 0; tree < owners.length; tree++)
        {
            while (!expected.get(tree).isEmpty())
            {
                removeSome(tree, random);
            }
        }
        assertSame(random);
        assertEquals(owners.length * (long)Arena.LINE, slot.arena().blockBytes(), "empty trees must leave nothing");
    }

    /** Nine rows a leaf, and 254 leaves an inner node: trees of three levels grow and shrink, and share their slot. */
    @ParameterizedTest
    @ValueSource(strings = {"random", "falling", "equal", "few"})
    void shouldKeepEveryInvariantOfTreesWithThreeLevels(final String shape)
    {
        final SplittableRandom random = new SplittableRandom(shape.hashCode());
        final List<int[]> rows = new ArrayList<>();
        for (int round = 0; round < 2; round++)
        {
            for (int i = 0; i < 30_000; i++)
            {
                final int start = switch (shape)
                {
                    case "random" -> random.nextInt();
                    case "falling" -> -i;
                    case "equal" -> 7;
                    default -> random.nextInt(20);
                };
                final int tree = i % 9 == 0 ? 1 : 0;
                // hashes that several rows have, some of them in one leaf
                final int hash = random.nextInt(50_000);
                final long body = slot.rows().insert(root(tree), owners[tree], start, hash, TimeIndex.LONGEST_BODY);
                UnsafeApi.putInt(body, rows.size());
                rows.add(new int[]{tree, hash});
            }
            audit();
            final int kept = round == 0 ? 3_000 : 0;
            for (int i = rows.size() - 1; i >= kept; i--)
            {
                final int other = random.nextInt(i + 1);
                final int[] row = rows.get(other);
                final int mark = markAt(row, other);
                slot.rows().remove(root(row[0]), cursor.leaf(), 1L << cursor.entry());
                assertEquals(other, mark);
                if (other != i)
                {
                    markAt(rows.get(i), i);
                    UnsafeApi.putInt(cursor.body(), other);
                    rows.set(other, rows.get(i));
                }
                rows.remove(i);
                if (i % 10_000 == 0)
                {
                    audit();
                }
            }
        }
        audit();
        assertEquals(owners.length * (long)Arena.LINE, slot.arena().blockBytes());
    }

    /** Sets the cursor to the row with a mark. */
    private int markAt(final int[] row, final int mark)
    {
        final int tree = row[0];
        boolean found = slot.rows().findFirst(cursor, rootRef(tree), owners[tree], row[1]);
        while (found && UnsafeApi.getInt(cursor.body()) != mark)
        {
            found = slot.rows().findNext(cursor, owners[tree], row[1]);
        }
        assertTrue(found, () -> "row " + mark + " is not found");
        return UnsafeApi.getInt(cursor.body());
    }

    private void audit()
    {
        final SlotAudit audit = new SlotAudit(slot);
        for (int tree = 0; tree < owners.length; tree++)
        {
            audit.block(owners[tree], 0);
            audit.tree(rootRef(tree), owners[tree], row ->
            {
            });
        }
        audit.finish();
    }

    @Test
    void shouldFillLeavesWhenRowsComeInOrderOfTime()
    {
        final int rows = 100_000;
        for (int i = 0; i < rows; i++)
        {
            insert(0, i, i * 31, 64);
        }
        final double bytesPerRow = (double)slot.arena().blockBytes() / rows;
        assertTrue(bytesPerRow < 84, "rows of 64 + 16 bytes took " + bytesPerRow + " bytes each");
    }

    private long root(final int tree)
    {
        return slot.arena().address(owners[tree]);
    }

    private int rootRef(final int tree)
    {
        return UnsafeApi.getInt(root(tree));
    }

    private void insert(final int tree, final long start, final int hash, final int length)
    {
        final long mark = nextMark++;
        final long body = slot.rows().insert(root(tree), owners[tree], start, hash, length);
        for (int i = 0; i < length; i++)
        {
            assertEquals(0, UnsafeApi.getByte(body + i), "a new body is zeroed");
        }
        UnsafeApi.putLong(body, mark);
        UnsafeApi.putLong(body + length - 8, mark);
        assertEquals(body, slot.rows().inserted().body());
        final List<Row> rows = expected.get(tree);
        int position = rows.size();
        while (position > 0 && rows.get(position - 1).start > start)
        {
            position--;
        }
        rows.add(position, new Row(start, hash, mark, length));
    }

    private void removeOne(final int tree, final SplittableRandom random)
    {
        final List<Row> rows = expected.get(tree);
        if (rows.isEmpty())
        {
            return;
        }
        final Row row = rows.remove(random.nextInt(rows.size()));
        assertTrue(find(tree, row), () -> "not found: " + row);
        slot.rows().remove(root(tree), cursor.leaf(), 1L << cursor.entry());
    }

    private void removeSome(final int tree, final SplittableRandom random)
    {
        if (!slot.rows().first(cursor, rootRef(tree)))
        {
            return;
        }
        int leaf = cursor.leaf();
        int leaves = 3;
        while (leaf != 0 && leaves-- > 0)
        {
            slot.rows().toLeaf(cursor, leaf);
            final long chosen = random.nextInt(3) == 0 ? -1L : random.nextLong();
            final long set = chosen & (1L << cursor.count) - 1;
            final List<Long> marks = new ArrayList<>();
            for (long left = set; left != 0; left &= left - 1)
            {
                cursor.entry = Long.numberOfTrailingZeros(left);
                marks.add(UnsafeApi.getLong(cursor.body()));
            }
            expected.get(tree).removeIf(row -> marks.contains(row.mark));
            leaf = set == 0 ? NodeDescriptor.right(cursor.address) : slot.rows().remove(root(tree), leaf, set);
        }
    }

    private boolean find(final int tree, final Row row)
    {
        boolean found = slot.rows().findFirst(cursor, rootRef(tree), owners[tree], row.hash);
        while (found && UnsafeApi.getLong(cursor.body()) != row.mark)
        {
            found = slot.rows().findNext(cursor, owners[tree], row.hash);
        }
        return found;
    }

    private void assertSame(final SplittableRandom random)
    {
        for (int tree = 0; tree < owners.length; tree++)
        {
            final List<Row> rows = expected.get(tree);
            boolean more = slot.rows().first(cursor, rootRef(tree));
            for (final Row row : rows)
            {
                assertTrue(more);
                assertEquals(row, new Row(
                    cursor.start(), cursor.hash(), UnsafeApi.getLong(cursor.body()), cursor.length()));
                assertEquals(row.mark, UnsafeApi.getLong(cursor.body() + row.length - 8));
                more = slot.rows().next(cursor);
            }
            assertFalse(more);
            for (int i = 0; i < 20; i++)
            {
                assertSeeks(tree, random.nextInt(60));
                if (!rows.isEmpty())
                {
                    assertSeeks(tree, rows.get(random.nextInt(rows.size())).start);
                    assertTrue(find(tree, rows.get(random.nextInt(rows.size()))));
                }
            }
            assertFalse(slot.rows().findFirst(cursor, rootRef(tree), owners[tree], 1_000_000));
        }
    }

    private void assertSeeks(final int tree, final long start)
    {
        final Row first = expected.get(tree).stream()
            .filter(row -> row.start >= start)
            .min(Comparator.comparingLong(Row::start))
            .orElse(null);
        final boolean found = slot.rows().seek(cursor, rootRef(tree), start);
        assertEquals(first != null, found);
        if (found)
        {
            final Row row = expected.get(tree).stream()
                .filter(r -> r.start == cursor.start()).findFirst().orElseThrow();
            assertEquals(first.start, cursor.start());
            assertEquals(row.mark, UnsafeApi.getLong(cursor.body()), "the first of equal starts");
        }
    }
}
