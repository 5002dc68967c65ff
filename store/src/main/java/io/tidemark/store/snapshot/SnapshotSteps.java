package io.tidemark.store.snapshot;

/** Is told how far the writing of a checkpoint has come, so that a test can end the process there. */
@FunctionalInterface
public interface SnapshotSteps
{
    /** Tells nobody. */
    SnapshotSteps NONE = (step) -> {};

    /**
     * A step was reached.
     *
     * @param step its name.
     */
    void reached(String step);
}
