package io.tidemark.ingest.feed;

import io.tidemark.ingest.StreamSpec;
import io.tidemark.ingest.Topology;
import io.tidemark.ingest.event.EventKind;
import io.tidemark.ingest.event.EventView;
import io.tidemark.ingest.event.SourceLogs;
import io.tidemark.ingest.log.LogTailer;
import org.agrona.concurrent.EpochNanoClock;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.zip.GZIPOutputStream;

/**
 * A pipeline with payments (two partitions) and signals (one), as far as ingest sees it: feeds are written and taken
 * in, and what is in the logs then is shown.
 */
final class FeedPipeline
{
    static final String HEADER = "stream,partition,kind,id,revision,key,time,start,end,value,arrival\n";
    static final Topology TOPOLOGY =
        Topology.of(List.of(new StreamSpec("payments", 2), new StreamSpec("signals", 1)));

    private final Path directory;
    private final ByteArrayOutputStream progress = new ByteArrayOutputStream();
    private FeedRules rules = new FeedRules(false);
    private ColumnMapping payments = ColumnMapping.NONE;
    private long nowNs = 5_000_000_000_000L;
    private EpochNanoClock arrivalClock = () -> nowNs++;

    FeedPipeline(final Path directory)
    {
        this.directory = directory;
    }

    FeedPipeline withSpans()
    {
        rules = new FeedRules(true);
        return this;
    }

    FeedPipeline withPayments(final ColumnMapping mapping)
    {
        payments = mapping;
        return this;
    }

    FeedPipeline withArrivals(final EpochNanoClock clock)
    {
        arrivalClock = clock;
        return this;
    }

    Path data()
    {
        return directory.resolve("data");
    }

    Path path(final String name)
    {
        return directory.resolve(name);
    }

    Path write(final String name, final String text)
    {
        return write(name, text.getBytes(StandardCharsets.UTF_8));
    }

    Path write(final String name, final byte[] bytes)
    {
        try
        {
            Files.createDirectories(path(name).getParent());
            return Files.write(path(name), bytes);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    static byte[] gzip(final String text)
    {
        final ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(packed))
        {
            out.write(text.getBytes(StandardCharsets.UTF_8));
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
        return packed.toByteArray();
    }

    FeedImportContext context()
    {
        final long[] ticks = {0};
        return new FeedImportContext()
            .dataDirectory(data())
            .topology(TOPOLOGY)
            .rules(rules)
            .mapping("payments", payments)
            .progress(new PrintStream(progress, true, StandardCharsets.UTF_8), false)
            .clocks(() -> 1_791_284_400_000L, () -> arrivalClock.nanoTime(), () -> ticks[0] += 1_000_000);
    }

    String progress()
    {
        return progress.toString(StandardCharsets.UTF_8);
    }

    /** Takes in files that were written before. */
    FeedResult take(final String name)
    {
        return take(context(), Feed.of(path(name).toString()));
    }

    FeedResult takeAgain(final String name)
    {
        return take(context().again(true), Feed.of(path(name).toString()));
    }

    FeedResult take(final String name, final String stream)
    {
        return take(context(), Feed.of(path(name).toString(), stream, null));
    }

    static FeedResult take(final FeedImportContext context, final Feed feed)
    {
        return new FeedImport(context).run(List.of(feed)).feeds().get(0);
    }

    /** Takes in a text as standard input. */
    FeedResult takeInput(final String text)
    {
        return takeInput(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
    }

    FeedResult takeInput(final InputStream in)
    {
        return take(context().standardInput(in), Feed.of(Feed.STANDARD_INPUT));
    }

    /** All events, log by log: {@code payments-0 upsert k i 0 100 7 @9}: key, id, revision, time, value, arrival. */
    List<String> events()
    {
        final List<String> events = new ArrayList<>();
        final EventView event = new EventView();
        try (SourceLogs logs = SourceLogs.openReadOnly(data(), TOPOLOGY))
        {
            for (int source = 0; source < TOPOLOGY.sources(); source++)
            {
                try (LogTailer tailer = logs.tailer(source))
                {
                    while (tailer.poll())
                    {
                        event.wrap(tailer.buffer(), tailer.offset());
                        events.add(TOPOLOGY.sourceName(source) + " " + describe(event));
                    }
                }
            }
        }
        return events;
    }

    /** All records of all logs, byte for byte, each behind its queue index. */
    List<String> records()
    {
        return records(data());
    }

    static List<String> records(final Path data)
    {
        final List<String> records = new ArrayList<>();
        try (SourceLogs logs = SourceLogs.openReadOnly(data, TOPOLOGY))
        {
            for (int source = 0; source < TOPOLOGY.sources(); source++)
            {
                try (LogTailer tailer = logs.tailer(source))
                {
                    while (tailer.poll())
                    {
                        final byte[] bytes = new byte[tailer.length()];
                        tailer.buffer().getBytes(tailer.offset(), bytes);
                        records.add(source + " " + tailer.index() + " " + HexFormat.of().formatHex(bytes));
                    }
                }
            }
        }
        return records;
    }

    /** The report of lines turned away, as it is. */
    List<String> rejects()
    {
        return lines(data().resolve(RejectsFile.NAME));
    }

    List<String> journal()
    {
        return lines(data().resolve(ImportJournal.NAME));
    }

    private static List<String> lines(final Path path)
    {
        try
        {
            return Files.exists(path) ? Files.readAllLines(path) : List.of();
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    private static String describe(final EventView event)
    {
        final String span = !event.hasSpan() ? "" :
            " [" + orNone(event.start()) + "," + orNone(event.end()) + "]";
        return EventKind.nameOf(event.kind()) + " " + event.key() + " " + event.id() + " " + event.revision() + " " +
            event.time() + span + " " + event.value() + " @" + event.arrival();
    }

    private static String orNone(final long time)
    {
        return time == EventView.NO_TIME ? "none" : Long.toString(time);
    }
}
