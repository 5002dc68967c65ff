package io.tidemark.store;

/** Knows the number that a row counts with in the {@link Aggregates} of its tree. */
@FunctionalInterface
public interface RowMeasure
{
    /**
     * The number of a row.
     *
     * @param body address of the row's body.
     * @return any number.
     */
    long value(long body);
}
