package io.tidemark.sink.verify;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

import io.tidemark.ingest.Topology;
import io.tidemark.sink.Utf8;

/**
 * A feed of the cases put into the total order by the words of SEMANTICS.md section 2, without any log.
 */
final class FeedFixture implements OrderedInput
{
    private final List<LoggedEvent> ordered = new ArrayList<>();

    FeedFixture(final String name, final Topology topology)
    {
        final List<Deque<LoggedEvent>> sources = new ArrayList<>();
        for (int source = 0; source < topology.sources(); source++)
        {
            sources.add(new ArrayDeque<>());
        }
        final List<String> lines = lines(name);
        long lastArrival = Long.MIN_VALUE;
        for (final String line : lines.subList(1, lines.size()))
        {
            final String[] field = line.split(",", -1);
            final int stream = topology.streamIndex(field[0]);
            final int source = topology.sourceOf(stream, Integer.parseInt(field[1]));
            lastArrival = Math.max(lastArrival + 1, Long.parseLong(field[10]));
            sources.get(source).add(event(field, source, sources.get(source).size(), lastArrival));
        }
        order(sources);
    }

    private void order(final List<Deque<LoggedEvent>> sources)
    {
        while (true)
        {
            Deque<LoggedEvent> first = null;
            for (final Deque<LoggedEvent> source : sources)
            {
                if (!source.isEmpty() && (first == null || source.peek().arrival() < first.peek().arrival()))
                {
                    first = source;
                }
            }
            if (first == null)
            {
                return;
            }
            final LoggedEvent e = first.remove();
            ordered.add(new LoggedEvent(
                ordered.size() + 1, e.source(), e.index(), e.arrival(), e.kind(), e.key(), e.id(), e.revision(),
                e.time(), e.hasStart(), e.start(), e.hasEnd(), e.end(), e.value()));
        }
    }

    private static LoggedEvent event(final String[] field, final int source, final long index, final long arrival)
    {
        final int kind = List.of("upsert", "retract", "watermark").indexOf(field[2]);
        return new LoggedEvent(
            0, source, index, arrival, kind, Utf8.of(field[5]), Utf8.of(field[3]), (int)number(field[4]),
            number(field[6]), !field[7].isEmpty(), number(field[7]), !field[8].isEmpty(), number(field[8]),
            number(field[9]));
    }

    private static long number(final String text)
    {
        return text.isEmpty() ? 0 : Long.parseLong(text);
    }

    static List<String> lines(final String name)
    {
        try (InputStream in = FeedFixture.class.getResourceAsStream("/cases/" + name);
            BufferedReader reader = new BufferedReader(
                new InputStreamReader(in, StandardCharsets.UTF_8)))
        {
            return reader.lines().toList();
        }
        catch (final IOException e)
        {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void replay(final Visitor visitor)
    {
        ordered.forEach(visitor::onEvent);
    }
}
