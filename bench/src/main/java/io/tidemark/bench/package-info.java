/**
 * Benchmarks, reached by {@code tidemark bench}.
 * <pre>
 *   Workload --> EventFeed --> SourceWriter --> source logs
 *                                                   |          in turns, in one thread (Stages):
 *                              Rounds <-- sequence, join, floor
 *                                |
 *             WorkloadFigures, StateFigures, CostFigures --> Report --> FigureTable or FigureJson
 * </pre>
 * Thread CPU time is what counts, because the machine may be busy with other things. The floor reads the logs that the
 * pipeline reads and appends records of the lengths that it appends, without any logic: no join on these logs can cost
 * less.
 */
package io.tidemark.bench;
