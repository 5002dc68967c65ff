/**
 * Runs an operator on the logs.
 *
 * <pre>
 *   source logs --> Sequencer --> order log --+
 *        |                                    v
 *        +------------- events ----------> Worker -- EventBatch --> Operator --> change, late, rejects log
 *                                             |
 *                                       CountersAgent --> counters.dat        PipelineRuntime --> errors.dat
 * </pre>
 *
 * {@link io.tidemark.operator.worker.PipelineRuntime} composes all of it on one thread. There are no checkpoints yet:
 * every start begins at position 1 with empty state, compares what it makes with what the logs hold, and goes on from
 * there. Tools look at {@link io.tidemark.operator.worker.CountersFile} and
 * {@link io.tidemark.operator.worker.ErrorsFile} from outside, also when the process hangs or is gone.
 */
package io.tidemark.operator.worker;
