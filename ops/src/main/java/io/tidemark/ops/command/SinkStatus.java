package io.tidemark.ops.command;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;

import com.fasterxml.jackson.core.JsonGenerator;
import io.tidemark.ops.config.Configuration;
import io.tidemark.sink.ChangeLogTailer;
import io.tidemark.sink.SinkMarkFile;

/**
 * What {@code status} shows of the sink, taken from files only.
 *
 * @param what   the sink is.
 * @param mark   its file; null when it has never run.
 * @param newest record of the change log.
 */
record SinkStatus(String what, SinkMarkFile.Mark mark, long newest)
{
    static SinkStatus read(final Configuration configuration)
    {
        final Path data = configuration.resultsDirectory();
        long newest = -1;
        if (ChangeLogTailer.exists(data))
        {
            try (ChangeLogTailer log = ChangeLogTailer.open(data))
            {
                newest = log.newestNumber();
            }
        }
        return new SinkStatus(Sinks.describe(configuration), SinkMarkFile.read(data), newest);
    }

    /** Records of the change log that are not in the tables. */
    long lag()
    {
        return newest - (mark == null ? -1 : mark.number());
    }

    String state()
    {
        if (mark == null)
        {
            return "never_run";
        }
        final boolean isGone = mark.state() != SinkMarkFile.State.ENDED &&
            mark.state() != SinkMarkFile.State.FAILED && ProcessHandle.of(mark.pid()).isEmpty();
        return isGone ? "killed" : mark.state().name().toLowerCase(Locale.ROOT);
    }

    String line()
    {
        final StringBuilder text = new StringBuilder(what).append(": ");
        if (mark == null)
        {
            return text.append("has not run yet").toString();
        }
        text.append(String.format(Locale.ROOT, "%s, position %,d, %,d records of the change log behind", state(),
            mark.position(), lag()));
        if (mark.reconnects() > 0)
        {
            text.append(String.format(Locale.ROOT, ", %,d reconnects", mark.reconnects()));
        }
        if (mark.fenced() > 0)
        {
            text.append(String.format(Locale.ROOT, ", %,d change-sets of old owners refused", mark.fenced()));
        }
        return text.append(mark.trouble().isEmpty() ? "" : "; " + mark.trouble()).toString();
    }

    void write(final JsonGenerator json) throws IOException
    {
        json.writeObjectFieldStart("sink");
        json.writeStringField("what", what);
        json.writeStringField("state", state());
        if (mark != null)
        {
            json.writeNumberField("position", mark.position());
            json.writeNumberField("change_record", mark.number());
            json.writeNumberField("lag", lag());
            json.writeNumberField("change_sets", mark.changeSets());
            json.writeNumberField("changes", mark.changes());
            json.writeNumberField("skipped", mark.skipped());
            json.writeNumberField("fenced", mark.fenced());
            json.writeNumberField("reconnects", mark.reconnects());
            json.writeStringField("trouble", mark.trouble());
        }
        json.writeEndObject();
    }
}
