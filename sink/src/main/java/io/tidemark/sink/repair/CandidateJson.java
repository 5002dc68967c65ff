package io.tidemark.sink.repair;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.tidemark.sink.PairRow;
import io.tidemark.sink.ResultRow;
import io.tidemark.sink.SessionRow;
import io.tidemark.sink.SourceRow;
import io.tidemark.sink.UnmatchedRow;
import io.tidemark.sink.Utf8;
import io.tidemark.sink.candidate.Candidate;
import io.tidemark.sink.candidate.Draft;
import io.tidemark.sink.candidate.Region;
import io.tidemark.sink.candidate.RowName;
import io.tidemark.sink.candidate.SourceRange;
import io.tidemark.sink.candidate.Totals;

/**
 * A candidate as JSON, which people can read, and back.
 */
final class CandidateJson
{
    private static final JsonFactory FACTORY = new JsonFactory();
    private static final int FORMAT = 1;

    private CandidateJson()
    {
    }

    static byte[] write(final Candidate candidate) throws IOException
    {
        final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (JsonGenerator json = FACTORY.createGenerator(bytes).useDefaultPrettyPrinter())
        {
            json.writeStartObject();
            json.writeNumberField("format", FORMAT);
            json.writeNumberField("number", candidate.number());
            json.writeNumberField("position", candidate.position());
            json.writeNumberField("left_clock", candidate.leftClock());
            json.writeNumberField("right_clock", candidate.rightClock());
            json.writeNumberField("base_generation", candidate.baseGeneration());
            json.writeNumberField("rule", candidate.rule());
            json.writeStringField("digest", candidate.digest());
            writeRegion(json, candidate.draft());
            writeRead(json, candidate.read());
            json.writeArrayFieldStart("complaints");
            for (final String complaint : candidate.complaints())
            {
                json.writeString(complaint);
            }
            json.writeEndArray();
            writeTotals(json, candidate.draft().totals());
            writeRows(json, "retractions", candidate.draft().retractions());
            writeRows(json, "insertions", candidate.draft().insertions());
            json.writeEndObject();
        }
        return bytes.toByteArray();
    }

    private static void writeRegion(final JsonGenerator json, final Draft draft) throws IOException
    {
        json.writeStringField("key", draft.region().key().toString());
        json.writeNumberField("from", draft.region().fromTime());
        json.writeNumberField("to", draft.region().toTime());
        json.writeStringField("membership", draft.membership());
        json.writeNumberField("left_needs", draft.leftNeeds());
        json.writeNumberField("right_needs", draft.rightNeeds());
        json.writeArrayFieldStart("rows");
        for (final RowName row : draft.region().rows())
        {
            json.writeStartObject();
            json.writeNumberField("side", row.side());
            json.writeStringField("id", row.id().toString());
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeArrayFieldStart("late");
        for (final long position : draft.region().late())
        {
            json.writeNumber(position);
        }
        json.writeEndArray();
    }

    private static void writeRead(final JsonGenerator json, final List<SourceRange> read) throws IOException
    {
        json.writeArrayFieldStart("read");
        for (final SourceRange range : read)
        {
            json.writeStartObject();
            json.writeNumberField("stream", range.stream());
            json.writeNumberField("partition", range.partition());
            json.writeNumberField("first_index", range.firstIndex());
            json.writeNumberField("last_index", range.lastIndex());
            json.writeNumberField("records", range.records());
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private static void writeTotals(final JsonGenerator json, final Totals totals) throws IOException
    {
        json.writeObjectFieldStart("totals");
        json.writeNumberField("pairs", totals.pairs());
        json.writeStringField("left_sum", totals.leftSum().toString());
        json.writeStringField("right_sum", totals.rightSum().toString());
        json.writeNumberField("unmatched", totals.unmatched());
        json.writeStringField("unmatched_sum", totals.unmatchedSum().toString());
        json.writeNumberField("sessions", totals.sessions());
        json.writeNumberField("members", totals.members());
        json.writeStringField("session_sum", totals.sessionSum().toString());
        json.writeEndObject();
    }

    private static void writeRows(final JsonGenerator json, final String name, final List<ResultRow> rows)
        throws IOException
    {
        json.writeArrayFieldStart(name);
        for (final ResultRow row : rows)
        {
            json.writeStartObject();
            if (row instanceof final PairRow pair)
            {
                writeRow(json, "left", pair.left());
                writeRow(json, "right", pair.right());
            }
            else if (row instanceof final UnmatchedRow alone)
            {
                json.writeNumberField("side", alone.side());
                json.writeBooleanField("final", alone.isFinal());
                writeRow(json, "row", alone.row());
            }
            else
            {
                writeSession(json, (SessionRow)row);
            }
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private static void writeSession(final JsonGenerator json, final SessionRow session) throws IOException
    {
        json.writeNumberField("start", session.start());
        json.writeNumberField("end", session.end());
        json.writeNumberField("count", session.count());
        json.writeStringField("sum", session.sum().toString());
        json.writeNumberField("min", session.min());
        json.writeNumberField("max", session.max());
        json.writeBooleanField("final", session.isFinal());
        json.writeNumberField("publication", session.publication());
    }

    private static void writeRow(final JsonGenerator json, final String name, final SourceRow row) throws IOException
    {
        json.writeObjectFieldStart(name);
        json.writeStringField("id", row.id().toString());
        json.writeNumberField("revision", row.revision());
        json.writeNumberField("time", row.time());
        json.writeNumberField("value", row.value());
        json.writeNumberField("partition", row.partition());
        json.writeNumberField("index", row.index());
        json.writeEndObject();
    }

    static Candidate read(final byte[] bytes) throws IOException
    {
        final JsonTree json = JsonTree.parse(bytes);
        if (json.number("format") != FORMAT)
        {
            throw new IOException("it has format " + json.number("format") + ", and this program knows " + FORMAT);
        }
        final Utf8 key = Utf8.of(json.text("key"));
        final int rule = (int)json.number("rule");
        final List<RowName> rows = new ArrayList<>();
        for (final JsonTree row : json.objects("rows"))
        {
            rows.add(new RowName((int)row.number("side"), Utf8.of(row.text("id"))));
        }
        final List<Long> late = json.list("late").stream().map(Number.class::cast).map(Number::longValue).toList();
        final List<SourceRange> read = new ArrayList<>();
        for (final JsonTree range : json.objects("read"))
        {
            read.add(new SourceRange((int)range.number("stream"), (int)range.number("partition"),
                range.number("first_index"), range.number("last_index"), range.number("records")));
        }
        final Draft draft = new Draft(
            new Region(key, json.number("from"), json.number("to"), rows, late),
            readRows(json.objects("retractions"), rule, key), readRows(json.objects("insertions"), rule, key),
            readTotals(json.object("totals")), json.text("membership"), json.number("left_needs"),
            json.number("right_needs"));
        return new Candidate(json.number("number"), json.number("position"), json.number("left_clock"),
            json.number("right_clock"), json.number("base_generation"), rule, read, draft,
            json.list("complaints").stream().map(String.class::cast).toList(), json.text("digest"));
    }

    private static Totals readTotals(final JsonTree totals) throws IOException
    {
        return new Totals(totals.number("pairs"), new BigInteger(totals.text("left_sum")),
            new BigInteger(totals.text("right_sum")), totals.number("unmatched"),
            new BigInteger(totals.text("unmatched_sum")), totals.number("sessions"), totals.number("members"),
            new BigInteger(totals.text("session_sum")));
    }

    private static List<ResultRow> readRows(final List<JsonTree> list, final int rule, final Utf8 key)
        throws IOException
    {
        final List<ResultRow> rows = new ArrayList<>();
        for (final JsonTree row : list)
        {
            if (row.has("left"))
            {
                rows.add(new PairRow(rule, key, readRow(row.object("left")), readRow(row.object("right"))));
            }
            else if (row.has("row"))
            {
                rows.add(new UnmatchedRow(
                    rule, key, (int)row.number("side"), readRow(row.object("row")), row.flag("final")));
            }
            else
            {
                rows.add(new SessionRow(rule, key, row.number("start"), row.number("end"), row.number("count"),
                    new BigInteger(row.text("sum")), row.number("min"), row.number("max"), row.flag("final"),
                    row.number("publication")));
            }
        }
        return rows;
    }

    private static SourceRow readRow(final JsonTree row) throws IOException
    {
        return new SourceRow(Utf8.of(row.text("id")), (int)row.number("revision"), row.number("time"),
            row.number("value"), (int)row.number("partition"), row.number("index"));
    }
}
