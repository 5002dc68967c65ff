package io.tidemark.sink.sql;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The tables of current rows. A row is its {@code row_id}, columns that the row id is made of, columns of content, and
 * where it came from: the generation and the change-set that inserted it. What was current once is in a table beside it
 * with the change-set that retracted it.
 */
enum ResultTable
{
    /** Matched pairs. */
    PAIRS("pairs"),

    /** Rows without a pair. */
    UNMATCHED("unmatched"),

    /** Sessions. */
    SESSIONS("sessions");

    static final String ROW_ID = "row_id";

    private static final List<Column> ORIGIN =
        List.of(Column.number("generation"), Column.number("position"), Column.number("ordinal"));
    private static final List<Column> RETRACTION =
        List.of(Column.number("retracted_position"), Column.number("retracted_ordinal"));

    private final String tableName;

    ResultTable(final String tableName)
    {
        this.tableName = tableName;
    }

    /** Of the table of current rows. */
    String tableName()
    {
        return tableName;
    }

    /** Of the table of rows that were current once. */
    String pastName()
    {
        return tableName + "_past";
    }

    /** What the row id is made of. */
    List<Column> identity()
    {
        return switch (this)
        {
            case PAIRS -> List.of(
                Column.number("rule"), Column.text("key"), Column.text("left_id"), Column.number("left_revision"),
                Column.text("right_id"), Column.number("right_revision"));
            case UNMATCHED -> List.of(
                Column.number("rule"), Column.text("key"), Column.text("side"), Column.text("id"),
                Column.number("revision"));
            case SESSIONS -> List.of(Column.number("rule"), Column.text("key"), Column.time("start_time"));
        };
    }

    /** What a retraction must repeat. */
    List<Column> content()
    {
        return switch (this)
        {
            case PAIRS -> List.of(
                Column.time("left_time"), Column.number("left_value"), Column.number("left_partition"),
                Column.number("left_index"), Column.time("right_time"), Column.number("right_value"),
                Column.number("right_partition"), Column.number("right_index"));
            case UNMATCHED -> List.of(
                Column.time("time"), Column.number("value"), Column.number("source_partition"),
                Column.number("source_index"), Column.flag("final"));
            case SESSIONS -> List.of(
                Column.time("end_time"), Column.number("count"), Column.wide("sum"), Column.number("min"),
                Column.number("max"), Column.flag("final"), Column.number("publication"));
        };
    }

    /** All columns of the table of current rows, the row id first. */
    List<Column> columns()
    {
        final List<Column> columns = new ArrayList<>();
        columns.add(Column.text(ROW_ID));
        columns.addAll(identity());
        columns.addAll(content());
        columns.addAll(ORIGIN);
        return columns;
    }

    /** What the table of the past has besides. */
    static List<Column> retraction()
    {
        return RETRACTION;
    }

    /** All columns of the table of the past. */
    List<Column> pastColumns()
    {
        final List<Column> columns = columns();
        columns.addAll(RETRACTION);
        return columns;
    }

    String insertStatement()
    {
        return insertStatement(tableName, columns());
    }

    String insertPastStatement()
    {
        return insertStatement(pastName(), pastColumns());
    }

    private static String insertStatement(final String table, final List<Column> columns)
    {
        return "INSERT INTO " + table + " (" + names(columns) + ") VALUES (" +
            columns.stream().map(column -> "?").collect(Collectors.joining(", ")) + ")";
    }

    /** Copies a current row into the past, if it is just what the retraction repeats. */
    String retireStatement()
    {
        return retireAnyStatement() +
            content().stream().map(column -> " AND " + column.name() + " = ?").collect(Collectors.joining());
    }

    /** Copies a current row into the past, whatever it holds. */
    String retireAnyStatement()
    {
        final String names = names(columns());
        return "INSERT INTO " + pastName() + " (" + names + ", " + names(RETRACTION) + ") SELECT " + names +
            ", ?, ? FROM " + tableName + " WHERE " + ROW_ID + " = ?";
    }

    String deleteStatement()
    {
        return "DELETE FROM " + tableName + " WHERE " + ROW_ID + " = ?";
    }

    String selectStatement()
    {
        return "SELECT " + names(columns()) + " FROM " + tableName;
    }

    static String names(final List<Column> columns)
    {
        return columns.stream().map(Column::name).collect(Collectors.joining(", "));
    }
}
