package io.tidemark.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tidemark.store.page.PageStore;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.agrona.UnsafeApi;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Blocks and the hash index of a slot, against collections of the JDK. */
class SlotTest
{
    @TempDir
    private Path directory;
    private PageStore store;
    private Slots slots;

    @BeforeEach
    void openStore()
    {
        store = PageStore.create(directory, 1 << 18);
        slots = new Slots(store, 4);
    }

    @AfterEach
    void closeStore()
    {
        slots.close();
        store.close();
    }

    @Test
    void shouldHandOutZeroedBlocksThatDoNotOverlap()
    {
        final Arena arena = slots.slot(1).arena();
        final SplittableRandom random = new SplittableRandom(7);
        final Map<Integer, Integer> held = new HashMap<>();
        final List<Integer> refs = new ArrayList<>();
        for (int step = 0; step < 200_000; step++)
        {
            if (refs.isEmpty() || random.nextInt(100) < (step < 100_000 ? 60 : 45))
            {
                final int sizeClass = random.nextInt(Arena.CLASSES);
                final int ref = arena.allocate(sizeClass);
                final long address = arena.address(ref);
                assertEquals(0, address % 64);
                for (int offset = 0; offset < Arena.sizeOf(sizeClass); offset += 8)
                {
                    assertEquals(0, UnsafeApi.getLong(address + offset));
                    UnsafeApi.putLong(address + offset, ref);
                }
                assertEquals(null, held.put(ref, sizeClass));
                refs.add(ref);
            }
            else
            {
                final int i = random.nextInt(refs.size());
                final int ref = refs.get(i);
                refs.set(i, refs.get(refs.size() - 1));
                refs.remove(refs.size() - 1);
                final int sizeClass = held.remove(ref);
                for (int offset = 0; offset < Arena.sizeOf(sizeClass); offset += 8)
                {
                    assertEquals(ref, UnsafeApi.getLong(arena.address(ref) + offset));
                }
                arena.free(ref, sizeClass);
            }
        }
        for (final int ref : refs)
        {
            arena.free(ref, held.get(ref));
        }
        assertEquals(0, arena.blockBytes());
        final int pages = arena.pages();
        for (int i = 0; i < pages - pages / 100 - 20; i++)
        {
            arena.allocate(Arena.LARGEST_CLASS);
        }
        assertEquals(pages, arena.pages(), "pages of freed blocks must serve any class again");
    }

    /** Whatever was on a page before: pages come back, for blocks of other sizes too. */
    @Test
    void shouldTellWhereABlockOfAMarkedClassBegins()
    {
        final Arena arena = slots.slot(1).arena();
        final SplittableRandom random = new SplittableRandom(17);
        final Map<Integer, Integer> held = new HashMap<>();
        final List<Integer> refs = new ArrayList<>();
        for (int round = 0; round < 300; round++)
        {
            for (int i = random.nextInt(200); i > 0; i--)
            {
                final int plain = random.nextInt(Arena.CLASSES / 2);
                final int sizeClass = random.nextInt(3) == 0 ? plain : Arena.marked(plain);
                final int ref = arena.allocate(sizeClass);
                held.put(ref, sizeClass);
                refs.add(ref);
            }
            for (int i = random.nextInt(4) == 0 ? refs.size() : refs.size() / 2; i > 0; i--)
            {
                final int ref = refs.remove(random.nextInt(refs.size()));
                arena.free(ref, held.remove(ref));
            }
            for (int ref = 64; ref < (arena.pages() + 2) << 6; ref++)
            {
                assertEquals(held.getOrDefault(ref, 0) >= Arena.CLASSES / 2, arena.isMarked(ref), "at " + ref);
            }
        }
    }

    @Test
    void shouldFindWhatWasInsertedAmongHashesThatCollide()
    {
        final HashIndex index = slots.slot(0).keys();
        final SplittableRandom random = new SplittableRandom(11);
        final Map<Integer, Set<Integer>> expected = new HashMap<>();
        int size = 0;
        for (int step = 0; step < 400_000; step++)
        {
            final int hash = random.nextInt(4) == 0 ?
                random.nextInt(200) << 20 : (int)(((random.nextInt(60_000) + 1) * 0x9E37_79B9_7F4A_7C15L) >>> 32);
            final Set<Integer> refs = expected.computeIfAbsent(hash, h -> new HashSet<>());
            if (random.nextInt(100) < (step < 200_000 ? 65 : 40))
            {
                final int ref = step + 1;
                index.insert(hash, ref);
                refs.add(ref);
                size++;
            }
            else if (!refs.isEmpty())
            {
                final int ref = refs.iterator().next();
                refs.remove(ref);
                if (random.nextBoolean())
                {
                    index.remove(hash, ref);
                    size--;
                }
                else
                {
                    index.replace(hash, ref, -step - 1);
                    refs.add(-step - 1);
                }
            }
        }
        assertEquals(size, index.size());
        int walked = 0;
        for (int place = 0; place < index.places(); place++)
        {
            for (int entry = 0; entry < index.entries(place); entry++)
            {
                walked += index.refAt(place, entry) != 0 ? 1 : 0;
            }
        }
        assertEquals(size, walked);
        expected.forEach((hash, refs) ->
        {
            final Set<Integer> found = new HashSet<>();
            for (int ref = index.first(hash); ref != 0; ref = index.next())
            {
                assertTrue(found.add(ref));
            }
            assertEquals(refs, found);
        });
    }

    /** More entries of one hash than a page holds, among others that share some of its bits or none. */
    @Test
    void shouldFindAnyNumberOfEntriesOfOneHashAndGiveTheirPagesBack()
    {
        final HashIndex index = slots.slot(0).keys();
        final SplittableRandom random = new SplittableRandom(19);
        final int[] hashes = {0x1234_5678, 0x1234_5679, 0x1234_5FFF, 0x1235_5678, 0x9234_5678, 0, -1};
        final Map<Integer, List<Integer>> expected = new HashMap<>();
        int ref = 1;
        for (int round = 0; round < 6; round++)
        {
            for (int step = 0; step < 6_000; step++)
            {
                final int hash = step % 20 == 0 ? random.nextInt() : hashes[random.nextInt(1 + round % hashes.length)];
                index.insert(hash, ref);
                expected.computeIfAbsent(hash, h -> new ArrayList<>()).add(ref++);
            }
            assertHolds(index, expected);
            expected.forEach((hash, refs) ->
            {
                while (refs.size() > random.nextInt(4))
                {
                    index.remove(hash, refs.remove(random.nextInt(refs.size())));
                }
            });
            assertHolds(index, expected);
            final long pages = slots.slot(0).arena().pages();
            assertTrue(pages < 200, () -> pages + " pages");
        }
    }

    private static void assertHolds(final HashIndex index, final Map<Integer, List<Integer>> expected)
    {
        int walked = 0;
        for (int place = 0; place < index.places(); place++)
        {
            for (int entry = 0; entry < index.entries(place); entry++)
            {
                walked += index.refAt(place, entry) != 0 ? 1 : 0;
            }
        }
        assertEquals(expected.values().stream().mapToInt(List::size).sum(), walked);
        assertEquals(walked, index.size());
        expected.forEach((hash, refs) ->
        {
            final Set<Integer> found = new HashSet<>();
            for (int ref = index.first(hash); ref != 0; ref = index.next())
            {
                assertTrue(found.add(ref));
            }
            assertEquals(Set.copyOf(refs), found);
        });
    }

    @Test
    void shouldGiveAllPagesBackWhenASlotIsDropped()
    {
        slots.slot(2).arena().allocate(3);
        slots.slot(0).keys().insert(5, 6);
        final long both = slots.pages();
        slots.drop(2);
        assertTrue(slots.pages() < both);
        assertEquals(6, slots.slot(0).keys().first(5), "other slots are untouched");
        slots.drop(0);
        assertEquals(0, slots.pages());
    }
}
