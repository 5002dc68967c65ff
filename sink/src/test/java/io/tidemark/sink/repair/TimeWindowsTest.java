package io.tidemark.sink.repair;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tidemark.operator.spec.Times;
import org.junit.jupiter.api.Test;

class TimeWindowsTest
{
    private final TimeWindows windows = new TimeWindows();

    @Test
    void shouldReachSoFarOnBothSides()
    {
        windows.add(5, 7);
        final TimeWindows wider = windows.widened(3);
        assertEquals(2, wider.from());
        assertTrue(wider.has(2) && wider.has(10));
        assertFalse(wider.has(1) || wider.has(11));
    }

    @Test
    void shouldReachAsFarAsTimeWhereSpansAddUpToMoreThanTimeHas()
    {
        windows.add(5, 7);
        final TimeWindows wider = windows.widened(Times.plus(Times.plus(1L << 62, 1L << 62), 1L << 62));
        assertEquals(Times.MIN, wider.from());
        assertTrue(wider.has(Times.MIN) && wider.has(Times.MAX));
    }
}
