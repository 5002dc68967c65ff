package io.tidemark.operator.worker;

import io.tidemark.ingest.order.ControlLog;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Every file of a data directory in turn truncated, zeroed, changed by a bit, deleted: a start then comes to the same
 * results, or refuses in a sentence (DESIGN.md, "When things go wrong"); it never hangs and never comes to others.
 * {@code -Dtidemark.damage.rounds=N} damages every file N times in all ways; else a file of each kind in a few.
 */
class DamageTest
{
    private static final int ROUNDS = Integer.getInteger("tidemark.damage.rounds", 0);
    private static final long SEED = Long.getLong("tidemark.seed", 3);
    private static final int EVENTS = 500;
    private static final int UNORDERED = 60;
    private static final long PATIENCE_S = 60;
    private static final int LONGEST_SENTENCE = 700;

    @TempDir
    Path directory;

    private final Random random = new Random(SEED);
    private final Map<String, Integer> verdicts = new TreeMap<>();
    private final List<String> failures = new ArrayList<>();
    private Path template;
    private List<String> expected;
    private int trials;

    /** What is done to a file. */
    @FunctionalInterface
    private interface Damage
    {
        void to(Path file) throws IOException;
    }

    @Test
    void shouldComeToTheSameResultsOrRefuseWhateverFileIsDamaged() throws IOException
    {
        prepare();
        final List<Path> files;
        try (Stream<Path> all = Files.walk(template))
        {
            files = all.filter(Files::isRegularFile).sorted().map(template::relativize).toList();
        }
        for (final Path file : files)
        {
            for (int round = 0; round < ROUNDS; round++)
            {
                damage(file);
            }
            if (ROUNDS == 0 && isOfItsOwnKind(file.toString()))
            {
                damageQuickly(file);
            }
        }
        System.out.println("damage: " + trials + " trials of " + files.size() + " files: " + verdicts);
        assertTrue(failures.isEmpty(), () -> failures.size() + " failures:\n" + String.join("\n", failures));
        assertTrue(verdicts.getOrDefault("same results", 0) > 0 && verdicts.getOrDefault("refused", 0) > 0);
    }

    private void prepare() throws IOException
    {
        final RandomPipeline undisturbed = new RandomPipeline(directory.resolve("undisturbed"), SEED);
        undisturbed.append(EVENTS).append(UNORDERED).runToTheEnd();
        expected = undisturbed.outcome();
        final RandomPipeline pipeline = new RandomPipeline(directory.resolve("template"), SEED).checkpoints(150, 2);
        pipeline.append(EVENTS);
        pipeline.runUntil(EVENTS - 20);
        pipeline.append(UNORDERED);
        try (ControlLog control = ControlLog.open(pipeline.directory(), () -> 0))
        {
            control.requestBarrier();
        }
        template = pipeline.directory();
    }

    private void damage(final Path file) throws IOException
    {
        final long used = SparseCopy.usedLength(template.resolve(file));
        trial(file, "deleted", Files::delete);
        trial(file, "emptied", each -> truncate(each, 0));
        if (used > 0)
        {
            trial(file, "cut to half", each -> truncate(each, used / 2));
            trial(file, "cut before its last bytes", each -> truncate(each, Math.max(0, used - 5)));
            trial(file, "zeroed", each -> overwrite(each, 0, new byte[(int)used]));
            final long from = (long)(random.nextDouble() * used);
            trial(file, "zeroed from " + from, each -> overwrite(each, from, new byte[64]));
            for (int i = 0; i < 3; i++)
            {
                final long at = (long)(random.nextDouble() * used);
                final int bit = random.nextInt(8);
                trial(file, "bit " + bit + " of byte " + at + " changed", each -> flip(each, at, bit));
            }
        }
    }

    private static boolean isOfItsOwnKind(final String file)
    {
        return !file.startsWith("sources/payments-1") && !file.startsWith("sources/signals") &&
            (!file.endsWith("/lock") || file.startsWith("order")) &&
            (!file.endsWith(".cq4t") || file.startsWith("order") || file.startsWith("sources"));
    }

    private void damageQuickly(final Path file) throws IOException
    {
        final long used = SparseCopy.usedLength(template.resolve(file));
        final long at = (long)(random.nextDouble() * used);
        final int bit = random.nextInt(8);
        trial(file, "deleted", Files::delete);
        trial(file, "cut to half", each -> truncate(each, used / 2));
        if (used > 0)
        {
            trial(file, "zeroed from " + at, each -> overwrite(each, at, new byte[64]));
            trial(file, "bit " + bit + " of byte " + at + " changed", each -> flip(each, at, bit));
        }
    }

    private void trial(final Path file, final String what, final Damage damage) throws IOException
    {
        final Path copy = directory.resolve("trial");
        SparseCopy.copy(template, copy);
        damage.to(copy.resolve(file));
        final RandomPipeline pipeline = new RandomPipeline(copy, SEED).checkpoints(150, 2);
        final String verdict = verdict(pipeline);
        trials++;
        if (verdict.startsWith("!"))
        {
            failures.add(file + " " + what + ": " + verdict);
        }
        else
        {
            verdicts.merge(verdict, 1, Integer::sum);
        }
        deleteTree(copy);
    }

    private String verdict(final RandomPipeline pipeline)
    {
        final CompletableFuture<List<String>> outcome = CompletableFuture.supplyAsync(() ->
        {
            pipeline.runToTheEnd();
            return pipeline.outcome();
        }, task ->
        {
            final Thread thread = new Thread(task);
            thread.setDaemon(true);
            thread.start();
        });
        try
        {
            final List<String> actual = outcome.get(PATIENCE_S, TimeUnit.SECONDS);
            return actual.equals(expected) ? "same results" : "! other results: " + actual.size() + " records, not " +
                expected.size();
        }
        catch (final ExecutionException e)
        {
            return isSentence(e.getCause()) ? "refused" : "! " + trace(e.getCause());
        }
        catch (final TimeoutException | InterruptedException e)
        {
            return "! hangs";
        }
    }

    private static boolean isSentence(final Throwable e)
    {
        final String message = e.getMessage();
        return e.getClass().getName().startsWith("io.tidemark.") && message != null &&
            (message.length() < LONGEST_SENTENCE || message.startsWith("replay differs"));
    }

    private static String trace(final Throwable e)
    {
        final StringBuilder trace = new StringBuilder(e.toString());
        for (int i = 0; i < Math.min(14, e.getStackTrace().length); i++)
        {
            trace.append("\n        at ").append(e.getStackTrace()[i]);
        }
        return trace.toString();
    }

    private static void truncate(final Path file, final long length) throws IOException
    {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE))
        {
            channel.truncate(length);
        }
    }

    private static void overwrite(final Path file, final long at, final byte[] bytes) throws IOException
    {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE))
        {
            final int length = (int)Math.min(bytes.length, channel.size() - at);
            channel.write(ByteBuffer.wrap(bytes, 0, length), at);
        }
    }

    private static void flip(final Path file, final long at, final int bit) throws IOException
    {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE))
        {
            final ByteBuffer one = ByteBuffer.allocate(1);
            assertEquals(1, channel.read(one, at));
            one.put(0, (byte)(one.get(0) ^ (1 << bit))).rewind();
            channel.write(one, at);
        }
    }

    private static void deleteTree(final Path root) throws IOException
    {
        try (Stream<Path> files = Files.walk(root))
        {
            for (final Path file : files.sorted(Comparator.reverseOrder()).toList())
            {
                Files.delete(file);
            }
        }
    }
}
