package io.tidemark.operator.worker;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Starts a pipeline on damaged data, and says what came of it. */
final class DamageRun
{
    static final String SAME = "same results";
    static final String REFUSED = "refused";
    /** What a verdict begins with that must not be. */
    static final String WRONG = "! ";

    private static final long SEED = 0;
    private static final long PATIENCE_S = 60;
    private static final int LONGEST_SENTENCE = 700;

    private DamageRun()
    {
    }

    /**
     * Says a verdict a line; for files that this process may not read, which its parent, being root, may.
     *
     * @param args a data directory that is whole, then those that are damaged.
     */
    public static void main(final String[] args)
    {
        final List<String> expected = pipeline(Path.of(args[0])).outcome();
        for (int i = 1; i < args.length; i++)
        {
            System.out.println(verdict(Path.of(args[i]), expected).lines().findFirst().orElseThrow());
        }
    }

    static String verdict(final Path data, final List<String> expected)
    {
        final CompletableFuture<List<String>> outcome = CompletableFuture.supplyAsync(() ->
        {
            final RandomPipeline pipeline = pipeline(data);
            pipeline.runToTheEnd();
            return pipeline.outcome();
        }, task ->
        {
            final Thread thread = new Thread(task);
            thread.setDaemon(true);
            thread.start();
        });
        try
        {
            final List<String> actual = outcome.get(PATIENCE_S, TimeUnit.SECONDS);
            return actual.equals(expected) ? SAME : WRONG + "other results: " + actual.size() + " records, not " +
                expected.size();
        }
        catch (final ExecutionException e)
        {
            return isSentence(e.getCause()) ? REFUSED : WRONG + trace(e.getCause());
        }
        catch (final TimeoutException | InterruptedException e)
        {
            return WRONG + "hangs";
        }
    }

    private static RandomPipeline pipeline(final Path data)
    {
        return new RandomPipeline(data, SEED).checkpoints(150, 2);
    }

    private static boolean isSentence(final Throwable e)
    {
        final String message = e.getMessage();
        return e.getClass().getName().startsWith("io.tidemark.") && message != null &&
            (message.length() < LONGEST_SENTENCE || message.startsWith("replay differs"));
    }

    private static String trace(final Throwable e)
    {
        final StringBuilder trace = new StringBuilder(e.toString());
        for (int i = 0; i < Math.min(14, e.getStackTrace().length); i++)
        {
            trace.append("\n        at ").append(e.getStackTrace()[i]);
        }
        return trace.toString();
    }
}
