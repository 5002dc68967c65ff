package io.tidemark.operator.worker;

import io.tidemark.operator.Operator;
import io.tidemark.operator.change.ChangeSetEncoder;
import io.tidemark.operator.change.OutcomePublisher;
import io.tidemark.operator.join.JoinEngine;
import io.tidemark.operator.session.SessionEngine;
import io.tidemark.operator.spec.PipelineSpec;
import io.tidemark.operator.spec.SessionRule;
import io.tidemark.store.page.PageStore;

import java.nio.file.Path;

/**
 * Makes the operator of a rule, whose pages live under {@code state} in the data directory; what an earlier process
 * left is deleted.
 */
public final class PagedOperatorFactory implements OperatorFactory
{
    private static final String STATE = "state";

    private final Path dataDirectory;
    private final PipelineSpec spec;
    private final long maxPages;
    private PageStore store;

    /**
     * Creates a factory.
     *
     * @param dataDirectory of the pipeline.
     * @param spec          what to compute.
     * @param maxPages      most pages of state.
     */
    public PagedOperatorFactory(final Path dataDirectory, final PipelineSpec spec, final long maxPages)
    {
        this.dataDirectory = dataDirectory;
        this.spec = spec;
        this.maxPages = maxPages;
    }

    @Override
    public Operator create(final ChangeSetEncoder changes, final OutcomePublisher outcomes)
    {
        store = PageStore.create(dataDirectory.resolve(STATE), maxPages);
        return spec.rule() instanceof SessionRule ?
            new SessionEngine(spec, store, changes, outcomes) : new JoinEngine(spec, store, changes, outcomes);
    }

    @Override
    public void close()
    {
        if (store != null)
        {
            store.close();
            store = null;
        }
    }
}
