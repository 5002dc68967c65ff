package io.tidemark.operator.worker;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.StringJoiner;
import java.util.TreeSet;

/** Settings as text in one line, {@code name=value; name=value}: what a checkpoint says that it was made with. */
final class SettingsText
{
    private static final String SEPARATOR = "; ";

    private SettingsText()
    {
    }

    /** Each setting that is not the same, with both values; in a text that is none of ours all of it. */
    static String differences(final String before, final String now)
    {
        final Map<String, String> valuesBefore = values(before);
        final Map<String, String> valuesNow = values(now);
        final TreeSet<String> names = new TreeSet<>(valuesBefore.keySet());
        names.addAll(valuesNow.keySet());
        final StringJoiner differences = new StringJoiner(", ");
        for (final String name : names)
        {
            final String valueBefore = valuesBefore.get(name);
            final String valueNow = valuesNow.get(name);
            if (valueBefore == null || !valueBefore.equals(valueNow))
            {
                differences.add("'" + name + "' was " + shown(valueBefore) + " and is " + shown(valueNow));
            }
        }
        return differences.toString();
    }

    private static Map<String, String> values(final String text)
    {
        final Map<String, String> values = new LinkedHashMap<>();
        int from = 0;
        while (from < text.length())
        {
            final int separator = text.indexOf(SEPARATOR, from);
            final int to = separator < 0 ? text.length() : separator;
            final int equals = text.indexOf('=', from);
            final boolean isNamed = equals >= 0 && equals < to;
            values.put(isNamed ? text.substring(from, equals) : text.substring(from, to),
                isNamed ? text.substring(equals + 1, to) : "set");
            from = separator < 0 ? text.length() : separator + SEPARATOR.length();
        }
        return values;
    }

    private static String shown(final String value)
    {
        return value == null ? "not set" : value;
    }
}
