package io.tidemark.ingest.feed;

import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import org.agrona.concurrent.NanoClock;

import java.io.PrintStream;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * Says how far long work has come: as a bar on a terminal, as a plain line every few seconds elsewhere; with its rate,
 * and the time left where the size is known. Work of less than a second says nothing.
 */
final class Progress implements AutoCloseable
{
    private static final long FIRST_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long LINE_INTERVAL_NS = TimeUnit.SECONDS.toNanos(5);
    private static final long BAR_INTERVAL_NS = TimeUnit.MILLISECONDS.toNanos(200);
    private static final int BAR_WIDTH = 100;
    private static final double MIB = 1 << 20;

    private final PrintStream out;
    private final boolean isTerminal;
    private final NanoClock clock;
    private final String title;
    private final long sizeBytes;
    private final long startNs;
    private long dueNs;
    private ProgressBar bar;

    /**
     * @param sizeBytes of the whole, or less than 0 where nobody knows.
     */
    Progress(
        final PrintStream out,
        final boolean isTerminal,
        final NanoClock clock,
        final String title,
        final long sizeBytes)
    {
        this.out = out;
        this.isTerminal = isTerminal;
        this.clock = clock;
        this.title = title;
        this.sizeBytes = sizeBytes;
        startNs = clock.nanoTime();
        dueNs = startNs + FIRST_NS;
    }

    /** Reports when it is time to. */
    void update(final long doneBytes, final long events)
    {
        final long nowNs = clock.nanoTime();
        if (nowNs - dueNs < 0)
        {
            return;
        }
        if (isTerminal)
        {
            dueNs = nowNs + BAR_INTERVAL_NS;
            draw(doneBytes, events, nowNs);
        }
        else
        {
            dueNs = nowNs + LINE_INTERVAL_NS;
            out.println(line(doneBytes, events, nowNs - startNs));
        }
    }

    @Override
    public void close()
    {
        if (bar != null)
        {
            bar.close();
        }
    }

    private void draw(final long doneBytes, final long events, final long nowNs)
    {
        if (bar == null)
        {
            bar = new ProgressBarBuilder()
                .setTaskName(title)
                .setInitialMax(sizeBytes)
                .setUnit(" MiB", (long)MIB)
                .setStyle(ProgressBarStyle.ASCII)
                .setUpdateIntervalMillis((int)TimeUnit.NANOSECONDS.toMillis(BAR_INTERVAL_NS))
                .setConsumer(new ConsoleProgressBarConsumer(out, BAR_WIDTH))
                .build();
        }
        bar.stepTo(doneBytes);
        bar.setExtraMessage(rate(events, nowNs - startNs));
    }

    private String line(final long doneBytes, final long events, final long elapsedNs)
    {
        final StringBuilder line = new StringBuilder(title).append(": ").append(rate(events, elapsedNs));
        if (sizeBytes > 0 && doneBytes > 0)
        {
            final double left = Math.max(0, (double)elapsedNs / doneBytes * (sizeBytes - doneBytes));
            line.append(String.format(Locale.ROOT, ", %.0f of %.0f MiB, %d s left",
                doneBytes / MIB, sizeBytes / MIB, (long)Math.ceil(left / TimeUnit.SECONDS.toNanos(1))));
        }
        return line.toString();
    }

    private static String rate(final long events, final long elapsedNs)
    {
        return String.format(Locale.ROOT, "%,d lines, %,d a second",
            events, (long)(events * 1e9 / Math.max(1, elapsedNs)));
    }
}
