package io.tidemark.operator.worker;

import io.tidemark.operator.Operator;
import io.tidemark.operator.change.ChangeSetEncoder;
import io.tidemark.operator.change.OutcomePublisher;
import io.tidemark.operator.join.JoinEngine;
import io.tidemark.operator.spec.PipelineSpec;
import io.tidemark.store.page.PageStore;

import java.nio.file.Path;

/** Makes a join whose pages live under {@code state} in the data directory; what an earlier process left is deleted. */
public final class JoinOperatorFactory implements OperatorFactory
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
    public JoinOperatorFactory(final Path dataDirectory, final PipelineSpec spec, final long maxPages)
    {
        this.dataDirectory = dataDirectory;
        this.spec = spec;
        this.maxPages = maxPages;
    }

    @Override
    public Operator create(final ChangeSetEncoder changes, final OutcomePublisher outcomes)
    {
        store = PageStore.create(dataDirectory.resolve(STATE), maxPages);
        return new JoinEngine(spec, store, changes, outcomes);
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
