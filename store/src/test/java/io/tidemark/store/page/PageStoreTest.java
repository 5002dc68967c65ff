package io.tidemark.store.page;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.file.Files;
import java.nio.file.Path;
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
                addresses[i] = store.allocate(i);
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
            for (int round = 0; round < 3; round++)
            {
                for (int i = 0; i < 5_000; i++)
                {
                    final long address = store.allocate(i);
                    assertEquals(0, UnsafeApi.getLong(address));
                    assertEquals(0, UnsafeApi.getLong(address + PageStore.PAGE_SIZE - 8));
                    UnsafeApi.putLong(address, -1);
                    UnsafeApi.putLong(address + PageStore.PAGE_SIZE - 8, -1);
                }
                for (int i = 0; i < 5_000; i++)
                {
                    store.release(i);
                }
                assertEquals(0, store.pages());
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
                store.allocate(i);
            }
            final var refusal = assertThrows(StateFullException.class, () -> store.allocate(10));
            assertEquals(true, refusal.getMessage().contains("state is full: it holds 10 pages"));
        }
    }

    @Test
    void shouldNeverTrustWhatADeadProcessLeft() throws Exception
    {
        Files.write(directory.resolve("pages-0.map"), new byte[0]);
        try (PageStore store = PageStore.create(directory, 10))
        {
            assertEquals(0, UnsafeApi.getLong(store.allocate(1)));
        }
        assertFalse(Files.exists(directory.resolve("pages-0.map")), "working memory is deleted at the end");
    }
}
