package io.tidemark.ops.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;

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
}
