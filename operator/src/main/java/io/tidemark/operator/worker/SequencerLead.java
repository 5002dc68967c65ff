package io.tidemark.operator.worker;

import io.tidemark.ingest.order.Sequencer;
import org.agrona.concurrent.Agent;

/** The sequencer, held back while it is far enough ahead of the worker. */
final class SequencerLead implements Agent
{
    private final Sequencer sequencer;
    private final Worker worker;
    private final long positions;

    SequencerLead(final Sequencer sequencer, final Worker worker, final long positions)
    {
        this.sequencer = sequencer;
        this.worker = worker;
        this.positions = positions;
    }

    @Override
    public int doWork()
    {
        return sequencer.lastPosition() - worker.position() < positions ? sequencer.doWork() : 0;
    }

    @Override
    public String roleName()
    {
        return sequencer.roleName();
    }
}
