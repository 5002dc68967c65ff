/**
 * Interval and overlap joins on paged state (SEMANTICS.md sections 4 to 6).
 *
 * <pre>
 *   JoinEngine     the steps of one event: reject, duplicate, late, apply, advance
 *     JoinPolicy     all arithmetic of a rule; the only place where the two joins differ
 *     RowStates      open, ghost, gone, known, by definition
 *     DirectEffect   pairs and unmatched rows that an accepted event ends and makes (ordinal 0)
 *       Probe          the rows that meet an interval
 *     Expiry         what the clocks bring about: final rows (ordinals 1, 2, ..) and clean-up
 *       Sweeper        takes what is gone out of a key's trees
 *   RowDescriptor  the layout of a row
 *   Images, FinalRows   sorted scratch lists off heap
 * </pre>
 *
 * <p>Keys, their clocks and what is due are those of package {@code keyed}.
 *
 * <p>What becomes of an event is decided by the clocks and the row's own fields, never by whether a clean-up has been
 * there already.
 */
package io.tidemark.operator.join;
