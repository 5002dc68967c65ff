package io.tidemark.sink;

import java.math.BigInteger;

/**
 * A key whose two sessions are bridged and parted again, and whose pair is revised, for ever. At every moment it has
 * either two sessions of four events together or one of five, and exactly one pair.
 */
final class BridgeScript
{
    static final int KEYS = 4;
    static final SourceRow SIGNAL = new SourceRow(Utf8.of("S"), 0, 10, 1, 0, 1);

    private static final long HUGE_VALUE = Long.MAX_VALUE;

    private final ChangeLogFixture log;
    private long position;
    private int revision;

    BridgeScript(final ChangeLogFixture log)
    {
        this.log = log;
    }

    static SessionRow session(final long start, final long end, final long count)
    {
        return new SessionRow(7, Utf8.of("any"), start, end, count,
            BigInteger.valueOf(HUGE_VALUE).multiply(BigInteger.valueOf(count)), HUGE_VALUE, HUGE_VALUE, false, 1);
    }

    private static SourceRow payment(final int revision)
    {
        return new SourceRow(Utf8.of("P"), revision, 5, revision, 0, 1);
    }

    void first()
    {
        for (int k = 0; k < KEYS; k++)
        {
            log.beginSessions(++position, k, 0, "k" + k).insert(session(0, 2, 2)).insert(session(20, 21, 2)).commit();
            log.begin(++position, k, 0, "k" + k).after(payment(0)).insertPair(SIGNAL).commit();
        }
    }

    void bridge()
    {
        for (int k = 0; k < KEYS; k++)
        {
            log.beginSessions(++position, k, 0, "k" + k).retract(session(0, 2, 2)).retract(session(20, 21, 2))
                .insert(session(0, 21, 5)).commit();
            revise(k, revision);
        }
        revision++;
    }

    void part()
    {
        for (int k = 0; k < KEYS; k++)
        {
            log.beginSessions(++position, k, 0, "k" + k).retract(session(0, 21, 5)).insert(session(0, 2, 2))
                .insert(session(20, 21, 2)).commit();
            revise(k, revision);
        }
        revision++;
    }

    private void revise(final int k, final int from)
    {
        log.begin(++position, k, 0, "k" + k).before(payment(from)).after(payment(from + 1)).retractPair(SIGNAL)
            .insertPair(SIGNAL).commit();
    }

    /** What a reader saw of a key at one moment. */
    static void check(final long sessions, final long events, final long pairs)
    {
        final boolean isRight = (sessions == 2 && events == 4) || (sessions == 1 && events == 5);
        if (!isRight || pairs != 1)
        {
            throw new AssertionError(
                sessions + " sessions with " + events + " events, " + pairs + " pairs of one payment and one signal");
        }
    }
}
