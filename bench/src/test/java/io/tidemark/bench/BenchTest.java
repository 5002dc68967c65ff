package io.tidemark.bench;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The command line of benchmarks. */
class BenchTest
{
    private static final List<String> NOTHING = List.of();

    @TempDir
    Path directory;

    private final ByteArrayOutputStream output = new ByteArrayOutputStream();

    @Test
    void shouldListAllBenchmarksWhenNoneIsNamed()
    {
        assertEquals(0, bench());

        for (final String name : new String[]{"uniform", "zipf", "sparse", "sparse-final", "state", "cost", "jmh"})
        {
            assertTrue(text().contains(name), name);
        }
    }

    @Test
    void shouldPrintATableAndLeaveNothingBehind() throws IOException
    {
        assertEquals(0, bench("uniform", "state", "--events", "3000", "--rounds", "1", "--dir", directory.toString()));

        assertTrue(text().contains("ratio"), text());
        assertTrue(text().contains("the window was not full"), text());
        assertTrue(text().contains("B/row"), text());
        try (Stream<Path> left = Files.list(directory))
        {
            assertEquals(NOTHING, left.map(Path::toString).toList());
        }
    }

    @Test
    void shouldPrintWhatAnEventCostsAsStateGrowsForEveryRule()
    {
        assertEquals(0, bench("cost", "--events", "10000", "--dir", directory.toString()));

        for (final String rule : new String[]{"interval-join", "overlap-join", "session"})
        {
            // 1,000 and 10,000 rows of a key, and as many keys
            assertEquals(4, text().lines().filter(line -> line.startsWith(rule)).count(), text());
        }
    }

    @Test
    void shouldPrintJsonWithEveryRound() throws IOException
    {
        assertEquals(0, bench("zipf", "--events", "3000", "--rounds", "2", "--json", "--dir", directory.toString()));

        final List<String> fields = new ArrayList<>();
        try (JsonParser json = new JsonFactory().createParser(text()))
        {
            for (JsonToken token = json.nextToken(); token != null; token = json.nextToken())
            {
                if (token == JsonToken.FIELD_NAME)
                {
                    fields.add(json.currentName());
                }
            }
        }
        // ingest once, and two rounds of two stages and their floors
        assertEquals(9, fields.stream().filter("cpuNsPerEvent"::equals).count());
        assertTrue(fields.contains("matchesPerEvent"), fields::toString);
    }

    @Test
    void shouldRefuseWhatItDoesNotKnow()
    {
        assertEquals(2, bench("unifrom"));
        assertEquals(2, bench("uniform", "--events", "10"));
        assertEquals(2, bench("uniform", "--rounds", "0"));
    }

    private int bench(final String... args)
    {
        final PrintStream out = new PrintStream(output, true, StandardCharsets.UTF_8);
        final PrintStream messages = new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8);
        return Bench.execute(out, messages, args);
    }

    private String text()
    {
        return output.toString(StandardCharsets.UTF_8);
    }
}
