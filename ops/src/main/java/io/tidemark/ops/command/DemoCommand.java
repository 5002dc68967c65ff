package io.tidemark.ops.command;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;

import io.tidemark.ops.config.Configuration;
import io.tidemark.ops.config.ConfigurationException;
import io.tidemark.ops.config.ConfigurationReader;
import io.tidemark.ops.config.Suggestion;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/**
 * The main job on a feed that comes with the program, done with the same commands that a user has.
 */
@Command(
    name = "demo",
    description = {
        "Joins payments with risk signals from a feed that comes with it, or shows another rule.",
        "Creates a pipeline, ingests, runs, exports, and says what came out and where to look next."})
final class DemoCommand implements Callable<Integer>
{
    private static final String CONFIGURATION = "tidemark.yaml";
    private static final Map<String, String> NAMES = new TreeMap<>(Map.of(
        "interval-join", "payment-risk", "overlap-join", "overlap-rounds", "session", "sessions"));

    @ParentCommand
    private RootCommand root;

    @Parameters(
        arity = "0..1", paramLabel = "DIR", description = "Where to put it all; a new temporary directory otherwise.")
    private Path given;

    @Option(names = "--rule", paramLabel = "TYPE", description = "interval-join unless given, overlap-join or session.")
    private String rule = "interval-join";

    @Override
    public Integer call() throws IOException
    {
        final String name = NAMES.get(rule);
        if (name == null)
        {
            throw new ConfigurationException(
                "there is no demo of a rule '" + rule + "'" + Suggestion.of(rule, NAMES.keySet()));
        }
        final Path directory = directory();
        final String feed = name + ".csv";
        final String answer = name + ".expected.jsonl";
        copy(CONFIGURATION, directory);
        copy(feed, directory);
        copy(answer, directory);
        final Path file = directory.resolve(CONFIGURATION);
        run("ingest", "-c", file.toString(), directory.resolve(feed).toString());
        run("run", "-c", file.toString(), "--until-caught-up");
        final ExpectedAnswer expected = ExpectedAnswer.read(directory.resolve(answer));
        final Path exports = Files.createDirectories(directory.resolve("exports"));
        for (final String table : rule.equals("session") ?
            List.of("sessions", "late") : List.of("pairs", "unmatched", "late"))
        {
            final Path export = exports.resolve(table + ".jsonl");
            Files.write(export, run("export", "-c", file.toString(), table));
            expected.compare(table, export);
        }
        final Configuration configuration = ConfigurationReader.read(file);
        DemoSummary.of(root.console(), configuration, expected).print(directory);
        return expected.isMet() ? ExitCode.DONE : ExitCode.DONE_WITH_COMPLAINTS;
    }

    private Path directory() throws IOException
    {
        if (given == null)
        {
            return Files.createTempDirectory("tidemark-demo-");
        }
        Files.createDirectories(given);
        try (Stream<Path> content = Files.list(given))
        {
            if (content.findAny().isPresent())
            {
                throw new ConfigurationException(given + " is not empty; name a new directory, or none");
            }
        }
        return given;
    }

    private void copy(final String name, final Path directory) throws IOException
    {
        final String resource = "/demo/" + rule + "/" + name;
        final InputStream plain = DemoCommand.class.getResourceAsStream(resource);
        try (InputStream in = plain != null ? plain :
            new GZIPInputStream(DemoCommand.class.getResourceAsStream(resource + ".gz")))
        {
            Files.copy(in, directory.resolve(name));
        }
    }

    /** Runs a command of ours and returns what it says. */
    private static byte[] run(final String... args)
    {
        final ByteArrayOutputStream out = new ByteArrayOutputStream();
        final ByteArrayOutputStream err = new ByteArrayOutputStream();
        final Console console = Console.of(InputStream.nullInputStream(), out, err);
        if (new CommandLineRunner(console).run(args) != ExitCode.DONE)
        {
            throw new FailedException("the demo's '" + args[0] + "' failed: " +
                err.toString(StandardCharsets.UTF_8).strip());
        }
        return out.toByteArray();
    }
}
