package io.tidemark.bench;

import java.util.Arrays;
import java.util.SplittableRandom;

/** Draws keys, which are numbers from 0: all alike, or by Zipf's law with exponent 1.0, the key 0 being the hottest. */
final class KeyChoice
{
    private final int keys;
    private final double[] cumulative;

    private KeyChoice(final int keys, final double[] cumulative)
    {
        this.keys = keys;
        this.cumulative = cumulative;
    }

    static KeyChoice uniform(final int keys)
    {
        return new KeyChoice(keys, null);
    }

    static KeyChoice zipf(final int keys)
    {
        final double[] cumulative = new double[keys];
        double sum = 0;
        for (int key = 0; key < keys; key++)
        {
            sum += 1.0 / (key + 1);
            cumulative[key] = sum;
        }
        return new KeyChoice(keys, cumulative);
    }

    int draw(final SplittableRandom random)
    {
        if (cumulative == null)
        {
            return random.nextInt(keys);
        }
        final int found = Arrays.binarySearch(cumulative, random.nextDouble() * cumulative[keys - 1]);
        return Math.min(found < 0 ? -found - 1 : found, keys - 1);
    }
}
