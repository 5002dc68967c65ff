package io.tidemark.ingest.log;

import java.util.concurrent.atomic.AtomicLong;

/**
 * A place in the code where a test can end the process as a kill would: {@code -Dtidemark.crash.at=NAME:HIT} halts it
 * when the place of that name is reached for the HIT-th time (the first unless given). Without the property a place
 * costs nothing: the compiler leaves it out.
 */
public final class CrashPoint
{
    /** Exit code of a process that was halted. */
    public static final int EXIT_CODE = 137;

    private static final String AT = System.getProperty("tidemark.crash.at");
    private static final boolean IS_ON = AT != null;
    private static final String NAME = IS_ON ? AT.split(":")[0] : null;
    private static final long HIT = IS_ON && AT.contains(":") ? Long.parseLong(AT.split(":")[1]) : 1;
    private static final AtomicLong HITS = new AtomicLong();

    private CrashPoint()
    {
    }

    /**
     * Halts the process if it is to be halted here.
     *
     * @param name of the place.
     */
    public static void hit(final String name)
    {
        if (IS_ON)
        {
            haltAt(name);
        }
    }

    private static void haltAt(final String name)
    {
        if (name.equals(NAME) && HITS.incrementAndGet() == HIT)
        {
            Runtime.getRuntime().halt(EXIT_CODE);
        }
    }
}
