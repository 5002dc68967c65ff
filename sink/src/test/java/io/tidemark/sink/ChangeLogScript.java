package io.tidemark.sink;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;

/**
 * A change log in which payments come, are matched, revised and withdrawn, as an engine would write it.
 */
final class ChangeLogScript
{
    private static final int KEYS = 40;
    private static final int SIGNALS = 3;

    private ChangeLogScript()
    {
    }

    /**
     * Writes it; one record a change-set.
     *
     * @return the table before and after each change-set: by key and ids, the value of the left row.
     */
    static List<TreeMap<String, Long>> write(final Path dataDirectory, final int changeSets)
    {
        final Random random = new Random(11);
        final List<TreeMap<String, Long>> tables = new ArrayList<>();
        final TreeMap<String, Long> table = new TreeMap<>();
        final int[] revisions = new int[2 * changeSets];
        final List<Integer> matched = new ArrayList<>();
        tables.add(new TreeMap<>());
        int payments = 0;
        try (ChangeLogFixture log = new ChangeLogFixture(dataDirectory))
        {
            for (int position = 1; position <= changeSets; position++)
            {
                final int what = random.nextInt(10);
                final boolean isNew = matched.isEmpty() || what < 5;
                final int index = isNew ? -1 : random.nextInt(matched.size());
                final int p = isNew ? payments++ : matched.get(index);
                final String key = "k" + p % KEYS;
                log.begin(position, p % KEYS, 0, key);
                if (what == 0 && isNew)
                {
                    log.insertUnmatched(0, true, payment(p, 0));
                    table.put(key + " P" + p, value(p, 0));
                }
                else
                {
                    if (!isNew)
                    {
                        log.before(payment(p, revisions[p]));
                    }
                    final boolean isWithdrawn = !isNew && what == 9;
                    if (!isWithdrawn)
                    {
                        revisions[p] += isNew ? 0 : 1;
                        log.after(payment(p, revisions[p]));
                    }
                    for (int s = 0; s < SIGNALS && !isNew; s++)
                    {
                        log.retractPair(signal(s));
                        table.remove(key + " P" + p + " S" + s);
                    }
                    for (int s = 0; s < SIGNALS && !isWithdrawn; s++)
                    {
                        log.insertPair(signal(s));
                        table.put(key + " P" + p + " S" + s, value(p, revisions[p]));
                    }
                    if (isNew)
                    {
                        matched.add(p);
                    }
                    else if (isWithdrawn)
                    {
                        matched.remove(index);
                    }
                }
                log.commit();
                tables.add(new TreeMap<>(table));
            }
        }
        return tables;
    }

    private static SourceRow payment(final int p, final int revision)
    {
        return new SourceRow(Utf8.of("P" + p), revision, 1_000 + p, value(p, revision), 0, p);
    }

    private static long value(final int p, final int revision)
    {
        return 1_000L * p + revision;
    }

    private static SourceRow signal(final int s)
    {
        return new SourceRow(Utf8.of("S" + s), 0, 1_000 + s, s, 0, s);
    }
}
