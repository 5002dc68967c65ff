package io.tidemark.sink.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.function.BiConsumer;

import io.tidemark.sink.ChangeLogFixture;
import io.tidemark.sink.LateStates;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class LateWriterTest
{
    private static final String STATES = "SELECT position, state FROM late ORDER BY position";

    @TempDir
    private Path directory;

    @ParameterizedTest
    @EnumSource(Database.class)
    void shouldSayWhetherItWasToldOfEveryEventOfTheTable(final Database database) throws SQLException
    {
        try (SqlFixture sql = new SqlFixture(database, directory);
            ChangeLogFixture log = new ChangeLogFixture(directory))
        {
            log.begin(1, 3, 0, "k").insertUnmatched(0, true, SqlFixture.row("P1", 0, 1_000, 5)).commit();
            sql.applied();
            for (int position = 4; position <= 5; position++)
            {
                sql.execute("INSERT INTO late (position, stream, source_partition, source_index, kind, id, " +
                    "revision, key, time, acceptance_clock, reason, due, state) VALUES (" + position +
                    ", 'payments', 0, 1, 'upsert', 'P2', 0, 'k', 10, 20, 'too late', '1970-01-01', 'waiting')");
            }
            try (Connection connection = sql.target.connect();
                LateWriter writer = new LateWriter(connection, SqlFixture.TOPOLOGY))
            {
                assertFalse(writer.update(new Expired(List.of(4L))), "5 may have come since");
                connection.commit();
                assertEquals(List.of("4 expired", "5 waiting"), sql.query(STATES));
                assertTrue(writer.update(new Expired(List.of(4L, 5L, 6L))));
                connection.commit();
                assertEquals(List.of("4 expired", "5 expired"), sql.query(STATES));
            }
        }
    }

    private record Expired(List<Long> positions) implements LateStates
    {
        @Override
        public long version()
        {
            return 0;
        }

        @Override
        public long oldestRepairableTime()
        {
            return 100;
        }

        @Override
        public void forEach(final BiConsumer<Long, String> consumer)
        {
            positions.forEach(position -> consumer.accept(position, "expired"));
        }
    }
}
