package io.tidemark.ops.command;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Lets work end in its own time when the process is asked to stop (SIGTERM, Ctrl-C): the process waits for it.
 */
final class StopSignal
{
    private static final long PATIENCE_S = 60;

    private final CountDownLatch finished = new CountDownLatch(1);
    private final Thread hook;

    /**
     * @param stop is called from another thread and must return at once.
     */
    StopSignal(final Runnable stop)
    {
        hook = new Thread(() -> await(stop), "stop-signal");
        Runtime.getRuntime().addShutdownHook(hook);
    }

    private void await(final Runnable stop)
    {
        stop.run();
        try
        {
            finished.await(PATIENCE_S, TimeUnit.SECONDS);
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
        }
    }

    /** The work has ended. */
    void workEnded()
    {
        finished.countDown();
        try
        {
            Runtime.getRuntime().removeShutdownHook(hook);
        }
        catch (final IllegalStateException ignored)
        {
            // The process is stopping already; the hook has done its work.
        }
    }
}
