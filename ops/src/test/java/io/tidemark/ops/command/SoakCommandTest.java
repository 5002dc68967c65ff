package io.tidemark.ops.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import io.tidemark.ingest.event.SourceLogs;
import io.tidemark.ops.config.ConfigurationReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A short soak; {@code -Dtidemark.kills=N} makes it as long as one likes. */
class SoakCommandTest
{
    @TempDir
    private Path directory;

    @Test
    void shouldNotShowThatProcessesWereKilled()
    {
        final CommandFixture soak = new CommandFixture(directory);
        final int exitCode = soak.runPlain("", "soak", directory.resolve("soak").toString(),
            "--kills", Integer.getInteger("tidemark.kills", 5).toString(), "--events", "3000", "--seed", "7");
        assertEquals(0, exitCode, () -> soak.out() + soak.err());
        assertTrue(soak.out().contains("records and state as without"), soak.out());
    }

    @Test
    void shouldCompareImportsOfDifferentDays() throws IOException
    {
        final Path killed = imported("killed", 20_000, 1);
        assertNull(new SoakComparison(killed, imported("other-day", 20_001, 1), killed).differenceOfSources());
        assertEquals("record 0 of log payments-0 differs",
            new SoakComparison(killed, imported("other-event", 20_001, 2), killed).differenceOfSources());
    }

    private Path imported(final String name, final int day, final long value) throws IOException
    {
        final Path pipeline = Files.createDirectory(directory.resolve(name));
        Files.writeString(pipeline.resolve("tidemark.yaml"), SoakFeed.configuration());
        try (SourceLogs sources = SourceLogs.open(pipeline.resolve("data"),
            ConfigurationReader.read(pipeline.resolve("tidemark.yaml")).topology(), () -> day * 86_400_000L, () -> 1))
        {
            sources.appender(0).upsert(7).key("k").id("e").value(value).arrival(9).append();
        }
        return pipeline;
    }
}
