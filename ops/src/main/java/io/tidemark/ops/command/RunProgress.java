package io.tidemark.ops.command;

import java.nio.file.Path;
import java.util.Locale;
import java.util.Timer;
import java.util.TimerTask;
import java.util.stream.LongStream;

import io.tidemark.operator.worker.CountersFile;
import io.tidemark.operator.worker.PipelineCounters;
import io.tidemark.ops.config.Configuration;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/**
 * Says how far a run has come: a bar on a terminal, a line every few seconds elsewhere, nothing for short runs and for
 * those that have caught up. Looks at the counters from outside, so that it costs the pipeline nothing.
 */
final class RunProgress
{
    private static final long BAR_INTERVAL_MS = 200;
    private static final long LINE_INTERVAL_MS = 5_000;
    private static final int BAR_WIDTH = 100;

    private final Timer timer = new Timer("progress", true);
    private final Console console;
    private final Path results;
    private final long[] logged;
    private long lastEvents;
    private ProgressBar bar;

    RunProgress(final Console console, final Configuration configuration)
    {
        this.console = console;
        results = configuration.resultsDirectory();
        logged = SourceCounts.of(configuration.dataDirectory(), configuration.topology());
        final long intervalMs = console.isTerminal() ? BAR_INTERVAL_MS : LINE_INTERVAL_MS;
        timer.schedule(new TimerTask()
        {
            @Override
            public void run()
            {
                show();
            }
        }, Math.max(1_000, intervalMs), intervalMs);
    }

    private synchronized void show()
    {
        final long total = LongStream.of(logged).sum();
        final long events;
        try (CountersFile counters = CountersFile.openReadOnly(results))
        {
            events = counters.value(PipelineCounters.EVENTS, 0, 0);
        }
        if (events == lastEvents || events >= total)
        {
            return;
        }
        final long rate = (events - lastEvents) * 1_000 / (console.isTerminal() ? BAR_INTERVAL_MS : LINE_INTERVAL_MS);
        lastEvents = events;
        if (console.isTerminal())
        {
            draw(events, total);
        }
        else
        {
            console.note(String.format(Locale.ROOT, "%,d of %,d events, %,d a second", events, total, rate));
        }
    }

    private void draw(final long events, final long total)
    {
        if (bar == null)
        {
            bar = new ProgressBarBuilder()
                .setTaskName("events")
                .setInitialMax(total)
                .setStyle(ProgressBarStyle.ASCII)
                .setConsumer(new ConsoleProgressBarConsumer(console.err(), BAR_WIDTH))
                .build();
        }
        bar.stepTo(events);
    }

    /** The run is over. */
    synchronized void end()
    {
        timer.cancel();
        if (bar != null)
        {
            bar.close();
            bar = null;
        }
    }
}
