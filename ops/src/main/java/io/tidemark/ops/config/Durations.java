package io.tidemark.ops.config;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Durations of the configuration, {@code 47m}, {@code 1h30m}, {@code 50ns}, as nanoseconds.
 */
public final class Durations
{
    private record Unit(String name, long nanos)
    {
    }

    private static final Pattern PART = Pattern.compile("([0-9]+)([a-z]+)");
    private static final List<Unit> UNITS = List.of(
        new Unit("d", 86_400_000_000_000L), new Unit("h", 3_600_000_000_000L), new Unit("m", 60_000_000_000L),
        new Unit("s", 1_000_000_000L), new Unit("ms", 1_000_000L), new Unit("us", 1_000L), new Unit("ns", 1L));

    private Durations()
    {
    }

    /**
     * Reads a duration.
     *
     * @param text numbers with units, the largest unit first.
     * @return nanoseconds, not negative.
     * @throws IllegalArgumentException with a clause that says what is wrong.
     */
    public static long parse(final String text)
    {
        if (text.startsWith("-"))
        {
            throw new IllegalArgumentException("a duration must not be negative");
        }
        if (text.matches("[0-9]+"))
        {
            throw new IllegalArgumentException("the unit is missing; write for example " + text + "s or " + text + "m");
        }
        final Matcher part = PART.matcher(text);
        long total = 0;
        int at = 0;
        int lastUnit = -1;
        while (at < text.length())
        {
            part.region(at, text.length());
            final int unit = part.lookingAt() ? unit(part.group(2)) : -1;
            if (unit <= lastUnit)
            {
                throw new IllegalArgumentException(
                    "a duration is a whole number and a unit of d, h, m, s, ms, us or ns, like 47m or 1h30m");
            }
            total = add(total, part.group(1), UNITS.get(unit));
            lastUnit = unit;
            at = part.end();
        }
        if (lastUnit < 0)
        {
            throw new IllegalArgumentException("a duration is missing, like 47m or 1h30m");
        }
        return total;
    }

    /**
     * Writes a duration as {@link #parse} reads it.
     *
     * @param nanos not negative.
     * @return the shortest form.
     */
    public static String format(final long nanos)
    {
        final StringBuilder text = new StringBuilder();
        long rest = nanos;
        for (final Unit unit : UNITS)
        {
            if (rest >= unit.nanos)
            {
                text.append(rest / unit.nanos).append(unit.name);
                rest %= unit.nanos;
            }
        }
        return text.length() == 0 ? "0s" : text.toString();
    }

    private static int unit(final String name)
    {
        for (int i = 0; i < UNITS.size(); i++)
        {
            if (UNITS.get(i).name.equals(name))
            {
                return i;
            }
        }
        return -1;
    }

    private static long add(final long total, final String number, final Unit unit)
    {
        try
        {
            return Math.addExact(total, Math.multiplyExact(Long.parseLong(number), unit.nanos));
        }
        catch (final ArithmeticException | NumberFormatException e)
        {
            throw new IllegalArgumentException("a duration must be shorter than 292 years", e);
        }
    }
}
