package io.tidemark.ops.command;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Lets work end in its own time when the process is asked to stop (SIGTERM, Ctrl-C). The process waits for the command
 * to return and then ends with the command's exit code, not with that of a process that was killed.
 */
final class StopSignal
{
    private static final long PATIENCE_S = 60;
    private static final CompletableFuture<Integer> EXIT_CODE = new CompletableFuture<>();

    private final Thread hook;

    /**
     * @param stop is called from another thread and must return at once.
     */
    StopSignal(final Runnable stop)
    {
        hook = new Thread(() -> await(stop), "stop-signal");
        Runtime.getRuntime().addShutdownHook(hook);
    }

    /** Ends the process, also when it is ending already. */
    static void exit(final int exitCode)
    {
        EXIT_CODE.complete(exitCode);
        System.exit(exitCode);
    }

    private static void await(final Runnable stop)
    {
        stop.run();
        try
        {
            Runtime.getRuntime().halt(EXIT_CODE.get(PATIENCE_S, TimeUnit.SECONDS));
        }
        catch (final InterruptedException | ExecutionException | TimeoutException e)
        {
            // The work does not end: the process does, as one that was killed.
            Thread.currentThread().interrupt();
        }
    }

    /** From now on a signal ends the process at once. */
    void workEnded()
    {
        try
        {
            Runtime.getRuntime().removeShutdownHook(hook);
        }
        catch (final IllegalStateException ignored)
        {
            // The process is stopping already; the hook waits for the exit code.
        }
    }
}
