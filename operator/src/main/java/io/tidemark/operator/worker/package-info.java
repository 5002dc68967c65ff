/**
 * Runs an operator on the logs, takes checkpoints of it, and goes on from them.
 *
 * <pre>
 *   source logs --> Sequencer --> order log --+
 *   control log ------^  |                    v
 *        |               |                 Worker -- EventBatch --> Operator --> change, late, rejects log
 *        |               | barriers           | barriers    |
 *        |               +--------------- CheckpointTaker --+ slots, registers --> SnapshotWriter (store.snapshot)
 *        |                                    |                                          |
 *        +--> PublicationHandler        CountersAgent --> counters.dat            data/checkpoints
 *                                                                                        |
 *   start: Recovery: newest checkpoint that is whole, or the start of the logs &lt;---------+
 * </pre>
 *
 * {@link io.tidemark.operator.worker.PipelineRuntime} composes all of it on one thread, but for the writing of
 * checkpoints. A start installs the newest checkpoint whose digests hold, processes again what the order has behind it,
 * compares what it makes with what the logs hold, and goes on from there ({@link
 * io.tidemark.operator.worker.RecoveryReport}). {@link io.tidemark.operator.worker.Replay} does the same beside a run
 * and only compares. Tools look at {@link io.tidemark.operator.worker.CountersFile} and
 * {@link io.tidemark.operator.worker.ErrorsFile} from outside, also when the process hangs or is gone.
 */
package io.tidemark.operator.worker;
