package io.tidemark.ops.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Files of the data directory beside logs and checkpoints (the operator's DamageTest has those), each damaged in turn:
 * whatever command is given then, it shows what it would have shown, or says in a sentence what is wrong. {@code
 * -Dtidemark.damage.rounds=N} damages all of them, else it is one of each kind.
 */
class DataDamageTest
{
    private static final String YAML = """
        pipeline: damaged
        data: ./data
        rule: {version: 1, type: interval-join, left: payments, right: signals, look_back: 47m, look_ahead: 8m,
          lateness: 3m}
        streams:
          payments: {partitions: 1}
          signals:  {partitions: 1}
        """;
    private static final String FEED = """
        stream,kind,id,revision,key,time,value
        payments,upsert,P1,0,shop,2026-03-31T12:00:00Z,500
        signals,upsert,S1,0,shop,2026-03-31T12:05:00Z,7
        signals,nonsense,S2,0,shop,2026-03-31T12:09:00Z,8
        payments,upsert,C1,0,filler,2026-03-31T15:00:00Z,0
        signals,upsert,C1,0,filler2,2026-03-31T15:00:00Z,0
        signals,upsert,S3,0,shop,2026-03-31T12:01:00Z,9
        """;
    private static final List<List<String>> SHOWING = List.of(
        List.of("export", "pairs"), List.of("export", "unmatched"), List.of("export", "changes"),
        List.of("export", "late"), List.of("export", "rejects"), List.of("generation", "list"));
    private static final List<List<String>> OTHERS = List.of(
        List.of("status"), List.of("verify"), List.of("checkpoint", "list"), List.of("repair", "list"),
        List.of("run", "--until-caught-up"));
    private static final boolean IS_LONG = Integer.getInteger("tidemark.damage.rounds", 0) > 0;
    /** Files of which there is another one, or which nobody reads. */
    private static final List<String> ALIKE = List.of(
        "counters.dat", "sink.dat", "tables.sqlite", "errors.dat", "holds/release", "rejects.jsonl",
        "rules/2/errors.dat", "rules/2/format.json", "rules/2/sink.dat");
    private static final long SEED = Long.getLong("tidemark.seed", 3);

    @TempDir
    private Path directory;

    private final Random random = new Random(SEED);
    private final List<String> wrong = new ArrayList<>();
    private final Map<String, Integer> verdicts = new TreeMap<>();
    private Map<String, String> expected;

    /** What is done to a file. */
    @FunctionalInterface
    private interface Damage
    {
        void to(Path file) throws IOException;
    }

    @Test
    void shouldShowTheSameOrSayWhatIsWrongWhateverFileIsDamaged() throws IOException
    {
        final CommandFixture whole = new CommandFixture(Files.createDirectory(directory.resolve("whole")));
        whole.write("tidemark.yaml", YAML);
        assertEquals(3, whole.run("ingest", whole.write("feed.csv", FEED).toString()));
        whole.done("run", "--until-caught-up");
        whole.replaceInYaml("version: 1", "version: 2");
        whole.replaceInYaml("look_ahead: 8m", "look_ahead: 9m");
        whole.done("run", "--until-caught-up");
        expected = shown(whole);
        final Path data = directory.resolve("whole/data");
        final List<Path> files;
        try (Stream<Path> all = Files.walk(data))
        {
            files = all.filter(Files::isRegularFile).sorted().map(data::relativize)
                .filter(file -> !file.toString().matches(".*\\.cq4t?|.*lock|.*checkpoints/.*"))
                .filter(file -> IS_LONG || !ALIKE.contains(file.toString())).toList();
        }
        final List<Runnable> trials = new ArrayList<>();
        for (final Path file : files)
        {
            damages(Files.size(data.resolve(file))).forEach((what, damage) ->
            {
                final int number = trials.size();
                trials.add(() -> trial(number, file, what, damage));
            });
        }
        trials.parallelStream().forEach(Runnable::run);
        System.out.println("damage beside logs: " + trials.size() + " trials of " + files + ": " + verdicts);
        assertTrue(wrong.isEmpty(), () -> wrong.size() + " wrong:\n" + String.join("\n", wrong));
    }

    private Map<String, Damage> damages(final long size)
    {
        final Map<String, Damage> damages = new LinkedHashMap<>();
        damages.put("deleted", Files::delete);
        damages.put("emptied", file -> Files.write(file, new byte[0]));
        damages.put("replaced by a directory", file -> Files.createDirectory(deleted(file)));
        damages.put("unreadable", file -> Files.createSymbolicLink(deleted(file), file.getFileName()));
        if (size > 0)
        {
            damages.put("cut to half", file -> truncate(file, size / 2));
            damages.put("cut before its last bytes", file -> truncate(file, Math.max(0, size - 5)));
            damages.put("zeroed", file -> Files.write(file, new byte[(int)size]));
            final int at = random.nextInt((int)size);
            final int bit = random.nextInt(8);
            damages.put("bit " + bit + " of byte " + at + " changed", file ->
            {
                final byte[] bytes = Files.readAllBytes(file);
                bytes[at] ^= (byte)(1 << bit);
                Files.write(file, bytes);
            });
        }
        return damages;
    }

    private static Path deleted(final Path file) throws IOException
    {
        Files.delete(file);
        return file;
    }

    private static void truncate(final Path file, final long length) throws IOException
    {
        try (RandomAccessFile opened = new RandomAccessFile(file.toFile(), "rw"))
        {
            opened.setLength(length);
        }
    }

    private void trial(final int number, final Path file, final String what, final Damage damage)
    {
        final Path copy = directory.resolve("trial-" + number);
        try
        {
            // Queue files are mostly holes, which this leaves.
            assertEquals(0, new ProcessBuilder("cp", "-a", directory.resolve("whole").toString(), copy.toString())
                .start().waitFor());
            damage.to(copy.resolve("data").resolve(file));
            final CommandFixture damaged = new CommandFixture(copy);
            final String name = file + " " + what;
            look(damaged, name + ", at first", SHOWING);
            for (final List<String> command : OTHERS)
            {
                note(name, command, damaged, damaged.run(command.get(0), rest(command)), null);
            }
            look(damaged, name + ", after a run", SHOWING.subList(0, 1));
            note(name, List.of("ingest"), damaged, damaged.run("ingest", copy.resolve("feed.csv").toString()), null);
            deleteTree(copy);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
        catch (final InterruptedException ex)
        {
            throw new IllegalStateException(ex);
        }
    }

    private void look(final CommandFixture damaged, final String name, final List<List<String>> commands)
    {
        for (final List<String> command : commands)
        {
            note(name, command, damaged, damaged.run(command.get(0), rest(command)), expected.get(command.toString()));
        }
    }

    private static Map<String, String> shown(final CommandFixture pipeline)
    {
        final Map<String, String> shown = new LinkedHashMap<>();
        SHOWING.forEach(command -> shown.put(command.toString(), pipeline.done(command.get(0), rest(command))));
        return shown;
    }

    private static String[] rest(final List<String> command)
    {
        return command.subList(1, command.size()).toArray(String[]::new);
    }

    private synchronized void note(
        final String name, final List<String> command, final CommandFixture run, final int exitCode, final String out)
    {
        final String said = run.err().strip();
        final boolean isSentence = !said.contains("should not have happened") && !said.contains("\tat ") &&
            said.length() < 1_500 && (exitCode == 0 || !said.isEmpty() || !run.out().isEmpty());
        if (!isSentence || exitCode > 3)
        {
            wrong.add(name + ": " + command + " exit code " + exitCode + ": " + said);
        }
        else if (exitCode == 0 && out != null && !out.equals(run.out()) && !isOwnReport(name, command))
        {
            wrong.add(name + ": " + command + " shows\n" + run.out() + "and not\n" + out + said);
        }
        verdicts.merge("exit code " + exitCode, 1, Integer::sum);
    }

    /** The report of lines that were turned away is the user's: taken away, or changed, it shows what is left. */
    private static boolean isOwnReport(final String name, final List<String> command)
    {
        return name.startsWith("rejects.jsonl") && command.contains("rejects");
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
