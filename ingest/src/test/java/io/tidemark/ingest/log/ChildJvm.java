package io.tidemark.ingest.log;

import java.io.BufferedReader;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * A second process, to be killed at any instruction.
 */
final class ChildJvm implements AutoCloseable
{
    private final Process process;
    private final BufferedReader output;

    private ChildJvm(final Process process)
    {
        this.process = process;
        this.output = process.inputReader(UTF_8);
    }

    static ChildJvm start(final boolean withFlags, final Class<?> main, final Object... arguments) throws IOException
    {
        final List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("-XX:TieredStopAtLevel=1");
        command.add("-Xshare:auto");
        if (withFlags)
        {
            for (final String argument : ManagementFactory.getRuntimeMXBean().getInputArguments())
            {
                if (argument.startsWith("--"))
                {
                    command.add(argument);
                }
            }
        }
        command.add("-cp");
        command.add(System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")));
        command.add(main.getName());
        for (final Object argument : arguments)
        {
            command.add(argument.toString());
        }
        return new ChildJvm(new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start());
    }

    long pid()
    {
        return process.pid();
    }

    String readLine() throws IOException
    {
        return output.readLine();
    }

    void kill() throws InterruptedException
    {
        process.destroyForcibly().waitFor();
    }

    @Override
    public void close()
    {
        process.destroyForcibly();
    }
}
