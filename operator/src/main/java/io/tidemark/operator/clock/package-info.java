/**
 * The clocks of SEMANTICS.md section 3, as far as they follow from the order and from what each event alone shows.
 *
 * <pre>
 *   arrival --> idle deadlines, one group of equal ones at a time --> W, V, F of both inputs
 *           --> the event's partition is active
 *   (steps 1 to 4 of section 4 read the clocks as they stand here)
 *   time    --> P of the partition --> W, V, F of both inputs        (step 5)
 * </pre>
 *
 * {@link io.tidemark.operator.clock.Clocks} owns the deadlines and how the two inputs look at one another;
 * {@link io.tidemark.operator.clock.InputClock} merges the partitions of one input. A key's own clocks, which take
 * state to know, belong to whoever owns the key.
 */
package io.tidemark.operator.clock;
