package io.tidemark.ingest.feed;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.charset.StandardCharsets;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

class WholeNumberTest
{
    private final WholeNumber number = new WholeNumber();

    @ParameterizedTest
    @ValueSource(longs = {
        0, 1, -1, 9, 10, 123_456_789, Long.MAX_VALUE, Long.MAX_VALUE - 1, Long.MIN_VALUE, Long.MIN_VALUE + 1})
    void shouldReadEveryNumberOf64Bits(final long value)
    {
        assertTrue(parse(Long.toString(value)));
        assertEquals(value, number.value());
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "9223372036854775808", "-9223372036854775809", "9223372036854775810", "99999999999999999999",
        "18446744073709551616", "-18446744073709551617"})
    void shouldRefuseWhenItDoesNotFit(final String text)
    {
        assertFalse(parse(text));
        assertEquals("is outside the signed 64-bit range", number.problem());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-", "+1", " 1", "1 ", "1.0", "1e3", "0x10", "--1", "1-", "\u0661"})
    void shouldRefuseWhatIsNoWholeNumber(final String text)
    {
        assertFalse(parse(text));
        assertEquals("is not a whole number", number.problem());
    }

    @Test
    void shouldReadInTheMiddleOfOtherBytes()
    {
        final byte[] bytes = "a,-42,b".getBytes(StandardCharsets.UTF_8);
        assertTrue(number.parse(bytes, 2, 3));
        assertEquals(-42, number.value());
    }

    private boolean parse(final String text)
    {
        final byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return number.parse(bytes, 0, bytes.length);
    }
}
