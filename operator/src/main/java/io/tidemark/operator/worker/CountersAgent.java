package io.tidemark.operator.worker;

import io.tidemark.ingest.order.Sequencer;
import io.tidemark.operator.Operator;
import io.tidemark.operator.change.ChangeSetEncoder;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.EpochClock;

/**
 * Shows counters to the outside: when the worker has nothing to do, and every few thousand positions while it has. An
 * event therefore pays nothing for them, and a pipeline at rest shows its last position.
 */
final class CountersAgent implements Agent
{
    private static final int PUBLISH_POSITIONS = 4096;
    private static final long ALIVE_INTERVAL_MS = 100;

    /** No position of a duty cycle. */
    private static final long NOTHING = -1;

    private final CountersFile file;
    private final PipelineCounters counters;
    private final Worker worker;
    private final Operator operator;
    private final Sequencer sequencer;
    private final ChangeSetEncoder changes;
    private final EpochClock clock;

    private long published;
    private long seen = NOTHING;
    private long aliveMs;

    CountersAgent(
        final CountersFile file,
        final PipelineCounters counters,
        final Worker worker,
        final Operator operator,
        final Sequencer sequencer,
        final ChangeSetEncoder changes,
        final EpochClock clock)
    {
        this.file = file;
        this.counters = counters;
        this.worker = worker;
        this.operator = operator;
        this.sequencer = sequencer;
        this.changes = changes;
        this.clock = clock;
        // who looks before the first duty cycle sees clocks that have not started, and a replay that is to come
        publish(worker.position());
        published = NOTHING;
    }

    @Override
    public int doWork()
    {
        final long position = worker.position();
        final boolean isIdle = position == seen;
        seen = position;
        if (isIdle ? position != published : position - published >= PUBLISH_POSITIONS)
        {
            publish(position);
        }
        else if (isIdle)
        {
            beat();
        }
        return 0;
    }

    @Override
    public void onClose()
    {
        publish(worker.position());
    }

    @Override
    public String roleName()
    {
        return "counters";
    }

    private void publish(final long position)
    {
        counters.publish(worker, operator, sequencer.lastPosition(), changes.changeSets());
        published = position;
        beat();
    }

    private void beat()
    {
        final long nowMs = clock.time();
        if (nowMs - aliveMs >= ALIVE_INTERVAL_MS)
        {
            aliveMs = nowMs;
            file.alive(nowMs);
        }
    }
}
