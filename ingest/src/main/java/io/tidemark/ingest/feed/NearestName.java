package io.tidemark.ingest.feed;

import java.util.Collection;
import java.util.Locale;

/**
 * Finds the name that was probably meant.
 */
public final class NearestName
{
    private NearestName()
    {
    }

    /**
     * The known name nearest to a given one, by the number of letters to change.
     *
     * @param given what was written.
     * @param known the names there are; of equally near ones the first is taken.
     * @return the nearest, or null where none is near enough to be worth naming.
     */
    public static String of(final String given, final Collection<String> known)
    {
        String nearest = null;
        int least = Math.max(1, given.length() / 3) + 1;
        for (final String name : known)
        {
            final int distance = distance(given.toLowerCase(Locale.ROOT), name.toLowerCase(Locale.ROOT));
            if (distance < least)
            {
                least = distance;
                nearest = name;
            }
        }
        return nearest;
    }

    private static int distance(final String a, final String b)
    {
        int[] above = new int[b.length() + 1];
        int[] row = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++)
        {
            above[j] = j;
        }
        for (int i = 1; i <= a.length(); i++)
        {
            row[0] = i;
            for (int j = 1; j <= b.length(); j++)
            {
                final int change = a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1;
                row[j] = Math.min(above[j - 1] + change, Math.min(above[j], row[j - 1]) + 1);
            }
            final int[] spare = above;
            above = row;
            row = spare;
        }
        return above[b.length()];
    }
}
