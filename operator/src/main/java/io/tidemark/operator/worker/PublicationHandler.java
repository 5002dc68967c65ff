package io.tidemark.operator.worker;

import io.tidemark.ingest.log.LogTailer;
import io.tidemark.operator.change.RecordAppender;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * Turns a publication, which somebody asked for in the control log, into change-sets of the next generation
 * (SEMANTICS.md section 8), in its place in the order and whatever the rule is. What it does is a function of the order
 * and of what it saved.
 */
public interface PublicationHandler
{
    /** For pipelines without repairs: stops at a publication. */
    PublicationHandler NONE = (position, records, count) ->
    {
        throw new IllegalStateException("position " + position + " of the order is a publication, which this program " +
            "does not know; use the version of Tidemark that asked for it");
    };

    /**
     * A publication was reached. Its change-sets must be written before this returns.
     *
     * @param position that it takes.
     * @param records  the control log, standing before its first record; what is polled is left as it stands.
     * @param count    how many records it has.
     */
    void onPublication(long position, LogTailer records, int count);

    /**
     * Where the operator's change-sets go, so that they are of the newest generation.
     *
     * @param log the change log.
     * @return what stands between the operator and the log.
     */
    default RecordAppender changes(final RecordAppender log)
    {
        return log;
    }

    /**
     * The newest generation of the table.
     *
     * @return from 1.
     */
    default int generation()
    {
        return RepairPublications.FIRST_GENERATION;
    }

    /**
     * Writes what it has to remember, to a checkpoint; the same order gives the same bytes.
     *
     * @param to     written to; grows as needed.
     * @param offset from where on.
     * @return bytes written.
     */
    default int saveRegisters(final MutableDirectBuffer to, final int offset)
    {
        return 0;
    }

    /**
     * Goes back to what was saved.
     *
     * @param from   written by {@link #saveRegisters}.
     * @param offset from where on.
     * @param length bytes written.
     */
    default void restore(final DirectBuffer from, final int offset, final int length)
    {
    }
}
