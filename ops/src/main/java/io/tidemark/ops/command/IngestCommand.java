package io.tidemark.ops.command;

import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;

import io.tidemark.ingest.feed.ColumnMapping;
import io.tidemark.ingest.feed.Feed;
import io.tidemark.ingest.feed.FeedFormat;
import io.tidemark.ingest.feed.FeedImport;
import io.tidemark.ingest.feed.FeedImportContext;
import io.tidemark.ingest.feed.FeedResult;
import io.tidemark.ingest.feed.FeedRules;
import io.tidemark.ingest.feed.ImportResult;
import io.tidemark.ops.config.Configuration;
import io.tidemark.ops.config.ConfigurationException;
import io.tidemark.ops.config.DataFormat;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/**
 * Appends feeds to the source logs.
 */
@Command(
    name = "ingest",
    description = {
        "Appends feeds to the source logs.",
        "A line that is no event is turned away, with the reason, to rejects.jsonl in the data directory; the exit " +
        "code is 3 then. An import that was interrupted goes on where it stopped when it is run again."})
final class IngestCommand implements Callable<Integer>
{
    @ParentCommand
    private RootCommand root;

    @Mixin
    private ConfigurationOption option;

    @Parameters(
        paramLabel = "FEED", arity = "1..*",
        description = "CSV with a header, or JSON Lines; gzipped or not; '-' is standard input.")
    private List<String> feeds;

    @Option(names = "--stream", paramLabel = "NAME", description = "The stream of feeds that have no such column.")
    private String stream;

    @Option(names = "--format", paramLabel = "csv|jsonl", description = "Of the feeds; seen from them unless given.")
    private String format;

    @Option(names = "--speed", paramLabel = "1x", description = "Replays by arrival, at this multiple of its pace.")
    private String speed;

    @Option(names = "--again", description = "Appends feeds whole that were imported before.")
    private boolean isAgain;

    @Override
    public Integer call()
    {
        final Configuration configuration = option.read();
        new DataFormat(configuration).fixInputs();
        final FeedImport feedImport = new FeedImport(context(configuration));
        final StopSignal signal = new StopSignal(feedImport::stop);
        final ImportResult result;
        try
        {
            result = feedImport.run(feeds.stream().map(this::feed).toList());
        }
        finally
        {
            signal.workEnded();
        }
        report(result);
        return result.rejected() > 0 ? ExitCode.DONE_WITH_COMPLAINTS : ExitCode.DONE;
    }

    private FeedImportContext context(final Configuration configuration)
    {
        final Console console = root.console();
        final FeedImportContext context = new FeedImportContext()
            .dataDirectory(configuration.dataDirectory())
            .topology(configuration.topology())
            .rules(new FeedRules(configuration.ruleType().equals("overlap-join")))
            .again(isAgain)
            .standardInput(console.in())
            .progress(console.err(), console.isTerminal());
        configuration.columns().forEach((name, columns) ->
        {
            try
            {
                context.mapping(name, ColumnMapping.of(columns.names()).ignoring(columns.ignored()));
            }
            catch (final IllegalArgumentException e)
            {
                throw new ConfigurationException(
                    configuration.file() + ": 'streams." + name + ".ingest.columns': " + e.getMessage(), e);
            }
        });
        try
        {
            return speed == null ? context : context.speed(FeedImportContext.speedNamed(speed));
        }
        catch (final IllegalArgumentException e)
        {
            throw new ConfigurationException("--speed: " + e.getMessage(), e);
        }
    }

    private Feed feed(final String name)
    {
        try
        {
            return Feed.of(name, stream, format == null ? null : FeedFormat.named(format));
        }
        catch (final IllegalArgumentException e)
        {
            throw new ConfigurationException("--format: " + e.getMessage(), e);
        }
    }

    private void report(final ImportResult result)
    {
        final Console console = root.console();
        for (final FeedResult feed : result.feeds())
        {
            feed.notes().forEach(note -> console.note(feed.feed() + ": " + note));
        }
        final StringBuilder streams = new StringBuilder();
        result.appendedByStream().forEach((name, count) ->
            streams.append(streams.length() == 0 ? " (" : ", ").append(name).append(' ').append(number(count)));
        final String end = streams.length() == 0 ? "." : ").";
        console.line("Appended " + number(result.appended()) + " events" + streams + end);
        if (result.alreadyThere() > 0)
        {
            console.line("Already there: " + number(result.alreadyThere()) + " events.");
        }
        if (result.rejected() > 0)
        {
            console.line("Turned away: " + number(result.rejected()) +
                " lines, each with its reason; see 'tidemark export -c " + option.file() + " rejects'.");
        }
        if (!result.isComplete())
        {
            console.line("Stopped before the end; the same command goes on from there.");
        }
    }

    private static String number(final long number)
    {
        return String.format(Locale.ROOT, "%,d", number);
    }
}
