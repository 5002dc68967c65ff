package io.tidemark.sink.verify;

import io.tidemark.sink.ResultRow;

/** Rows in words. */
final class RowText
{
    private RowText()
    {
    }

    static String of(final ResultRow row)
    {
        return TableComparison.describe(row);
    }
}
