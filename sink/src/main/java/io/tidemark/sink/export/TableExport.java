package io.tidemark.sink.export;

import java.io.IOException;
import java.util.List;

import io.tidemark.sink.PairRow;
import io.tidemark.sink.ResultRow;
import io.tidemark.sink.SessionRow;
import io.tidemark.sink.SourceRow;
import io.tidemark.sink.TableRow;
import io.tidemark.sink.UnmatchedRow;

/**
 * Writes rows of the current table.
 */
public final class TableExport
{
    /** Columns of {@code pairs}. */
    public static final List<String> PAIR_COLUMNS = List.of(
        "row_id", "rule", "key", "left_id", "left_revision", "left_time", "left_value", "right_id", "right_revision",
        "right_time", "right_value", "generation");

    /** Columns of {@code unmatched}. */
    public static final List<String> UNMATCHED_COLUMNS = List.of(
        "row_id", "rule", "key", "side", "id", "revision", "time", "value", "final", "generation");

    /** Columns of {@code sessions}. */
    public static final List<String> SESSION_COLUMNS = List.of(
        "row_id", "rule", "key", "start", "end", "count", "sum", "min", "max", "final", "publication", "generation");

    private final RecordWriter writer;
    private final RowIdText rowIds = new RowIdText();

    /**
     * @param writer for the columns of what is written.
     */
    public TableExport(final RecordWriter writer)
    {
        this.writer = writer;
    }

    /**
     * Writes rows, one record each.
     *
     * @param rows in the order to write.
     * @throws IOException when the output is gone.
     */
    public void write(final List<TableRow> rows) throws IOException
    {
        for (final TableRow row : rows)
        {
            writer.begin();
            writeFields(writer, row.row());
            writer.number("generation", row.generation());
            writer.end();
        }
    }

    /** The fields that are the row's own: all but the generation. */
    void writeFields(final RecordWriter target, final ResultRow row) throws IOException
    {
        target.text("row_id", rowIds.of(row));
        target.number("rule", row.rule());
        target.text("key", row.key().toString());
        if (row instanceof final PairRow pair)
        {
            writeSide(target, "left_", pair.left());
            writeSide(target, "right_", pair.right());
        }
        else if (row instanceof final SessionRow session)
        {
            target.text("start", TimeText.ofTime(session.start()));
            target.text("end", TimeText.ofTime(session.end()));
            target.number("count", session.count());
            target.number("sum", session.sum());
            target.number("min", session.min());
            target.number("max", session.max());
            target.flag("final", session.isFinal());
            target.number("publication", session.publication());
        }
        else
        {
            final UnmatchedRow alone = (UnmatchedRow)row;
            target.text("side", RowIdText.side(alone.side()));
            writeSide(target, "", alone.row());
            target.flag("final", alone.isFinal());
        }
    }

    private static void writeSide(final RecordWriter target, final String prefix, final SourceRow row)
        throws IOException
    {
        target.text(prefix + "id", row.id().toString());
        target.number(prefix + "revision", row.revision());
        target.text(prefix + "time", TimeText.ofTime(row.time()));
        target.number(prefix + "value", row.value());
    }
}
