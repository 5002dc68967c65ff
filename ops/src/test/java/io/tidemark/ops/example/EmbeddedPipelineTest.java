package io.tidemark.ops.example;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EmbeddedPipelineTest
{
    @TempDir
    private Path directory;

    @Test
    void shouldAppendRunTailAndRead()
    {
        final ByteArrayOutputStream said = new ByteArrayOutputStream();

        new EmbeddedPipeline(directory, new PrintStream(said, true, StandardCharsets.UTF_8)).run();

        final String text = said.toString(StandardCharsets.UTF_8);
        assertEquals(List.of("+ merchant-17 p1 s1@0", "- merchant-17 p1 s1@0", "+ merchant-17 p1 s1@1"),
            text.lines().limit(3).map(line -> line.substring(line.indexOf(')') + 2)).toList());
        assertEquals("pair|1|merchant-17|p1@0|s1@1 risk 95", text.lines().skip(3).findFirst().orElseThrow());
    }
}
