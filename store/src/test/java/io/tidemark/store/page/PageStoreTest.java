package io.tidemark.store.page;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import org.agrona.UnsafeApi;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PageStoreTest
{
    private static final int PAGES = 20_000;

    @TempDir
    private Path directory;

    @Test
    void shouldKeepEveryPageAtItsAddressWhileMapsAreAdded()
    {
        try (PageStore store = PageStore.create(directory, PAGES))
        {
            final long[] addresses = new long[PAGES];
            for (int i = 0; i < PAGES; i++)
            {
                addresses[i] = store.allocate();
                assertEquals(0, addresses[i] % 64, "a key's line must be one cache line");
                for (int offset = 0; offset < PageStore.PAGE_SIZE; offset += 8)
                {
                    UnsafeApi.putLong(addresses[i] + offset, i);
                }
            }
            for (int i = 0; i < PAGES; i++)
            {
                assertEquals(i, UnsafeApi.getLong(addresses[i]));
                assertEquals(i, UnsafeApi.getLong(addresses[i] + PageStore.PAGE_SIZE - 8));
            }
            assertEquals(PAGES, store.pages());
        }
    }

    @Test
    void shouldHandOutZeroedPagesAgainAfterTheyWereReleased()
    {
        try (PageStore store = PageStore.create(directory, PAGES))
        {
            final Set<Long> addresses = new HashSet<>();
            for (int round = 0; round < 3; round++)
            {
                while (addresses.size() < 5_000)
                {
                    final long address = store.allocate();
                    assertTrue(addresses.add(address), "two pages in one place");
                    assertEquals(0, UnsafeApi.getLong(address));
                    assertEquals(0, UnsafeApi.getLong(address + PageStore.PAGE_SIZE - 8));
                    UnsafeApi.putLong(address, -1);
                    UnsafeApi.putLong(address + PageStore.PAGE_SIZE - 8, -1);
                }
                final int kept = 100 * (round + 1);
                addresses.stream().skip(kept).forEach(store::release);
                addresses.retainAll(addresses.stream().limit(kept).toList());
                assertEquals(kept, store.pages());
            }
        }
    }

    @Test
    void shouldRefuseMorePagesThanAllowedBeforeTheMapOverflows()
    {
        try (PageStore store = PageStore.create(directory, 10))
        {
            for (int i = 0; i < 10; i++)
            {
                store.allocate();
            }
            final var refusal = assertThrows(StateFullException.class, () -> store.allocate());
            assertEquals(true, refusal.getMessage().contains("state is full: it holds 10 pages"));
        }
    }

    @Test
    void shouldNeverTrustWhatADeadProcessLeft() throws Exception
    {
        Files.write(directory.resolve("pages-0.map"), new byte[0]);
        try (PageStore store = PageStore.create(directory, 10))
        {
            assertEquals(0, UnsafeApi.getLong(store.allocate()));
        }
        assertFalse(Files.exists(directory.resolve("pages-0.map")), "what an earlier process left is deleted");
    }
}
