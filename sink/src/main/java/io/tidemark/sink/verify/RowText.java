package io.tidemark.sink.verify;

import io.tidemark.sink.ResultRow;
import io.tidemark.sink.SessionRow;

/** Rows in words. */
final class RowText
{
    private RowText()
    {
    }

    static String of(final ResultRow row)
    {
        if (row instanceof final SessionRow session)
        {
            return "key " + session.key() + ": session " + session.start() + " to " + session.end() + ", " +
                session.count() + " events, sum " + session.sum() + ", " + session.min() + " to " + session.max() +
                (session.isFinal() ? ", final" : ", provisional");
        }
        return TableComparison.describe(row);
    }
}
