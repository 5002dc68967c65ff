/**
 * The total order over all source logs (SEMANTICS.md section 2): chosen once, written down, then a fact.
 * <pre>
 *     source logs --(heads)--> ArrivalMerge --(runs)--> Sequencer ----> order log ----> OrderTailer
 *                              smallest arrival first      |                                |
 *                                                      IdleTracker                 OrderedEvents: each position
 *                                                      says when a tick is due     with its record or tick
 * </pre>
 * The control log is how others ask for checkpoints and publications ({@link io.tidemark.ingest.order.ControlLog}): the
 * sequencer gives each its place in the order, a barrier between two positions and a publication one of its own. An
 * {@link io.tidemark.ingest.order.OrderMark} is a place from which on the order can be read without what came before.
 * <p>
 * The order log does not copy events. A record says how many next records of which sources follow; it is written before
 * anything downstream can see the order, for downstream reads nothing else.
 */
package io.tidemark.ingest.order;
