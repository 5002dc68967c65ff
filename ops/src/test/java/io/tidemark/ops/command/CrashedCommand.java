package io.tidemark.ops.command;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import io.tidemark.ops.Tidemark;

/** A command in a process of its own that is halted at a place. */
final class CrashedCommand
{
    private CrashedCommand()
    {
    }

    /** Runs it; returns its exit code. What it says goes to a file in the directory. */
    static int run(final Path directory, final String place, final String... args)
        throws IOException, InterruptedException
    {
        final List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xshare:auto", "-Xmx512m"));
        for (final String argument : ManagementFactory.getRuntimeMXBean().getInputArguments())
        {
            if (argument.startsWith("--"))
            {
                command.add(argument);
            }
        }
        command.addAll(List.of("-Dtidemark.crash.at=" + place, "-cp",
            System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
            Tidemark.class.getName()));
        command.addAll(List.of(args));
        final Path said = Files.createTempFile(directory, "said", ".txt");
        return new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(said.toFile()).start().waitFor();
    }
}
