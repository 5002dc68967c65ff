package io.tidemark.ops;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.StringJoiner;
import java.util.concurrent.TimeUnit;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.regex.Pattern;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The script {@code ops/bin/tidemark} as a user starts it, in a copy of the project that counts as built.
 */
class LauncherTest
{
    private static final long PATIENCE_S = 600;

    @TempDir
    private Path home;

    private String launcher;

    @BeforeEach
    void build() throws IOException
    {
        final Path root = root();
        Files.createDirectories(home.resolve("ops/bin"));
        Files.copy(root.resolve("ops/bin/tidemark"), home.resolve("ops/bin/tidemark"));
        assertTrue(home.resolve("ops/bin/tidemark").toFile().setExecutable(true));
        Files.createDirectories(home.resolve("ops/build"));
        for (final String flags : List.of("jvm-flags", "jvm-flags-24"))
        {
            Files.copy(root.resolve("ops/build").resolve(flags), home.resolve("ops/build").resolve(flags));
        }
        Files.writeString(home.resolve("pom.xml"), "");
        for (final String module : List.of("store", "ingest", "operator", "sink", "ops"))
        {
            Files.createDirectories(home.resolve(module).resolve("src/main"));
            Files.writeString(home.resolve(module).resolve("pom.xml"), "");
        }
        final Path run = Files.createDirectories(home.resolve("ops/target/run/1"));
        try (OutputStream out = Files.newOutputStream(run.resolve("all.jar"));
            JarOutputStream jar = new JarOutputStream(out, manifest()))
        {
            jar.finish();
        }
        Files.writeString(home.resolve("ops/target/run/current"), "1");
        launcher = home.resolve("ops/bin/tidemark").toString();
    }

    @Test
    void shouldHandOnArgumentsOutputAndExitCode() throws Exception
    {
        final Path pipeline = home.resolve("a pipeline");

        assertEquals(0, run("'" + launcher + "' init '" + pipeline + "' --rule interval-join >out 2>err"));
        assertTrue(Files.readString(home.resolve("out")).startsWith("Wrote " + pipeline.resolve("tidemark.yaml")));
        assertEquals("", Files.readString(home.resolve("err")));
        assertEquals(2, run("'" + launcher + "' exprt >out 2>err"));
        assertEquals("", Files.readString(home.resolve("out")));
        assertTrue(Files.readString(home.resolve("err")).contains("Did you mean: tidemark export?"));
    }

    @Test
    void shouldFallSilentWhenNobodyReadsOn() throws Exception
    {
        assertEquals(0, run("'" + launcher + "' demo demo >out 2>err"));

        assertEquals(0, run("cd demo && '" + launcher + "' export pairs 2>../err | head -n 1 >../out"));

        assertEquals(1, Files.readAllLines(home.resolve("out")).size());
        assertEquals("", Files.readString(home.resolve("err")));
    }

    @Test
    void shouldEndInOrderWhenItIsTerminated() throws Exception
    {
        assertEquals(0, run("'" + launcher + "' demo demo >out 2>err"));

        // Ends only by the signal, which is sent once the run has caught up with what the demo had done.
        final int exitCode = run("cd demo; '" + launcher + "' run >../out 2>../err & pid=$!; " +
            "trap 'kill -KILL $pid 2>/dev/null || true' EXIT; " +
            "until '" + launcher + "' status | grep -q '^payment-risk: running' && " +
            "'" + launcher + "' status | grep -q '485 of 485'; do kill -0 $pid || exit 9; done; " +
            "kill -TERM $pid; wait $pid");

        assertEquals(0, exitCode, () -> read("err"));
        assertTrue(read("out").startsWith("Went on from checkpoint 485;"), () -> read("out") + read("err"));
        assertTrue(read("out").contains("\nProcessed 485 events"), () -> read("out") + read("err"));
        assertEquals(0, run("cd demo && '" + launcher + "' status | grep -q 'ended in order'"));
    }

    private int run(final String script) throws IOException, InterruptedException
    {
        final Process process = new ProcessBuilder("bash", "-c", script).directory(home.toFile()).start();
        process.getOutputStream().close();
        final boolean hasEnded = process.waitFor(PATIENCE_S, TimeUnit.SECONDS);
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
        assertTrue(hasEnded, script);
        return process.exitValue();
    }

    private String read(final String name)
    {
        try
        {
            return Files.readString(home.resolve(name));
        }
        catch (final IOException e)
        {
            throw new UncheckedIOException(e);
        }
    }

    /** Surefire may put the class path into a manifest. */
    private static String classPath()
    {
        return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    }

    /** What the class path of this test holds, named by one jar: the launcher takes jars of one directory only. */
    private static Manifest manifest()
    {
        final Manifest manifest = new Manifest();
        final StringJoiner urls = new StringJoiner(" ");
        Pattern.compile(File.pathSeparator, Pattern.LITERAL).splitAsStream(classPath())
            .forEach(entry -> urls.add(Path.of(entry).toUri().toString()));
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(Attributes.Name.CLASS_PATH, urls.toString());
        return manifest;
    }

    private static Path root()
    {
        Path directory = Path.of("").toAbsolutePath();
        while (!Files.isRegularFile(directory.resolve("ops/bin/tidemark")))
        {
            directory = directory.getParent();
        }
        return directory;
    }
}
