package io.tidemark.sink.export;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

import io.tidemark.ingest.Topology;
import io.tidemark.ingest.event.EventKind;
import io.tidemark.sink.RejectEntry;

/**
 * An event as a line of a feed of JSON Lines. Times are in nanoseconds: those of a rejected event may be out of any
 * calendar.
 */
final class EventText
{
    private EventText()
    {
    }

    static String of(final Topology topology, final RejectEntry event)
    {
        final ByteArrayOutputStream text = new ByteArrayOutputStream();
        try (JsonLinesWriter json = new JsonLinesWriter(text))
        {
            json.begin();
            json.text("stream", topology.streamName(event.stream()));
            json.number("partition", event.partition());
            if (event.kind() >= EventKind.UPSERT && event.kind() <= EventKind.WATERMARK)
            {
                json.text("kind", EventKind.nameOf(event.kind()));
            }
            else
            {
                json.number("kind", event.kind());
            }
            json.text("id", event.id().toString());
            json.number("revision", event.revision());
            json.text("key", event.key().toString());
            json.number("time", event.time());
            if (event.start() != Long.MIN_VALUE)
            {
                json.number("start", event.start());
            }
            if (event.end() != Long.MIN_VALUE)
            {
                json.number("end", event.end());
            }
            json.number("value", event.value());
            json.number("arrival", event.arrival());
            json.end();
        }
        catch (final IOException e)
        {
            throw new UncheckedIOException(e);
        }
        return text.toString(StandardCharsets.UTF_8).stripTrailing();
    }
}
