package io.tidemark.ingest.log;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * A place in the code where a test can end the process as a kill would: {@code -Dtidemark.crash.at=NAME:HIT} halts it
 * when the place of that name is reached for the HIT-th time (the first unless given). Without the property a place
 * costs nothing: the compiler leaves it out. With it a test may {@link #listen} instead, and so have several pipelines
 * in a process, each at a place of its own when that is halted.
 */
public final class CrashPoint
{
    /** Exit code of a process that was halted. */
    public static final int EXIT_CODE = 137;

    private static final String AT = System.getProperty("tidemark.crash.at");
    private static final boolean IS_ON = AT != null;
    private static final int COLON = IS_ON ? AT.indexOf(':') : -1;
    private static final String NAME = COLON < 0 ? AT : AT.substring(0, COLON);
    private static final long HIT = COLON < 0 ? 1 : Long.parseLong(AT.substring(COLON + 1));
    private static final AtomicLong HITS = new AtomicLong();

    private static volatile Consumer<String> listener;

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

    /**
     * Has somebody told of every place, who decides what happens there. Only where the property is set.
     *
     * @param to is told its name, by the thread that has come to it.
     */
    public static void listen(final Consumer<String> to)
    {
        listener = to;
    }

    private static void haltAt(final String name)
    {
        final Consumer<String> told = listener;
        if (told != null)
        {
            told.accept(name);
        }
        else if (name.equals(NAME) && HITS.incrementAndGet() == HIT)
        {
            Runtime.getRuntime().halt(EXIT_CODE);
        }
    }
}
