/**
 * Logs: the only place that knows Chronicle Queue.
 * <pre>
 *     encoded record                                  record in place
 *          |  LogAppender.append                          ^  LogTailer.poll
 *          v                                              |
 *     number stamped, one copy  ---->  Log (a queue) ---->  number checked: a gap stops the reader
 * </pre>
 * One process appends to a log and holds its {@link io.tidemark.ingest.log.DataLock}; any number read. No allocation,
 * lock or system call an append or poll, other than Chronicle's when a block or a day ends.
 */
package io.tidemark.ingest.log;
