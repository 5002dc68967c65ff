package io.tidemark.sink.verify;

import java.math.BigInteger;

import io.tidemark.operator.spec.JoinRule;
import io.tidemark.operator.spec.PipelineSpec;
import io.tidemark.operator.spec.WatermarkSpec;

/**
 * Section 1 of SEMANTICS.md once more, in words of its own: what an event shows by itself. Differences are taken in
 * arbitrary precision, so that nothing here rests on the saturating arithmetic that the engine uses.
 */
final class ValidityRules
{
    private static final int MAX_TEXT = 255;

    /** Null where events are points in time. */
    private final JoinRule spans;
    private final WatermarkSpec watermark;

    ValidityRules(final PipelineSpec spec)
    {
        spans = spec.rule() instanceof final JoinRule join && join.overlap() ? join : null;
        watermark = spec.watermark();
    }

    boolean isValid(final LoggedEvent event)
    {
        if (event.kind() == LoggedEvent.WATERMARK)
        {
            return true;
        }
        return hasIdentity(event) && isNotAbsurd(event) && hasRightSpan(event);
    }

    private static boolean hasIdentity(final LoggedEvent event)
    {
        final int keyLength = event.key().bytes().length;
        final int idLength = event.id().bytes().length;
        return keyLength >= 1 && keyLength <= MAX_TEXT && idLength >= 1 && idLength <= MAX_TEXT &&
            event.revision() >= 0 &&
            (event.kind() == LoggedEvent.UPSERT || event.kind() == LoggedEvent.RETRACT);
    }

    private boolean isNotAbsurd(final LoggedEvent event)
    {
        final boolean isFinite = event.time() != Long.MIN_VALUE && event.time() != Long.MAX_VALUE;
        return isFinite && (watermark.maxAheadNs() == WatermarkSpec.OFF ||
            !isFurther(event.arrival(), event.time(), watermark.maxAheadNs()));
    }

    private boolean hasRightSpan(final LoggedEvent event)
    {
        if (spans == null || event.kind() == LoggedEvent.RETRACT)
        {
            return !event.hasStart() && !event.hasEnd();
        }
        return event.hasStart() && event.hasEnd() && event.end() != Long.MAX_VALUE &&
            event.start() <= event.time() && event.time() <= event.end() &&
            !isFurther(event.start(), event.end(), spans.maxLengthNs()) &&
            !isFurther(event.start(), event.time(), spans.maxBeforeNs());
    }

    /** Whether {@code to} is more than {@code lengthNs} after {@code from}. */
    static boolean isFurther(final long from, final long to, final long lengthNs)
    {
        return BigInteger.valueOf(to).subtract(BigInteger.valueOf(from))
            .compareTo(BigInteger.valueOf(lengthNs)) > 0;
    }
}
