package io.tidemark.ingest.feed;

import io.tidemark.ingest.Topology;
import io.tidemark.ingest.event.ArrivalClock;
import io.tidemark.ingest.event.EventAppender;
import io.tidemark.ingest.event.EventKind;
import io.tidemark.ingest.event.SourceLogs;
import io.tidemark.ingest.log.CrashPoint;

import java.io.IOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Takes in one feed, from its first line to its last. What an earlier session of the same import has appended is
 * compared and passed over. The journal is told before the first append, and only then.
 */
final class ImportSession
{
    private static final int LINES_BETWEEN_REPORTS = 256;
    private static final long LAST_ARRIVAL_NS = Long.MAX_VALUE - 1;
    private static final long MAX_PARK_NS = TimeUnit.MILLISECONDS.toNanos(50);

    private final FeedImport owner;
    private final FeedImportContext context;
    private final Feed feed;
    private final FeedTarget target;
    private final FeedInput input;
    private final SourceLogs logs;
    private final ImportJournal journal;
    private final RejectsFile rejects;
    private final ArrivalClock arrivals = new ArrivalClock();
    private final Pacer pacer;
    private final long[] appendedBySource;
    private final List<String> notes = new ArrayList<>();
    private ImportRecord record;
    private boolean isKnown;
    private boolean isBegun;
    /** While all arrivals so far came with the feed, those stored before have to be the very same. */
    private boolean areArrivalsGiven = true;
    private boolean isLastLineLeftOut;
    private long appended;
    private long alreadyThere;
    private long rejected;
    private long reportedLine;

    ImportSession(
        final FeedImport owner,
        final FeedImportContext context,
        final Feed feed,
        final FeedTarget target,
        final FeedInput input,
        final ImportStore store)
    {
        this.owner = owner;
        this.context = context;
        this.feed = feed;
        this.target = target;
        this.input = input;
        logs = store.logs();
        journal = store.journal();
        rejects = store.rejects();
        pacer = context.speed() > 0 ? new Pacer(context.speed()) : null;
        appendedBySource = new long[logs.topology().sources()];
    }

    static RowReader readerOf(
        final Feed feed, final FeedInput input, final LineReader lines, final FeedTarget target) throws IOException
    {
        return switch (input.format())
        {
            case CSV -> new CsvRowReader(lines, target, feed.title());
            case JSON_LINES -> new JsonRowReader(lines, target, feed.title());
        };
    }

    FeedResult run()
    {
        identify();
        final LineReader lines = input.lines();
        final boolean isComplete;
        try (StoredEvents stored = new StoredEvents(logs, record.sessions);
            Progress progress = context.progressOf(feed, input.sizeBytes()))
        {
            isComplete = readLines(lines, stored, progress);
            if (isComplete)
            {
                checkNothingLeft(stored);
            }
        }
        catch (final IOException ex)
        {
            throw FeedInput.unreadable(feed, lines.line(), ex);
        }
        if (isComplete)
        {
            finish(lines);
        }
        return result(isComplete);
    }

    /** Finds out whether this is an import that the journal knows. */
    private void identify()
    {
        final ImportRecord same = journal.findSame(feed, input);
        if (same != null && !(context.again() && (same.isFinished || same.isChanged)))
        {
            record = same;
            isKnown = true;
            for (final ImportRecord.Session session : same.sessions)
            {
                reportedLine = Math.max(
                    reportedLine, rejects.lastLineBetween(session.rejectsFrom, session.rejectsTo));
            }
            return;
        }
        final ImportRecord former = same == null && feed.isFile() ? journal.findAtPath(feed) : null;
        if (former != null && !context.again())
        {
            throw FeedException.failed(feed.title() + " is not what it was when it was ingested on " + former.at +
                ". Nothing was appended; give what is new a name of its own, or append the whole with --again.");
        }
        final String now =
            Instant.ofEpochMilli(context.cycleClock().time()).truncatedTo(ChronoUnit.SECONDS).toString();
        record = new ImportRecord(
            journal.nextNumber(), feed, input.headDigest(input.headLength()), input.headLength(), now);
    }

    private boolean readLines(final LineReader lines, final StoredEvents stored, final Progress progress)
        throws IOException
    {
        final RowReader rows = readerOf(feed, input, lines, target);
        final EventReader events = new EventReader(target, rows.columns());
        long count = 0;
        while (rows.next())
        {
            if (lines.isUnterminated() && input.isBeingWritten())
            {
                notes.add(feed.title() + " is being written to: its last line, " + rows.row().line() +
                    ", has no end yet and was left out. Ingest it again once it is whole.");
                isLastLineLeftOut = true;
                return true;
            }
            if (!events.read(rows.row()))
            {
                turnAway(rows, events.reason());
            }
            else if (arrivals.lastNs() >= LAST_ARRIVAL_NS)
            {
                turnAway(rows, "an arrival before it is the last there can be");
            }
            else if (!isStored(events.event(), stored, rows.row().line()))
            {
                if (!append(events.event()))
                {
                    return false;
                }
            }
            if (++count % LINES_BETWEEN_REPORTS == 0 || pacer != null)
            {
                progress.update(input.readBytes(), count);
            }
            if (owner.isStopped())
            {
                return false;
            }
        }
        return true;
    }

    private void turnAway(final RowReader rows, final String reason)
    {
        rejected++;
        final long line = rows.row().line();
        if (line > reportedLine)
        {
            begin();
            CrashPoint.hit("import.before-rejected");
            rejects.append(feed.name(), line, reason, rows.text());
            CrashPoint.hit("import.rejected");
        }
    }

    /** Whether the event is the next one that this import had appended to its source's log before. */
    private boolean isStored(final FeedEvent event, final StoredEvents stored, final long line)
    {
        final int source = event.source;
        while (stored.next(source))
        {
            if (stored.isPruned(source))
            {
                alreadyThere++;
                areArrivalsGiven = false;
                arrivals.next(event.arrival);
                return true;
            }
            if (stored.isSame(source, event) && isArrivalSame(event, stored.event(source).arrival()))
            {
                alreadyThere++;
                return true;
            }
            if (!stored.isEndOfInput(source))
            {
                throw changed("line " + line + " is not record " + stored.number(source) + " of log " +
                    logs.topology().sourceName(source) + ", which was appended in its place");
            }
        }
        return false;
    }

    private boolean isArrivalSame(final FeedEvent event, final long storedNs)
    {
        areArrivalsGiven &= event.arrival != FeedEvent.NO_TIME;
        if (!areArrivalsGiven)
        {
            // Once the clock has given one, it may have raised those after it.
            arrivals.next(storedNs);
            return true;
        }
        return arrivals.next(event.arrival) == storedNs;
    }

    private boolean append(final FeedEvent event)
    {
        final boolean isGiven = event.arrival != FeedEvent.NO_TIME;
        areArrivalsGiven &= isGiven;
        final long arrivalNs = arrivals.next(isGiven ? event.arrival : context.arrivalClock().nanoTime());
        if (pacer != null && isGiven && !await(arrivalNs))
        {
            return false;
        }
        begin();
        final EventAppender appender = logs.appender(event.source);
        if (event.kind == EventKind.WATERMARK)
        {
            appender.watermark(event.time);
        }
        else
        {
            final boolean isUpsert = event.kind == EventKind.UPSERT;
            (isUpsert ? appender.upsert(event.time) : appender.retract(event.time))
                .key(event.text, event.keyOffset, event.keyLength)
                .id(event.text, event.idOffset, event.idLength)
                .revision(event.revision)
                .value(event.value);
            appendSpan(appender, event);
        }
        appender.arrival(arrivalNs).append();
        appended++;
        appendedBySource[event.source]++;
        return true;
    }

    private static void appendSpan(final EventAppender appender, final FeedEvent event)
    {
        if (event.start != FeedEvent.NO_TIME)
        {
            appender.start(event.start);
        }
        if (event.end != FeedEvent.NO_TIME)
        {
            appender.end(event.end);
        }
    }

    private boolean await(final long arrivalNs)
    {
        long delayNs = pacer.delayNs(arrivalNs, context.nanoClock().nanoTime());
        while (delayNs > 0 && !owner.isStopped())
        {
            LockSupport.parkNanos(Math.min(delayNs, MAX_PARK_NS));
            delayNs = pacer.delayNs(arrivalNs, context.nanoClock().nanoTime());
        }
        return !owner.isStopped();
    }

    /** Enters this session in the journal, before it changes anything else. */
    private void begin()
    {
        if (!isBegun)
        {
            CrashPoint.hit("import.before-begun");
            journal.begin(record, nextNumbers(), rejects.size());
            CrashPoint.hit("import.begun");
            isBegun = true;
        }
    }

    private void checkNothingLeft(final StoredEvents stored)
    {
        for (int source = 0; isKnown && source < appendedBySource.length; source++)
        {
            // What was appended now is behind the stretches that the journal knew at the start.
            while (stored.next(source))
            {
                if (!stored.isPruned(source) && !stored.isEndOfInput(source))
                {
                    throw changed("record " + stored.number(source) + " of log " +
                        logs.topology().sourceName(source) + " is of no line of it");
                }
            }
        }
    }

    private FeedException changed(final String difference)
    {
        final String at = record.at;
        if (!record.isChanged)
        {
            journal.changed(record);
        }
        return FeedException.failed(feed.title() + " is not what it was when it was ingested on " + at + ": " +
            difference + " (unless another producer has appended that). " +
            (appended == 0 ? "Nothing was appended; " : appended + " events were appended before this showed; ") +
            "give what is new a name of its own, or append the whole with --again.");
    }

    private void finish(final LineReader lines)
    {
        if (isBegun || (isKnown && !record.isFinished))
        {
            final boolean wasUnfinished = isKnown && alreadyThere > 0;
            CrashPoint.hit("import.before-ended");
            journal.end(record, nextNumbers());
            CrashPoint.hit("import.ended");
            if (wasUnfinished)
            {
                notes.add(feed.title() + " was taken up again: " + alreadyThere +
                    " of its events were already there since " + record.at + ".");
            }
        }
        else if (isKnown)
        {
            notes.add(feed.title() + " is already there, since " + record.at +
                ": nothing was appended. Use --again to append all of it once more.");
        }
        if (lines.isUnterminated() && !isLastLineLeftOut)
        {
            notes.add(feed.title() + " does not end its last line, which was taken as complete; " +
                "make sure that the feed is not cut off.");
        }
    }

    private Map<String, Long> nextNumbers()
    {
        final Map<String, Long> numbers = new LinkedHashMap<>();
        for (int source = 0; source < appendedBySource.length; source++)
        {
            numbers.put(logs.topology().sourceName(source), logs.log(source).lastNumber() + 1);
        }
        return numbers;
    }

    private FeedResult result(final boolean isComplete)
    {
        final Topology topology = logs.topology();
        final Map<String, Long> appendedByStream = new LinkedHashMap<>();
        for (int source = 0; source < appendedBySource.length; source++)
        {
            appendedByStream.merge(
                topology.streamName(topology.streamOf(source)), appendedBySource[source], Long::sum);
        }
        return new FeedResult(feed.name(), appended, alreadyThere, rejected, isComplete, appendedByStream,
            List.copyOf(notes));
    }
}
