package io.tidemark.operator.worker;

import io.tidemark.operator.Operator;
import io.tidemark.operator.change.ChangeSetEncoder;
import io.tidemark.operator.change.OutcomePublisher;

/** Makes the operator of a pipeline, with empty state, and owns what that state lives in. */
@FunctionalInterface
public interface OperatorFactory extends AutoCloseable
{
    /**
     * Makes the operator. The data directory is locked when this is called, and not before.
     *
     * @param changes  where its change-sets go.
     * @param outcomes where its late and rejected events go.
     * @return the operator; closed before the factory is.
     */
    Operator create(ChangeSetEncoder changes, OutcomePublisher outcomes);

    /** Called after the operator was closed. */
    @Override
    default void close()
    {
    }
}
