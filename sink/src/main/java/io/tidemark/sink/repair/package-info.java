/**
 * The repair queue and what is done about it (SEMANTICS.md section 8): late events with their states, candidates that
 * are built and judged, and their publication.
 *
 * <pre>
 *   late log, change log, candidates ----------> RepairQueue: which late event waits, is repaired, failed, ...
 *   order log + source logs --(RawScan)--> build.JoinBuilder, SessionBuilder --> drafts
 *                                           verify.RepairCheck, by brute force --> complaints
 *   draft + complaints --(CandidateStore)--> data/repair/candidates --(PublicationRequest)--> control log
 * </pre>
 *
 * Nothing here changes a table: a valid candidate is asked for in the control log, the sequencer gives it a position,
 * and the worker writes its change-set. Who asks twice, or dies in between and asks again, publishes once.
 */
package io.tidemark.sink.repair;
