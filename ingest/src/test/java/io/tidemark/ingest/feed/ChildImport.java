package io.tidemark.ingest.feed;

import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * An import in a JVM of its own, which can be killed. It says {@code go} on standard output when it begins.
 */
final class ChildImport
{
    private ChildImport()
    {
    }

    public static void main(final String[] args)
    {
        final FeedImportContext context = new FeedImportContext()
            .dataDirectory(Path.of(args[0]))
            .topology(FeedPipeline.TOPOLOGY)
            .clocks(() -> 1_791_284_400_000L, () -> 1, System::nanoTime);
        final List<Feed> feeds = new ArrayList<>();
        for (int i = 1; i < args.length; i++)
        {
            feeds.add(Feed.of(args[i]));
        }
        System.out.println("go");
        final long startNs = System.nanoTime();
        final ImportResult result = new FeedImport(context).run(feeds);
        System.out.println(result.appended() + " " + result.rejected() + " " + (System.nanoTime() - startNs));
    }

    static Process start(final List<String> jvmOptions, final Path data, final List<String> feeds) throws IOException
    {
        final List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        for (final String option : ManagementFactory.getRuntimeMXBean().getInputArguments())
        {
            if (option.startsWith("--") || option.startsWith("-D"))
            {
                command.add(option);
            }
        }
        command.addAll(jvmOptions);
        command.addAll(List.of("-cp", System.getProperty("surefire.test.class.path",
            System.getProperty("java.class.path")), ChildImport.class.getName(), data.toString()));
        command.addAll(feeds);
        return new ProcessBuilder(command)
            .redirectError(new File(data.getParent().toFile(), "child.err"))
            .start();
    }
}
