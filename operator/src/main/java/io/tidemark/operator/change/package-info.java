/**
 * What a worker says happened: change-sets, and the events that changed nothing because they were late or rejected.
 *
 * <pre>
 *   engine -- row images, by address --> ChangeSetEncoder --+
 *   engine -- the event --------------> OutcomePublisher ---+--> ReplayingAppender --> change, late, rejects log
 *                                                                compares while the log is ahead, then appends
 *   change log --> ChangeSetDecoder --> whole rows, one change after the other
 * </pre>
 *
 * A row is stored by the engine as it is output ({@link io.tidemark.operator.change.RowImage}), so a pair costs one
 * copy of its partner. The bytes are those of {@code sbe/tidemark-change.xml}.
 */
package io.tidemark.operator.change;
