package io.tidemark.ops.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DemoCommandTest
{
    private static final int MOST_LINES = 45;
    private static final int MOST_COLUMNS = 125;

    @TempDir
    private Path directory;

    @Test
    void shouldTellAStrangerWhatHappened()
    {
        final CommandFixture demo = new CommandFixture(directory);
        final Path target = directory.resolve("demo");

        assertEquals(0, demo.runPlain("", "demo", target.toString()), demo.err());

        assertEquals("", demo.err());
        assertTrue(demo.lines().size() <= MOST_LINES, demo.out());
        assertTrue(demo.lines().stream().noneMatch(line -> line.length() > MOST_COLUMNS), demo.out());
        for (final String word : new String[]{"Came in", "Matched", "Unmatched", "Late", "Clocks", "Check"})
        {
            assertTrue(demo.lines().stream().anyMatch(line -> line.startsWith(word)), word);
        }
        assertTrue(demo.out().contains("1,099 pairs") && demo.out().contains("102 payments without a signal"));
        assertTrue(demo.out().contains("equal the expected answer"), demo.out());
        assertTrue(demo.out().contains("cd " + target), demo.out());
        assertTrue(Files.exists(target.resolve("exports/pairs.jsonl")));
    }

    @ParameterizedTest
    @CsvSource({"overlap-join, 27 pairs of, pairs", "session, 209 of 29 accounts, sessions"})
    void shouldShowTheOtherRulesToo(final String rule, final String result, final String table)
    {
        final CommandFixture demo = new CommandFixture(directory);
        final Path target = directory.resolve("demo");

        assertEquals(0, demo.runPlain("", "demo", "--rule", rule, target.toString()), demo.out() + demo.err());

        assertTrue(demo.lines().size() <= MOST_LINES, demo.out());
        assertTrue(demo.lines().stream().noneMatch(line -> line.length() > MOST_COLUMNS), demo.out());
        assertTrue(demo.out().contains(result), demo.out());
        assertTrue(demo.out().contains("equal the expected answer"), demo.out());
        assertTrue(Files.exists(target.resolve("exports/" + table + ".jsonl")));
    }

    @Test
    void shouldTouchNothingInADirectoryThatIsInUse()
    {
        final CommandFixture demo = new CommandFixture(directory);
        demo.write("mine.txt", "x");

        assertEquals(2, demo.runPlain("", "demo", directory.toString()));

        assertTrue(demo.err().contains("is not empty"), demo.err());
    }
}
