package io.tidemark.sink.sql;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

import io.tidemark.ingest.Topology;
import io.tidemark.sink.ChangeLogFixture;
import io.tidemark.sink.ResultRow;
import io.tidemark.sink.SourceRow;
import io.tidemark.sink.TableSource;
import io.tidemark.sink.Utf8;

/** A sink on a change log that the test writes. */
final class SqlFixture implements AutoCloseable
{
    static final Topology TOPOLOGY = ChangeLogFixture.TOPOLOGY;

    final SqlTarget target;
    final Path dataDirectory;
    SqlSink sink;
    private long nowMs;

    SqlFixture(final Database database, final Path dataDirectory)
    {
        this.dataDirectory = dataDirectory;
        target = database.target(dataDirectory);
        restart();
    }

    static SourceRow row(final String id, final int revision, final long time, final long value)
    {
        return new SourceRow(Utf8.of(id), revision, time, value, 1, 77);
    }

    /** A new sink on the same tables, as after a crash. */
    SqlFixture restart()
    {
        if (sink != null)
        {
            sink.close();
        }
        sink = new SqlSink(target, "test", dataDirectory, TOPOLOGY);
        return this;
    }

    /** Applies all that the log has. */
    SqlFixture applied()
    {
        int work;
        do
        {
            work = sink.work(nowMs++);
            if (!sink.progress().isConnected())
            {
                throw new IllegalStateException(sink.progress().trouble());
            }
        }
        while (work > 0);
        return this;
    }

    List<ResultRow> rows(final TableSource.Kind kind)
    {
        final List<ResultRow> rows = new ArrayList<>();
        try (SqlTables tables = SqlTables.open(target, "test"))
        {
            tables.forEach(kind, null, row -> rows.add(row.row()));
        }
        return rows;
    }

    List<String> query(final String sql)
    {
        final List<String> rows = new ArrayList<>();
        try (Connection connection = target.connect();
            Statement statement = connection.createStatement();
            ResultSet row = statement.executeQuery(sql))
        {
            while (row.next())
            {
                final List<String> columns = new ArrayList<>();
                for (int i = 1; i <= row.getMetaData().getColumnCount(); i++)
                {
                    columns.add(row.getString(i));
                }
                rows.add(String.join(" ", columns.stream().map(String::valueOf).toList()));
            }
        }
        catch (final SQLException e)
        {
            throw new IllegalStateException(e);
        }
        return rows;
    }

    void execute(final String sql)
    {
        try (Connection connection = target.connect(); Statement statement = connection.createStatement())
        {
            statement.execute(sql);
            connection.commit();
        }
        catch (final SQLException e)
        {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close()
    {
        sink.close();
    }
}
