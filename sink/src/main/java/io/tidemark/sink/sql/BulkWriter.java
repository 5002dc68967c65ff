package io.tidemark.sink.sql;

import java.sql.SQLException;
import java.util.List;

/**
 * Writes many rows of a table at once, within the transaction of its connection.
 */
interface BulkWriter extends AutoCloseable
{
    /**
     * Moves current rows into the past.
     *
     * @return false when one of them was not current, or has other content.
     */
    boolean retire(ResultTable table, List<TableBatch.Retirement> rows) throws SQLException;

    /** Adds rows of the past. */
    void insertPast(ResultTable table, List<Object[]> rows) throws SQLException;

    /** Adds current rows; fails as the database does where a row id is taken. */
    void insert(ResultTable table, List<Object[]> rows) throws SQLException;

    @Override
    void close();
}
