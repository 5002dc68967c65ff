package io.tidemark.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tidemark.store.page.PageStore;
import io.tidemark.store.snapshot.CheckpointDirectory;
import io.tidemark.store.snapshot.LogMark;
import io.tidemark.store.snapshot.Manifest;
import io.tidemark.store.snapshot.SlotDigests;
import io.tidemark.store.snapshot.SnapshotException;
import io.tidemark.store.snapshot.SnapshotLoader;
import io.tidemark.store.snapshot.SnapshotRequest;
import io.tidemark.store.snapshot.SnapshotRequest.PageCounts;
import io.tidemark.store.snapshot.SnapshotSteps;
import io.tidemark.store.snapshot.SnapshotWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Checkpoints on disk: chains, folding, what is kept, and that nothing damaged is believed. */
class SnapshotTest
{
    private static final int SLOTS = 4;
    private static final int KEEP = 3;

    @TempDir
    private Path directory;
    private PageStore store;
    private Slots slots;
    private CheckpointDirectory checkpoints;
    private SnapshotWriter writer;
    private boolean hasFolded;

    @BeforeEach
    void open()
    {
        store = PageStore.create(directory.resolve("state"), 1 << 16);
        slots = new Slots(store, SLOTS);
        checkpoints = new CheckpointDirectory(directory);
        writer = writer();
    }

    private SnapshotWriter writer()
    {
        return new SnapshotWriter(checkpoints, SLOTS, KEEP, true, SnapshotSteps.NONE);
    }

    @AfterEach
    void close()
    {
        writer.close();
        slots.close();
        store.close();
    }

    @Test
    void shouldLoadWhatWasTakenWhateverTheChainOfFiles()
    {
        final RandomUse use = new RandomUse(5);
        use.steps(slots, 60_000);
        for (long position = 1; position <= 40; position++)
        {
            use.steps(slots, 5);
            final Manifest manifest = take(position);
            assertEquals(manifest.stateDigest(), checkpoints.manifest(position).stateDigest());
            assertEquals(Math.min(position, KEEP), checkpoints.positions().size());
            if (position % 7 == 0)
            {
                assertEquals(digestsOf(slots), digestsOfLoaded(manifest));
            }
        }
        assertTrue(hasFolded);
    }

    @Test
    void shouldNotBelieveAFileOfWhichAnyBitWasChanged() throws IOException
    {
        new RandomUse(6).steps(slots, 2_000);
        take(1);
        take(2);
        final SplittableRandom random = new SplittableRandom(7);
        for (final Path file : files())
        {
            final byte[] whole = Files.readAllBytes(file);
            for (int i = 0; i < 60; i++)
            {
                final byte[] damaged = whole.clone();
                damaged[random.nextInt(damaged.length)] ^= (byte)(1 << random.nextInt(8));
                assertRefused(file, damaged);
                final byte[] cut = new byte[random.nextInt(whole.length)];
                System.arraycopy(whole, 0, cut, 0, cut.length);
                assertRefused(file, cut);
            }
            Files.write(file, whole);
        }
        for (final long position : checkpoints.positions())
        {
            new SnapshotLoader(checkpoints).verify(checkpoints.manifest(position));
        }
    }

    @Test
    void shouldTakeAwayWhatADeadProcessLeft() throws IOException
    {
        new RandomUse(8).steps(slots, 500);
        take(1);
        Files.write(checkpoints.path().resolve("0000000000000000009-changed.pages"), new byte[10]);
        Files.write(checkpoints.path().resolve("0000000000000000009.manifest.tmp"), new byte[10]);
        final int before = files().size();
        writer.close();
        writer = writer();
        assertEquals(before - 2, files().size());
        assertEquals(List.of(1L), checkpoints.positions());
    }

    private Manifest take(final long position)
    {
        final boolean all = writer.needsAll();
        final SnapshotRequest request = new SnapshotRequest(position, 0, 0, "a; test=1%", new Manifest.Bytes(
            new byte[]{1, 2, (byte)position}), List.of(new LogMark("order", position, -1)), slots.capture(all), all,
            counts(slots));
        writer.write(request, () -> {});
        hasFolded |= writer.fold();
        return writer.newest();
    }

    private List<String> digestsOfLoaded(final Manifest manifest)
    {
        try (PageStore other = PageStore.create(directory.resolve("other"), 1 << 16);
            Slots loaded = new Slots(other, SLOTS))
        {
            new SnapshotLoader(checkpoints).load(manifest, loaded).close();
            return digestsOf(loaded);
        }
    }

    private static List<String> digestsOf(final Slots slots)
    {
        try (SlotDigests digests = new SlotDigests(SLOTS); PageCapture capture = slots.capture(true))
        {
            digests.update(capture);
            return digests.of(counts(slots)).stream().map(Object::toString).toList();
        }
    }

    private static PageCounts counts(final Slots slots)
    {
        final int[] counts = new int[SLOTS];
        for (int slot = 0; slot < SLOTS; slot++)
        {
            counts[slot] = slots.pageCount(slot);
        }
        return new PageCounts(counts);
    }

    private List<Path> files() throws IOException
    {
        try (Stream<Path> all = Files.list(checkpoints.path()))
        {
            return all.sorted().toList();
        }
    }

    private void assertRefused(final Path file, final byte[] content) throws IOException
    {
        Files.write(file, content);
        assertThrows(SnapshotException.class, () ->
        {
            for (final long position : checkpoints.positions())
            {
                new SnapshotLoader(checkpoints).verify(checkpoints.manifest(position));
            }
        }, () -> file.toString());
    }
}
