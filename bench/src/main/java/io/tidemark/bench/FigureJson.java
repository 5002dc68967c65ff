package io.tidemark.bench;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;

import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;

/** Prints a report for programs: one JSON object, with every round. */
final class FigureJson
{
    private final PrintStream out;

    FigureJson(final PrintStream out)
    {
        this.out = out;
    }

    void print(final Report report)
    {
        try (JsonGenerator json = new JsonFactory().createGenerator(out))
        {
            json.disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);
            json.useDefaultPrettyPrinter();
            json.writeStartObject();
            json.writeStringField("java", Report.java());
            json.writeNumberField("cores", Report.cores());
            json.writeNumberField("loadAtStart", report.loadAtStart());
            json.writeNumberField("loadAtEnd", Report.load());
            json.writeNumberField("seed", report.settings().seed());
            json.writeArrayFieldStart("workloads");
            for (final WorkloadFigures figures : report.workloads())
            {
                write(json, figures);
            }
            json.writeEndArray();
            json.writeArrayFieldStart("states");
            for (final StateFigures figures : report.states())
            {
                write(json, figures);
            }
            json.writeEndArray();
            json.writeArrayFieldStart("costs");
            for (final CostFigures figures : report.costs())
            {
                write(json, figures);
            }
            json.writeEndArray();
            json.writeEndObject();
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException("the report could not be written", ex);
        }
        out.println();
    }

    private static void write(final JsonGenerator json, final WorkloadFigures figures) throws IOException
    {
        final PipelineFigures last = figures.last();
        json.writeStartObject();
        json.writeStringField("name", figures.workload().name());
        json.writeNumberField("events", figures.events());
        json.writeNumberField("measuredEvents", figures.measured());
        json.writeBooleanField("windowFull", figures.isWindowFull());
        json.writeNumberField("ratio", figures.ratio());
        json.writeNumberField("workerRatio", figures.workerRatio());
        json.writeNumberField("matchesPerEvent", figures.matchesPerEvent());
        json.writeNumberField("unmatchedPerEvent", figures.unmatchedPerEvent());
        json.writeNumberField("bytesPerEvent", figures.bytesPerEvent());
        json.writeNumberField("accepted", last.accepted());
        json.writeNumberField("refused", last.refused());
        json.writeNumberField("rows", last.rows());
        json.writeNumberField("liveRows", last.liveRows());
        json.writeNumberField("keys", last.keys());
        json.writeNumberField("stateBytes", last.stateBytes());
        json.writeNumberField("bytesPerRow", last.bytesPerRow());
        json.writeFieldName("ingest");
        write(json, figures.ingest());
        write(json, "sequencer", figures.sequencer());
        write(json, "sequencerFloor", figures.sequencerFloor());
        write(json, "worker", figures.worker());
        write(json, "workerFloor", figures.workerFloor());
        json.writeEndObject();
    }

    private static void write(final JsonGenerator json, final StateFigures figures) throws IOException
    {
        json.writeStartObject();
        json.writeStringField("unmatched", figures.unmatched().name());
        json.writeNumberField("keys", figures.keys());
        json.writeNumberField("rows", figures.rows());
        json.writeNumberField("stateBytes", figures.stateBytes());
        json.writeNumberField("bytesPerRow", figures.bytesPerRow());
        json.writeNumberField("heapBefore", figures.heapBefore());
        json.writeNumberField("heapAfter", figures.heapAfter());
        json.writeFieldName("insert");
        write(json, figures.measure());
        json.writeEndObject();
    }

    private static void write(final JsonGenerator json, final CostFigures figures) throws IOException
    {
        json.writeStartObject();
        json.writeStringField("rule", figures.rule());
        json.writeNumberField("rows", figures.rows());
        json.writeNumberField("keys", figures.keys());
        json.writeNumberField("stateBytes", figures.stateBytes());
        json.writeFieldName("event");
        write(json, figures.measure());
        json.writeEndObject();
    }

    private static void write(final JsonGenerator json, final String name, final Rounds rounds) throws IOException
    {
        json.writeArrayFieldStart(name);
        for (final Measure measure : rounds.all())
        {
            write(json, measure);
        }
        json.writeEndArray();
    }

    private static void write(final JsonGenerator json, final Measure measure) throws IOException
    {
        json.writeStartObject();
        json.writeNumberField("events", measure.events());
        json.writeNumberField("cpuNsPerEvent", measure.cpuNsPerEvent());
        json.writeNumberField("kernelPercent", measure.kernelPercent());
        json.writeNumberField("wallNsPerEvent", measure.wallNsPerEvent());
        json.writeNumberField("allocatedBytesPerEvent", measure.allocatedBytesPerEvent());
        json.writeEndObject();
    }
}
