package io.tidemark.sink.export;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

import io.tidemark.ingest.StreamSpec;
import io.tidemark.ingest.Topology;
import io.tidemark.operator.LateReason;
import io.tidemark.operator.RejectReason;
import io.tidemark.sink.Change;
import io.tidemark.sink.ChangeSet;
import io.tidemark.sink.ChangeSetIdentity;
import io.tidemark.sink.LateEntry;
import io.tidemark.sink.PairRow;
import io.tidemark.sink.RejectEntry;
import io.tidemark.sink.SourceRow;
import io.tidemark.sink.TableRow;
import io.tidemark.sink.TurnedAwayLine;
import io.tidemark.sink.UnmatchedRow;
import io.tidemark.sink.Utf8;
import org.junit.jupiter.api.Test;

class ExportTest
{
    private static final Topology TOPOLOGY =
        Topology.of(List.of(new StreamSpec("payments", 2), new StreamSpec("signals", 1)));
    private static final Utf8 KEY = Utf8.of("a|b,\"c\"");
    private static final SourceRow LEFT = new SourceRow(Utf8.of("P@1"), 3, 1_000_000_000L, 5, 1, 11);
    private static final SourceRow RIGHT = new SourceRow(Utf8.of("S%\u0007"), 0, 1_500_000L, -6, 0, 12);
    private static final PairRow PAIR = new PairRow(1, KEY, LEFT, RIGHT);

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    @Test
    void shouldWritePairsAsJson() throws IOException
    {
        try (RecordWriter writer = ExportFormat.JSONL.writer(out, TableExport.PAIR_COLUMNS))
        {
            new TableExport(writer).write(List.of(new TableRow(PAIR, 2)));
        }

        assertEquals("""
            {"row_id":"pair|1|a%7Cb,\\"c\\"|P%401@3|S%25%07@0","rule":1,"key":"a|b,\\"c\\"","left_id":"P@1",\
            "left_revision":3,"left_time":"1970-01-01T00:00:01Z","left_value":5,"right_id":"S%\\u0007",\
            "right_revision":0,"right_time":"1970-01-01T00:00:00.001500Z","right_value":-6,"generation":2}
            """, text());
    }

    @Test
    void shouldWriteUnmatchedRowsAsCsv() throws IOException
    {
        try (RecordWriter writer = ExportFormat.CSV.writer(out, TableExport.UNMATCHED_COLUMNS))
        {
            new TableExport(writer).write(List.of(new TableRow(new UnmatchedRow(1, KEY, 1, LEFT, true), 1)));
        }

        assertEquals("""
            row_id,rule,key,side,id,revision,time,value,final,generation
            "unmatched|1|a%7Cb,""c""|right|P%401@3",1,"a|b,""c""\",right,P@1,3,1970-01-01T00:00:01Z,5,true,1
            """, text());
    }

    @Test
    void shouldWriteChangesWithTheirRow() throws IOException
    {
        final ChangeSet changeSet = new ChangeSet(
            new ChangeSetIdentity(12, 200, 0), 1, 1, 0, 1, 11, KEY, List.of(new Change(false, PAIR)));
        try (RecordWriter writer = ExportFormat.JSONL.writer(out, LogExport.CHANGE_COLUMNS))
        {
            new LogExport(TOPOLOGY, writer).write(changeSet);
        }

        assertEquals("{\"position\":12,\"slot\":200,\"ordinal\":0,\"epoch\":1,\"generation\":1," +
            "\"cause\":\"payments/1/11\",\"op\":\"retract\",\"row\":{\"row_id\":\"pair|1|", text().substring(0, 126));
    }

    @Test
    void shouldPutTheRowOfAChangeIntoOneFieldOfCsv() throws IOException
    {
        final ChangeSet changeSet = new ChangeSet(new ChangeSetIdentity(12, 200, 1), 1, 1, ChangeSet.CLOCK, 0, 0,
            Utf8.of("k"), List.of(new Change(true, new UnmatchedRow(1, Utf8.of("k"), 0, LEFT, true))));
        try (RecordWriter writer = ExportFormat.CSV.writer(out, LogExport.CHANGE_COLUMNS))
        {
            new LogExport(TOPOLOGY, writer).write(changeSet);
        }

        assertEquals("""
            position,slot,ordinal,epoch,generation,cause,op,row
            12,200,1,1,1,clock,insert,"{""row_id"":""unmatched|1|k|left|P%401@3"",""rule"":1,""key"":""k"",\
            ""side"":""left"",""id"":""P@1"",""revision"":3,""time"":""1970-01-01T00:00:01Z"",""value"":5,\
            ""final"":true}"
            """, text());
    }

    @Test
    void shouldWriteLateEventsWithTheClockThatRefusedThem() throws IOException
    {
        try (RecordWriter writer = ExportFormat.CSV.writer(out, LogExport.LATE_COLUMNS))
        {
            new LogExport(TOPOLOGY, writer).write(new LateEntry(452, 0, 1, 77, 1, Utf8.of("P1"), 2, Utf8.of("k"), -1,
                Long.MAX_VALUE, LateReason.ROW_NOT_OPEN, -1), "waiting");
        }

        assertEquals("""
            position,stream,partition,index,kind,id,revision,key,time,acceptance_clock,reason,due,state
            452,payments,1,77,retract,P1,2,k,1969-12-31T23:59:59.999999999Z,end,its row is no longer open,1969-12-31,\
            waiting
            """, text());
    }

    @Test
    void shouldWriteRejectsOfBothKinds() throws IOException
    {
        try (RecordWriter writer = ExportFormat.JSONL.writer(out, LogExport.REJECT_COLUMNS))
        {
            final LogExport export = new LogExport(TOPOLOGY, writer);
            export.write(new TurnedAwayLine("feed.csv", 7, "no time", "payments,0"));
            export.write(new RejectEntry(9, 1, 0, 5, RejectReason.SPAN_REVERSED, 0, Utf8.of("S"), 0, Utf8.of("k"), 10,
                20, 5, 1, 100));
        }

        assertEquals("""
            {"position":null,"file":"feed.csv","line":7,"reason":"no time","text":"payments,0"}
            {"position":9,"file":null,"line":null,"reason":"its end is before its start","text":"{\\"stream\\":\
            \\"signals\\",\\"partition\\":0,\\"kind\\":\\"upsert\\",\\"id\\":\\"S\\",\\"revision\\":0,\
            \\"key\\":\\"k\\",\
            \\"time\\":10,\\"start\\":20,\\"end\\":5,\\"value\\":1,\\"arrival\\":100}"}
            """, text());
    }

    @Test
    void shouldShowTicksOfTheOrderWithoutASource() throws IOException
    {
        try (RecordWriter writer = ExportFormat.CSV.writer(out, LogExport.ORDER_COLUMNS))
        {
            new LogExport(TOPOLOGY, writer).writeOrder(1, 2, 33, 1_000_000_000L);
            new LogExport(TOPOLOGY, writer).writeOrder(2, -1, 0, 2_000_000_000L);
        }

        assertEquals("""
            position,stream,partition,index,arrival
            1,signals,0,33,1970-01-01T00:00:01Z
            2,,,,1970-01-01T00:00:02Z
            """, text());
    }

    @Test
    void shouldShowClocksThatHaveNotStartedOrEnded()
    {
        assertNull(TimeText.ofClock(Long.MIN_VALUE));
        assertEquals("end", TimeText.ofClock(Long.MAX_VALUE));
        assertEquals("1970-01-01T00:00:00.001Z", TimeText.ofClock(1_000_000));
    }

    private String text()
    {
        return out.toString(StandardCharsets.UTF_8);
    }
}
