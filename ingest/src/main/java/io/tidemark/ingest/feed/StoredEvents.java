package io.tidemark.ingest.feed;

import io.tidemark.ingest.Topology;
import io.tidemark.ingest.event.EventKind;
import io.tidemark.ingest.event.EventView;
import io.tidemark.ingest.event.SourceLogs;
import io.tidemark.ingest.log.LogTailer;
import org.agrona.DirectBuffer;

import java.util.List;

/**
 * Walks, source by source, through the events that an import has appended before: what is in the stretches of the log
 * that the journal gives its sessions, in order. Records that were pruned since count as there, unseen.
 */
final class StoredEvents implements AutoCloseable
{
    private final Source[] sources;

    StoredEvents(final SourceLogs logs, final List<ImportRecord.Session> sessions)
    {
        final Topology topology = logs.topology();
        sources = new Source[topology.sources()];
        for (int source = 0; source < sources.length && !sessions.isEmpty(); source++)
        {
            final String name = topology.sourceName(source);
            sources[source] = new Source(logs.tailer(source), name, sessions, logs.log(source).lastNumber() + 1);
        }
    }

    /** Goes to the source's next stored event; false where there is none left. */
    boolean next(final int source)
    {
        return sources[source] != null && sources[source].next();
    }

    /** Whether the event is no longer there to be compared. */
    boolean isPruned(final int source)
    {
        return sources[source].isPruned;
    }

    EventView event(final int source)
    {
        return sources[source].event;
    }

    long number(final int source)
    {
        return sources[source].number;
    }

    /** Whether the stored event is what a line of the feed says, its arrival apart. */
    boolean isSame(final int source, final FeedEvent expected)
    {
        final EventView stored = sources[source].event;
        return stored.kind() == expected.kind &&
            stored.time() == expected.time &&
            stored.start() == expected.start &&
            stored.end() == expected.end &&
            stored.value() == expected.value &&
            stored.revision() == expected.revision &&
            stored.keyLength() == expected.keyLength &&
            stored.idLength() == expected.idLength &&
            isSame(stored.buffer(), stored.keyOffset(), expected.text, expected.keyOffset, expected.keyLength) &&
            isSame(stored.buffer(), stored.idOffset(), expected.text, expected.idOffset, expected.idLength);
    }

    /** Whether it is the end of input, which the engine may have declared for the user after a session that died. */
    boolean isEndOfInput(final int source)
    {
        final EventView stored = sources[source].event;
        return stored.kind() == EventKind.WATERMARK && stored.time() == Long.MAX_VALUE;
    }

    @Override
    public void close()
    {
        for (final Source source : sources)
        {
            if (source != null)
            {
                source.tailer.close();
            }
        }
    }

    private static boolean isSame(
        final DirectBuffer stored, final int offset, final byte[] text, final int textOffset, final int length)
    {
        for (int i = 0; i < length; i++)
        {
            if (stored.getByte(offset + i) != text[textOffset + i])
            {
                return false;
            }
        }
        return true;
    }

    private static final class Source
    {
        private final LogTailer tailer;
        private final long oldest;
        private final long[] from;
        private final long[] to;
        private final EventView event = new EventView();
        private int stretch;
        private long number = -1;
        private long polled = -1;
        private boolean isPruned;

        Source(
            final LogTailer tailer, final String name, final List<ImportRecord.Session> sessions, final long endNumber)
        {
            this.tailer = tailer;
            oldest = tailer.toOldest();
            from = new long[sessions.size()];
            to = new long[sessions.size()];
            for (int i = 0; i < from.length; i++)
            {
                from[i] = sessions.get(i).from(name);
                to[i] = Math.min(sessions.get(i).to(name), endNumber);
            }
        }

        boolean next()
        {
            if (stretch == from.length)
            {
                return false;
            }
            long wanted = Math.max(number + 1, from[stretch]);
            while (wanted >= to[stretch])
            {
                if (++stretch == from.length)
                {
                    return false;
                }
                wanted = Math.max(wanted, from[stretch]);
            }
            number = wanted;
            isPruned = wanted < oldest;
            while (!isPruned && polled < wanted)
            {
                if (!tailer.poll())
                {
                    stretch = from.length;
                    return false;
                }
                polled = tailer.number();
            }
            if (!isPruned)
            {
                event.wrap(tailer.buffer(), tailer.offset());
            }
            return true;
        }
    }
}
