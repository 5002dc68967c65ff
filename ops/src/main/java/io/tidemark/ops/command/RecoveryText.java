package io.tidemark.ops.command;

import java.util.List;
import java.util.Locale;
import java.util.Optional;

import io.tidemark.operator.worker.RecoveryReport;

/**
 * How a run began, in words.
 */
final class RecoveryText
{
    private static final double NS_PER_MS = 1e6;

    private RecoveryText()
    {
    }

    /** Checkpoints that were not used, a sentence each. */
    static List<String> refused(final RecoveryReport report)
    {
        return report.refused().stream().map(reason -> reason + "; going on from " +
            (report.position() == 0 ? "the start of the logs" : "checkpoint " + report.position())).toList();
    }

    /** Where it went on and what that took, if it went on from anywhere. */
    static Optional<String> of(final RecoveryReport report)
    {
        if (report.position() == 0 && report.tailPositions() == 0)
        {
            return Optional.empty();
        }
        final String from = report.position() == 0 ? "Began at the start of the logs" :
            "Went on from checkpoint " + report.position();
        return Optional.of(String.format(Locale.ROOT,
            "%s; repeated %,d positions. Caught up in %s: %s to open, %s to load %,d KiB of state, %s to find the " +
            "end of the order, %s to repeat.",
            from, report.tailPositions(), ms(report.totalNs()), ms(report.openNs()), ms(report.loadNs()),
            report.stateBytes() >> 10, ms(report.orderNs()), ms(report.replayNs())));
    }

    private static String ms(final long ns)
    {
        return String.format(Locale.ROOT, "%,.0f ms", ns / NS_PER_MS);
    }
}
