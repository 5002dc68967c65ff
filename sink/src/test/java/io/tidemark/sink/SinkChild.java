package io.tidemark.sink;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import io.tidemark.sink.sql.SqlSinks;
import io.tidemark.sink.sql.SqlTarget;
import io.tidemark.sink.view.ViewSinks;

/** A process with nothing but a sink, to be killed anywhere. */
public final class SinkChild
{
    private SinkChild()
    {
    }

    /** Takes the kind of sink, the data directory and the URL of a server; ends when all is applied. */
    public static void main(final String[] args)
    {
        final Path data = Path.of(args[1]);
        long nowMs = 0;
        try (TableSink sink = sink(args[0], data, args[2]))
        {
            int idle = 0;
            while (idle < 20)
            {
                idle = sink.work(nowMs++) > 0 ? 0 : idle + 1;
                if (!sink.progress().trouble().isEmpty())
                {
                    throw new IllegalStateException(sink.progress().trouble());
                }
            }
        }
    }

    static TableSink sink(final String kind, final Path data, final String url)
    {
        return switch (kind)
        {
            case "sqlite" -> SqlSinks.busy(SqlTarget.sqlite(data), data, ChangeLogFixture.TOPOLOGY);
            case "postgres" ->
                SqlSinks.busy(SqlTarget.postgres(url, "tidemark", null), data, ChangeLogFixture.TOPOLOGY);
            default -> ViewSinks.impatient(data);
        };
    }

    /** Runs it; returns its exit code. */
    static int run(final String crashAt, final String... args) throws IOException, InterruptedException
    {
        final List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xshare:auto", "-Xmx256m"));
        for (final String argument : ManagementFactory.getRuntimeMXBean().getInputArguments())
        {
            if (argument.startsWith("--"))
            {
                command.add(argument);
            }
        }
        if (crashAt != null)
        {
            command.add("-Dtidemark.crash.at=" + crashAt);
        }
        command.add("-cp");
        command.add(System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")));
        command.add(SinkChild.class.getName());
        command.addAll(Arrays.asList(args));
        return new ProcessBuilder(command)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start().waitFor();
    }
}
