package io.tidemark.operator.worker;

import io.tidemark.ingest.order.ControlLog;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
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
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Every file of a data directory in turn truncated, zeroed, changed by a bit, deleted, made unreadable: a start then
 * comes to the same results, or refuses in a sentence (DESIGN.md, "When things go wrong"); it never hangs and never
 * comes to others. {@code -Dtidemark.damage.rounds=N} damages every file N times and more; else it is a file of each
 * kind.
 */
class DamageTest
{
    private static final int ROUNDS = Integer.getInteger("tidemark.damage.rounds", 0);
    private static final long SEED = Long.getLong("tidemark.seed", 3);
    private static final int EVENTS = 500;
    private static final int UNORDERED = 60;
    private static final int BITS = 3;
    private static final long PATIENCE_S = 120;

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
    void shouldComeToTheSameResultsOrRefuseWhateverFileIsDamaged() throws IOException, InterruptedException
    {
        prepare();
        final List<Path> files;
        try (Stream<Path> all = Files.walk(template))
        {
            files = all.filter(Files::isRegularFile).sorted().map(template::relativize).toList();
        }
        final List<Path> damaged =
            files.stream().filter(file -> ROUNDS > 0 || isOfItsOwnKind(file.toString())).toList();
        final List<Runnable> trialsOfAll = new ArrayList<>();
        for (final Path file : damaged)
        {
            damage(trialsOfAll, file, 1);
            for (int round = 0; round < ROUNDS; round++)
            {
                damage(trialsOfAll, file, BITS);
            }
        }
        trialsOfAll.parallelStream().forEach(Runnable::run);
        unreadable(damaged);
        System.out.println("damage: " + trials + " trials of " + files.size() + " files: " + verdicts);
        assertTrue(failures.isEmpty(), () -> failures.size() + " failures:\n" + String.join("\n", failures));
        assertTrue(verdicts.containsKey(DamageRun.SAME) && verdicts.containsKey(DamageRun.REFUSED));
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

    private void damage(final List<Runnable> all, final Path file, final int bits) throws IOException
    {
        final long used = SparseCopy.usedLength(template.resolve(file));
        trial(all, file, "deleted", Files::delete);
        trial(all, file, "emptied", each -> truncate(each, 0));
        trial(all, file, "replaced by a directory", each ->
        {
            Files.delete(each);
            Files.createDirectory(each);
        });
        if (used > 0)
        {
            trial(all, file, "cut to half", each -> truncate(each, used / 2));
            trial(all, file, "cut before its last bytes", each -> truncate(each, Math.max(0, used - 5)));
            trial(all, file, "zeroed", each -> overwrite(each, 0, new byte[(int)used]));
            final long from = (long)(random.nextDouble() * used);
            trial(all, file, "zeroed from " + from, each -> overwrite(each, from, new byte[64]));
            for (int i = 0; i < bits; i++)
            {
                final long at = (long)(random.nextDouble() * used);
                final int bit = random.nextInt(8);
                trial(all, file, "bit " + bit + " of byte " + at + " changed", each -> flip(each, at, bit));
            }
        }
    }

    private static boolean isOfItsOwnKind(final String file)
    {
        return !file.startsWith("sources/payments-1") && !file.startsWith("sources/signals") &&
            (!file.endsWith("/lock") || file.startsWith("order")) &&
            (!file.endsWith(".cq4t") || file.startsWith("order") || file.startsWith("sources"));
    }

    private void trial(final List<Runnable> all, final Path file, final String what, final Damage damage)
    {
        final Path copy = directory.resolve("trial-" + all.size());
        all.add(() ->
        {
            try
            {
                SparseCopy.copy(template, copy);
                damage.to(copy.resolve(file));
                note(file, what, DamageRun.verdict(copy, expected));
                deleteTree(copy);
            }
            catch (final IOException ex)
            {
                throw new UncheckedIOException(ex);
            }
        });
    }

    private synchronized void note(final Path file, final String what, final String verdict)
    {
        trials++;
        if (verdict.startsWith(DamageRun.WRONG))
        {
            failures.add(file + " " + what + ": " + verdict);
        }
        else
        {
            verdicts.merge(verdict, 1, Integer::sum);
        }
    }

    /**
     * Files that the process may not read. Who runs tests as root may read everything: there the process is started
     * without that right.
     */
    private void unreadable(final List<Path> files) throws IOException, InterruptedException
    {
        final List<String> command = new ArrayList<>();
        final Path probe = Files.createFile(directory.resolve("probe"));
        makeUnreadable(probe);
        if (Files.isReadable(probe))
        {
            command.addAll(List.of("setpriv", "--bounding-set", "-dac_override,-dac_read_search"));
        }
        command.addAll(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
            .filter(argument -> argument.startsWith("--") || argument.startsWith("-D")).forEach(command::add);
        command.addAll(List.of("-cp",
            System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
            DamageRun.class.getName(), directory.resolve("undisturbed").toString()));
        for (int i = 0; i < files.size(); i++)
        {
            final Path copy = directory.resolve("unreadable-" + i);
            SparseCopy.copy(template, copy);
            makeUnreadable(copy.resolve(files.get(i)));
            command.add(copy.toString());
        }
        final Path said = directory.resolve("child.log");
        final Process process = new ProcessBuilder(command).redirectOutput(said.toFile())
            .redirectError(ProcessBuilder.Redirect.DISCARD).start();
        assertTrue(process.waitFor(PATIENCE_S, TimeUnit.SECONDS), "hangs");
        final List<String> verdictsOfFiles = Files.readAllLines(said).stream().filter(line ->
            line.equals(DamageRun.SAME) || line.equals(DamageRun.REFUSED) || line.startsWith(DamageRun.WRONG)).toList();
        assertEquals(files.size(), verdictsOfFiles.size(), () -> read(said));
        for (int i = 0; i < files.size(); i++)
        {
            note(files.get(i), "unreadable", verdictsOfFiles.get(i));
        }
    }

    private static void makeUnreadable(final Path file) throws IOException
    {
        Files.setPosixFilePermissions(file, Set.of());
    }

    private static String read(final Path file)
    {
        try
        {
            return Files.readString(file);
        }
        catch (final IOException ex)
        {
            return ex.toString();
        }
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
