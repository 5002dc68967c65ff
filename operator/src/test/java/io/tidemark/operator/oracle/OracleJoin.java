package io.tidemark.operator.oracle;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

import io.tidemark.ingest.fixture.FeedEvent;
import io.tidemark.ingest.fixture.Settings;

/**
 * The oracle as a join to be fed. All keys share slot 0.
 */
public final class OracleJoin implements OracleUnderTest
{
    private final OracleRun run;
    private int changeSets;
    private int late;
    private int rejected;

    /** An oracle that has seen nothing. */
    public OracleJoin(final Settings settings)
    {
        run = new OracleRun(settings);
    }

    @Override
    public Effect next(final FeedEvent event)
    {
        run.next(event);
        final Oracle oracle = run.oracle();
        final List<Emitted> emitted = new ArrayList<>();
        long ordinal = 0;
        for (final ChangeSet changeSet : oracle.changeSets().subList(changeSets, oracle.changeSets().size()))
        {
            ordinal = changeSet.direct() ? 0 : ordinal + 1;
            emitted.add(new Emitted(0, ordinal, changeSet));
        }
        final Effect effect = new Effect(
            emitted,
            List.copyOf(oracle.late().subList(late, oracle.late().size())),
            List.copyOf(oracle.rejected().subList(rejected, oracle.rejected().size())));
        changeSets = oracle.changeSets().size();
        late = oracle.late().size();
        rejected = oracle.rejected().size();
        return effect;
    }

    @Override
    public long position()
    {
        return oracle().position();
    }

    @Override
    public TreeMap<String, ResultRow> table()
    {
        return oracle().table();
    }

    /** All that it has come to. */
    public Oracle oracle()
    {
        return run.oracle();
    }

    @Override
    public Outcome.Counters counters()
    {
        return oracle().counters();
    }

    @Override
    public Outcome.Census census()
    {
        return oracle().census();
    }

    @Override
    public long partitionClock(final int source)
    {
        return oracle().partitionClock(source);
    }

    @Override
    public long watermark(final int side)
    {
        return oracle().watermark(side);
    }

    @Override
    public long acceptance(final int side)
    {
        return oracle().acceptance(side, "");
    }

    @Override
    public void close()
    {
        // Nothing outlives it.
    }
}
