package io.tidemark.ingest.log;

import java.nio.file.Path;
import java.util.SplittableRandom;

/**
 * Appends numbered records of random lengths until it is killed; says so every few records.
 */
public final class AppendForEver
{
    private static final int MAX_LENGTH = 2_000;

    private AppendForEver()
    {
    }

    /**
     * @param args directory, seed.
     */
    public static void main(final String[] args)
    {
        final Records records = new Records();
        final SplittableRandom random = new SplittableRandom(Long.parseLong(args[1]));
        try (Log log = Log.open(Path.of(args[0]), System::currentTimeMillis))
        {
            for (;;)
            {
                final long number = log.appender().nextNumber();
                records.append(log.appender(), 24 + random.nextInt(MAX_LENGTH), number);
                if (number % 16 == 0)
                {
                    System.out.println(number);
                }
            }
        }
    }
}
