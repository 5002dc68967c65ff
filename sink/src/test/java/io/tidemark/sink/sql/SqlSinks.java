package io.tidemark.sink.sql;

import java.nio.file.Path;

import io.tidemark.ingest.Topology;
import io.tidemark.sink.TableSink;

/** SQL sinks for tests. */
public final class SqlSinks
{
    private static final int FEW_CHANGES = 2_000;

    private SqlSinks()
    {
    }

    /** A sink that commits often, so that a short log has several transactions. */
    public static TableSink busy(final SqlTarget target, final Path dataDirectory, final Topology topology)
    {
        return new SqlSink(target, "test", dataDirectory, topology, FEW_CHANGES);
    }
}
