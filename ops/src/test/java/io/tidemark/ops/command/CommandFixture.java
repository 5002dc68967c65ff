package io.tidemark.ops.command;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPInputStream;

/**
 * Runs commands in a directory that holds a configuration, and keeps what the last one said.
 */
final class CommandFixture
{
    private final Path directory;
    private String out = "";
    private String err = "";

    CommandFixture(final Path directory)
    {
        this.directory = directory;
    }

    /** With the configuration of a case. */
    static CommandFixture ofCase(final Path directory, final String name)
    {
        final CommandFixture fixture = new CommandFixture(directory);
        fixture.write("tidemark.yaml", resource(name + ".yaml"));
        return fixture;
    }

    /** Runs a command on the configuration. */
    int run(final String command, final String... args)
    {
        final List<String> all = new ArrayList<>(List.of(command, "-c", yaml().toString()));
        all.addAll(List.of(args));
        return runPlain("", all.toArray(String[]::new));
    }

    /** Runs a command just as it stands. */
    int runPlain(final String in, final String... args)
    {
        final ByteArrayOutputStream outBytes = new ByteArrayOutputStream();
        final ByteArrayOutputStream errBytes = new ByteArrayOutputStream();
        final int exitCode = new CommandLineRunner(Console.of(
            new ByteArrayInputStream(in.getBytes(StandardCharsets.UTF_8)), outBytes, errBytes)).run(args);
        out = outBytes.toString(StandardCharsets.UTF_8);
        err = errBytes.toString(StandardCharsets.UTF_8);
        return exitCode;
    }

    /** Runs a command that should do all its work. */
    String done(final String command, final String... args)
    {
        assertEquals(0, run(command, args), () -> out + err);
        return out;
    }

    /** Ingests a feed of the cases and runs until caught up. */
    CommandFixture processed(final String feed)
    {
        done("ingest", feed(feed).toString());
        done("run", "--until-caught-up");
        return this;
    }

    Path feed(final String name)
    {
        final Path feed = directory.resolve(name + ".csv");
        return Files.exists(feed) ? feed : write(name + ".csv", resource(name + ".csv"));
    }

    Path write(final String name, final byte[] content)
    {
        try
        {
            return Files.write(directory.resolve(name), content);
        }
        catch (final IOException e)
        {
            throw new UncheckedIOException(e);
        }
    }

    Path write(final String name, final String content)
    {
        return write(name, content.getBytes(StandardCharsets.UTF_8));
    }

    String read(final String name)
    {
        try
        {
            return Files.readString(directory.resolve(name));
        }
        catch (final IOException e)
        {
            throw new UncheckedIOException(e);
        }
    }

    void replaceInYaml(final String from, final String to)
    {
        try
        {
            write("tidemark.yaml", Files.readString(yaml()).replace(from, to));
        }
        catch (final IOException e)
        {
            throw new UncheckedIOException(e);
        }
    }

    Path yaml()
    {
        return directory.resolve("tidemark.yaml");
    }

    String out()
    {
        return out;
    }

    String err()
    {
        return err;
    }

    List<String> lines()
    {
        return out.lines().toList();
    }

    /** A file of the cases; those made by hand come from the tests of operator, real feeds are ours, and packed. */
    static byte[] resource(final String name)
    {
        final InputStream plain = CommandFixture.class.getResourceAsStream("/cases/" + name);
        try (InputStream in = plain != null ? plain :
            new GZIPInputStream(CommandFixture.class.getResourceAsStream("/cases/" + name + ".gz")))
        {
            return in.readAllBytes();
        }
        catch (final IOException e)
        {
            throw new UncheckedIOException(e);
        }
    }
}
