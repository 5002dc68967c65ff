package io.tidemark.sink;

/**
 * Is called for each change-set of a {@link ChangeLogTailer}, in the order of the log.
 */
@FunctionalInterface
public interface ChangeSetConsumer
{
    /**
     * The next change-set, whole, standing before its first change.
     *
     * @param changeSet valid during the call only; what is to be kept is copied out of it.
     */
    void onChangeSet(ChangeSetCursor changeSet);
}
