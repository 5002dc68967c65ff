package io.tidemark.operator.worker;

import io.tidemark.ingest.order.OrderMark;
import io.tidemark.operator.Operator;
import io.tidemark.operator.change.ReplayingAppender;
import io.tidemark.operator.change.ChangeSetEncoder;
import io.tidemark.store.snapshot.Manifest;
import io.tidemark.store.snapshot.SlotDigests;
import org.agrona.CloseHelper;

import java.util.List;

/**
 * An operator and all that it writes to, standing at one place in the order.
 *
 * @param mark         the place.
 * @param manifest     of the checkpoint that was loaded, null at the start of the order.
 * @param digests      of that checkpoint, null at the start of the order.
 * @param operator     with its state.
 * @param publications with its state.
 * @param encoder      of change-sets.
 * @param logs         what the operator writes to: changes, late, rejects.
 */
record RecoveredState(
    OrderMark mark,
    Manifest manifest,
    SlotDigests digests,
    Operator operator,
    PublicationHandler publications,
    ChangeSetEncoder encoder,
    List<ReplayingAppender> logs) implements AutoCloseable
{
    static final int CHANGES = 0;
    static final int LATE = 1;
    static final int REJECTS = 2;

    /** The digests belong to who writes checkpoints. */
    @Override
    public void close()
    {
        CloseHelper.close(operator);
        CloseHelper.closeAll(logs);
    }
}
