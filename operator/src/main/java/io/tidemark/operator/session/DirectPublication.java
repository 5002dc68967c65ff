package io.tidemark.operator.session;

import io.tidemark.operator.change.SessionChangeSetEncoder;
import io.tidemark.operator.change.SessionImage;
import io.tidemark.operator.keyed.KeyDescriptor;
import io.tidemark.operator.keyed.KeyedEngine;
import io.tidemark.operator.spec.PipelineSpec;
import io.tidemark.store.RowCursor;

/**
 * Puts out the direct effect of one accepted event (SEMANTICS.md section 7): with {@code emit: provisional} the
 * sessions that it ends and makes, with {@code final} those that are final when it makes them. A session whose extent
 * and aggregates come out the same has not changed. What is final leaves the tree.
 */
final class DirectPublication
{
    private final PipelineSpec spec;
    private final SessionPolicy policy;
    private final SessionChangeSetEncoder encoder;
    private final Finality finality;
    private final SessionImages made = new SessionImages();
    private final RowCursor cursor = new RowCursor();

    DirectPublication(
        final PipelineSpec spec,
        final SessionPolicy policy,
        final SessionChangeSetEncoder encoder,
        final Finality finality)
    {
        this.spec = spec;
        this.policy = policy;
        this.encoder = encoder;
        this.finality = finality;
    }

    /** Publishes what {@code changes} holds, for the key with the clock. */
    void publish(final Subject s, final int partition, final SessionChanges changes)
    {
        made.clear();
        for (int i = 0; i < changes.madeCount(); i++)
        {
            if (changes.takeMade(i, cursor))
            {
                onMade(s, changes.ended());
            }
        }
        final SessionImages ended = changes.ended();
        if (!policy.isProvisional())
        {
            // none of them had been published
            ended.clear();
        }
        if (ended.size() + made.size() == 0)
        {
            return;
        }
        ended.sort();
        made.sort();
        final long key = s.slot().arena().address(s.keyRef());
        encoder.begin(s.position(), s.slot().number(), 0, KeyedEngine.FIRST_EPOCH, KeyedEngine.FIRST_GENERATION,
            spec.rule().version(), s.stream(), partition, s.index(),
            key + KeyDescriptor.KEY, KeyDescriptor.keyLength(key));
        for (int i = 0; i < ended.size(); i++)
        {
            encoder.retract(ended.image(i));
        }
        for (int i = 0; i < made.size(); i++)
        {
            encoder.insert(made.image(i));
        }
        encoder.commit();
    }

    void close()
    {
        made.close();
    }

    /** The session at the cursor is there now and was changed; its page may be written to. */
    private void onMade(final Subject s, final SessionImages ended)
    {
        final long image = SessionDescriptor.image(cursor.body());
        final long end = SessionImage.end(image);
        final boolean isFinal = policy.isFinal(end, s.clock);
        final int same = isFinal || !policy.isProvisional() ? -1 : ended.indexOf(image);
        if (same >= 0)
        {
            ended.drop(same);
        }
        else if (isFinal || policy.isProvisional())
        {
            SessionImage.putPublication(image, s.position(), false);
            made.copy(image);
            SessionImage.putPublication(made.image(made.size() - 1), s.position(), isFinal);
        }
        if (isFinal)
        {
            s.slot().rows().remove(
                Trees.sessions(s.slot().arena().address(s.keyRef())), cursor.leaf(), 1L << cursor.entry());
        }
        else
        {
            finality.schedule(s.slot(), s.keyRef(), end);
        }
    }
}
