package io.tidemark.sink.repair;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

import io.tidemark.operator.spec.Times;

/**
 * Times that matter for the repairs of one key: closed windows that do not overlap, in order.
 */
final class TimeWindows
{
    private record Window(long from, long to)
    {
    }

    private final List<Window> windows = new ArrayList<>();
    private boolean isSorted = true;

    void add(final long from, final long to)
    {
        windows.add(new Window(from, to));
        isSorted = false;
    }

    void addAll(final TimeWindows others)
    {
        others.windows.forEach(window -> add(window.from, window.to));
    }

    /** Widens each window on both sides. */
    TimeWindows widened(final long byNs)
    {
        return widened(byNs, false);
    }

    /** The same, or, where it is endless, to the end of time. */
    TimeWindows widened(final long byNs, final boolean isEndless)
    {
        // A sum that was cut off at the end of time may have been any larger one.
        final boolean isAll = byNs >= Times.MAX;
        final TimeWindows wider = new TimeWindows();
        windows.forEach(window -> wider.add(
            isAll ? Times.MIN : Times.minus(window.from, byNs),
            isAll || isEndless ? Times.MAX : Times.plus(window.to, byNs)));
        return wider;
    }

    /** Those, once all that overlap are one, that have a time in common with one of the others. */
    TimeWindows meeting(final TimeWindows others)
    {
        merge();
        final TimeWindows meeting = new TimeWindows();
        for (final Window window : windows)
        {
            if (others.windows.stream().anyMatch(other -> other.from <= window.to && window.from <= other.to))
            {
                meeting.add(window.from, window.to);
            }
        }
        return meeting;
    }

    boolean has(final long time)
    {
        merge();
        int low = 0;
        int high = windows.size() - 1;
        while (low <= high)
        {
            final int middle = (low + high) >>> 1;
            final Window window = windows.get(middle);
            if (time < window.from)
            {
                high = middle - 1;
            }
            else if (time > window.to)
            {
                low = middle + 1;
            }
            else
            {
                return true;
            }
        }
        return false;
    }

    /** The earliest time that matters; of no windows the end of time. */
    long from()
    {
        merge();
        return windows.isEmpty() ? Long.MAX_VALUE : windows.get(0).from;
    }

    private void merge()
    {
        if (isSorted)
        {
            return;
        }
        windows.sort(Comparator.comparingLong(Window::from));
        final List<Window> merged = new ArrayList<>();
        for (final Window window : windows)
        {
            final int last = merged.size() - 1;
            if (last >= 0 && window.from <= merged.get(last).to)
            {
                merged.set(last, new Window(merged.get(last).from, Math.max(merged.get(last).to, window.to)));
            }
            else
            {
                merged.add(window);
            }
        }
        windows.clear();
        windows.addAll(merged);
        isSorted = true;
    }
}
