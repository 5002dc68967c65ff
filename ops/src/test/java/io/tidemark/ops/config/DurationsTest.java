package io.tidemark.ops.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DurationsTest
{
    @ParameterizedTest
    @CsvSource({
        "0s,     0",
        "50ns,   50",
        "7us,    7000",
        "500ms,  500000000",
        "47m,    2820000000000",
        "1h30m,  5400000000000",
        "1d,     86400000000000",
        "29220d, 2524608000000000000",
        "1s1ns,  1000000001"})
    void shouldReadAndWriteDurations(final String text, final long nanos)
    {
        assertEquals(nanos, Durations.parse(text));
        assertEquals(text, Durations.format(nanos));
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "", "5", "-5m", "m", "5 m", "1.5h", "5minutes", "30m1h", "1m1m", "5M", "106752d", "9223372036854775808ns",
        "5m3"})
    void shouldRefuseWhatIsNoDuration(final String text)
    {
        assertThrows(IllegalArgumentException.class, () -> Durations.parse(text));
    }
}
