package io.tidemark.sink.export;

import java.io.IOException;
import java.io.OutputStream;
import java.util.List;

/**
 * The formats of exports.
 */
public enum ExportFormat
{
    /** JSON Lines. */
    JSONL,
    /** CSV with a header. */
    CSV;

    /**
     * A writer of this format.
     *
     * @param out     where to; closed with the writer.
     * @param columns of every record.
     * @return the writer.
     * @throws IOException when the output is gone.
     */
    public RecordWriter writer(final OutputStream out, final List<String> columns) throws IOException
    {
        return this == JSONL ? new JsonLinesWriter(out) : new CsvWriter(out, columns);
    }
}
