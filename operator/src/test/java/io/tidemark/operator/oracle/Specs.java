package io.tidemark.operator.oracle;

import io.tidemark.ingest.StreamSpec;
import io.tidemark.ingest.Topology;
import io.tidemark.ingest.fixture.Settings;
import io.tidemark.operator.spec.JoinRule;
import io.tidemark.operator.spec.PipelineSpec;
import io.tidemark.operator.spec.SessionRule;
import io.tidemark.operator.spec.Unmatched;
import io.tidemark.operator.spec.WatermarkSpec;

/**
 * A test's settings in the product's own types.
 */
public final class Specs
{
    /** Few slots, so that keys share them. */
    public static final int SLOTS = 8;

    private Specs()
    {
    }

    /** The pipeline with these settings, with few slots so that keys share them. */
    public static PipelineSpec of(final Settings settings)
    {
        return of(settings, SLOTS);
    }

    /** The pipeline with these settings and so many slots. */
    public static PipelineSpec of(final Settings settings, final int slots)
    {
        return new PipelineSpec(
            Topology.of(settings.streams().stream()
                .map(stream -> new StreamSpec(stream.name(), stream.partitions())).toList()),
            settings.streams().get(0).name().equals(settings.left()) ? 0 : 1,
            settings.session() != null ? session(settings) : rule(settings), watermark(settings), slots, 10_000_000);
    }

    private static SessionRule session(final Settings settings)
    {
        return new SessionRule(
            settings.ruleVersion(), settings.session().gapNs(), settings.session().provisional(),
            settings.session().aggregate(), settings.latenessNs(), settings.joint(), settings.maxMoveNs());
    }

    private static JoinRule rule(final Settings settings)
    {
        return new JoinRule(
            settings.ruleVersion(), settings.overlap(), settings.lookBackNs(), settings.lookAheadNs(),
            settings.maxLengthNs(), settings.maxBeforeNs(),
            Unmatched.valueOf(settings.unmatched().name()), settings.unmatchedLeft(), settings.unmatchedRight(),
            settings.latenessNs(), settings.joint(), settings.maxMoveNs());
    }

    private static WatermarkSpec watermark(final Settings settings)
    {
        return new WatermarkSpec(
            settings.keyScope(), settings.delayNs(),
            settings.idleAfterNs() == Settings.NEVER ? WatermarkSpec.NEVER : settings.idleAfterNs(),
            settings.maxAheadNs() == Settings.OFF ? WatermarkSpec.OFF : settings.maxAheadNs(),
            settings.keySkewNs());
    }
}
