/**
 * What becomes of events: an {@link io.tidemark.operator.Operator} is told each event of the total order, keeps state
 * and clocks, and says what changed.
 *
 * <pre>
 *   worker -- EventBatch, then event by event --> Operator -- EventRules --> rejects log
 *                                                    |------- Clocks, state --> change log, late log
 *                                                    +------- Tally --> counters file
 * </pre>
 *
 * Positions and clocks come in from outside: nothing here assumes that it runs under the sequencer.
 */
package io.tidemark.operator;
