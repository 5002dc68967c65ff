package io.tidemark.sink;

/**
 * Receives change-sets in the order of the log.
 */
@FunctionalInterface
public interface ChangeSetHandler
{
    /**
     * The next change-set, whole.
     *
     * @param changeSet immutable; may be kept.
     */
    void onChangeSet(ChangeSet changeSet);
}
