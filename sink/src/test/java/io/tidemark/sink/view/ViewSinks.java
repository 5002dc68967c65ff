package io.tidemark.sink.view;

import java.nio.file.Path;

import io.tidemark.sink.TableSink;

/** Views for tests. */
public final class ViewSinks
{
    private ViewSinks()
    {
    }

    /** A view that uses memory again almost at once, so that what goes wrong there does so in a test. */
    public static TableSink impatient(final Path dataDirectory)
    {
        return new ViewSink(dataDirectory, 3);
    }
}
