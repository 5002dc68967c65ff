package io.tidemark.sink;

import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * The current table as a sink has it, all of it as of one moment, however long it is read. One thread at a time.
 */
public interface TableSource extends AutoCloseable
{
    /** The three tables. */
    enum Kind
    {
        /** Rows are {@link PairRow}. */
        PAIRS,
        /** Rows are {@link UnmatchedRow}. */
        UNMATCHED,
        /** Rows are {@link SessionRow}. */
        SESSIONS
    }

    /**
     * Up to where it has applied the change log.
     *
     * @return number of the last record, -1 when there is none.
     */
    long changeNumber();

    /**
     * Reads a table, in no particular order.
     *
     * @param kind     which one.
     * @param key      whose rows; null for all.
     * @param consumer of each row.
     */
    void forEach(Kind kind, Utf8 key, Consumer<TableRow> consumer);

    /**
     * Reads what has become of late events, in no particular order.
     *
     * @param consumer of the position of each, and its state.
     * @return false when the sink keeps no repair queue; then the late log alone says it.
     */
    boolean forEachLate(BiConsumer<Long, String> consumer);

    @Override
    void close();
}
