package io.tidemark.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tidemark.store.page.PageStore;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.agrona.BufferUtil;
import org.agrona.UnsafeApi;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which pages are noted as changed, captures of them, and slots installed from captures. */
class CaptureTest
{
    private static final int SLOTS = 4;

    @TempDir
    private Path directory;
    private PageStore store;
    private PageStore other;
    private Slots slots;

    @BeforeEach
    void openStores()
    {
        store = PageStore.create(directory.resolve("one"), 1 << 18);
        other = PageStore.create(directory.resolve("other"), 1 << 18);
        slots = new Slots(store, SLOTS);
    }

    @AfterEach
    void closeStores()
    {
        slots.close();
        store.close();
        other.close();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void shouldNoteAllThatIsWrittenToAndCaptureItAsItStood(final long seed)
    {
        final RandomUse use = new RandomUse(seed);
        try (PageAudit audit = new PageAudit(slots, other, seed))
        {
            for (int round = 0; round < 120; round++)
            {
                use.steps(slots, round % 10 == 0 ? 3_000 : 100);
                audit.look();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void shouldGoOnFromInstalledPagesAsFromTheirOriginals(final long seed)
    {
        final RandomUse use = new RandomUse(seed);
        for (int round = 0; round < 10; round++)
        {
            use.steps(slots, 3_000);
            try (Slots copy = new Slots(other, SLOTS))
            {
                installAll(slots.capture(true), copy);
                final long next = seed * 31 + round;
                new RandomUse(next).steps(copy, 2_000);
                new RandomUse(next).steps(slots, 2_000);
                PageAudit.requireSame(PageAudit.copy(slots), PageAudit.copy(copy), "after going on");
                for (int slot = 0; slot < SLOTS; slot++)
                {
                    copy.drop(slot);
                }
            }
        }
    }

    @Test
    void shouldCaptureEveryPageAsItStoodWhileItsWriterGoesOn() throws Exception
    {
        final RandomUse use = new RandomUse(77);
        use.steps(slots, 200_000);
        for (int round = 0; round < 20; round++)
        {
            final Map<Long, byte[]> atBarrier = PageAudit.copy(slots);
            final PageCapture capture = slots.capture(true);
            final CompletableFuture<Map<Long, byte[]>> reader = CompletableFuture.supplyAsync(() -> read(capture));
            while (!reader.isDone())
            {
                use.steps(slots, 10);
            }
            PageAudit.requireSame(atBarrier, reader.get(), "when captured by another thread");
        }
    }

    @Test
    void shouldCaptureNothingWhenNothingHasChanged()
    {
        new RandomUse(5).steps(slots, 1_000);
        final PageCapture all = slots.capture(true);
        assertEquals(slots.pages(), all.pages());
        all.close();
        final PageCapture none = slots.capture(false);
        assertEquals(0, none.pages());
        assertFalse(none.next(0));
        none.close();
        UnsafeApi.putInt(slots.slot(2).fields() + 200, 7);
        final PageCapture header = slots.capture(false);
        assertEquals(1, header.pages());
        header.close();
    }

    @Test
    void shouldCaptureAsTheyStoodThePagesOfASlotThatIsDroppedMeanwhile()
    {
        final RandomUse first = new RandomUse(6);
        first.steps(slots, 5_000);
        final Map<Long, byte[]> atBarrier = PageAudit.copy(slots);
        final PageCapture capture = slots.capture(true);
        slots.drop(1);
        new RandomUse(7).steps(slots, 5_000);
        PageAudit.requireSame(atBarrier, read(capture), "after a slot was dropped");
    }

    @Test
    void shouldRefuseASecondCaptureWhileOneIsOpen()
    {
        slots.slot(0);
        final PageCapture first = slots.capture(true);
        assertThrows(IllegalStateException.class, () -> slots.capture(false));
        first.close();
        slots.capture(false).close();
    }

    @Test
    void shouldRefuseASlotOfWhichPagesAreMissing()
    {
        new RandomUse(8).steps(slots, 2_000);
        final PageCapture capture = slots.capture(true);
        final long page = UnsafeApi.allocateMemory(PageStore.PAGE_SIZE);
        try (Slots copy = new Slots(other, SLOTS))
        {
            while (capture.next(page))
            {
                if (capture.slot() != 2 || capture.page() != 3)
                {
                    copy.install(capture.slot(), capture.page(), page);
                }
            }
            capture.close();
            final String message = assertThrows(IllegalStateException.class, copy::installed).getMessage();
            assertTrue(message.contains("slot 2 "), message);
        }
        UnsafeApi.freeMemory(page);
    }

    private static Map<Long, byte[]> read(final PageCapture capture)
    {
        final Map<Long, byte[]> pages = new TreeMap<>();
        final byte[] bytes = new byte[PageStore.PAGE_SIZE];
        final long page = UnsafeApi.allocateMemory(PageStore.PAGE_SIZE);
        while (capture.next(page))
        {
            UnsafeApi.copyMemory(null, page, bytes, BufferUtil.ARRAY_BASE_OFFSET, bytes.length);
            pages.put((long)capture.slot() << 32 | capture.page(), bytes.clone());
        }
        capture.close();
        UnsafeApi.freeMemory(page);
        return pages;
    }

    private static void installAll(final PageCapture capture, final Slots into)
    {
        final long page = UnsafeApi.allocateMemory(PageStore.PAGE_SIZE);
        while (capture.next(page))
        {
            into.install(capture.slot(), capture.page(), page);
        }
        capture.close();
        UnsafeApi.freeMemory(page);
        into.installed();
    }
}
