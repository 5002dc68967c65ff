package io.tidemark.sink;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

class RowIdParserTest
{
    private final RowIdParser parser = new RowIdParser();

    @Test
    void shouldTakeEachKindApart()
    {
        parser.parse("pair|3|a%7Cb|P%40@7|S@0");
        assertEquals(3, parser.rule());
        assertEquals(Utf8.of("a|b"), parser.key());
        assertEquals(Utf8.of("P@"), parser.id(3));
        assertEquals(7, parser.revision(3));
        assertEquals(Utf8.of("S"), parser.id(4));

        parser.parse("unmatched|3|%00|right|%C2%85@2147483647");
        assertEquals(Utf8.of("\0"), parser.key());
        assertEquals(1, parser.side());
        assertEquals(Utf8.of("\u0085"), parser.id(4));
        assertEquals(Integer.MAX_VALUE, parser.revision(4));

        assertEquals(-5, parser.parse("session|3|k|-5").start());
        assertThrows(IllegalArgumentException.class, () -> parser.parse("pair|3|k|P@1"));
        assertThrows(IllegalArgumentException.class, () -> parser.parse("other|3|k|P@1|S@1"));
    }
}
