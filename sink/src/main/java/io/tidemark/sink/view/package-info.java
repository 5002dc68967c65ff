/**
 * The current table in shared memory, for readers in other processes.
 *
 * <pre>
 *   change log --(ChangeLogTailer)--> ViewSink, ViewWriter --> pages in Chronicle Map <-- ViewReader, in any process
 *                                          |                                                 |
 *                                          +----> view.dat: which generation of files <------+
 * </pre>
 *
 * Chronicle Map is where the pages live; it is asked for their addresses when a file is opened, and never again, so
 * that no lock of it can be held by a process that dies while it works. In the pages are rows, a skip list of the rows
 * of each key in time order, and a hash table of row ids and keys ({@code RecordDescriptor}, {@code HeaderDescriptor}).
 * One writer changes them so that each store leaves them readable; readers take no locks and write nothing.
 * <p>
 * <b>What a reader sees.</b> A row has the ordinals of the change-sets that inserted and that retired it, and is
 * current at X iff {@code inserted <= X < retired}. X, the ordinal of the last change-set applied, is published last:
 * so a change-set becomes visible whole. Ordinals are numbers of records of the change log.
 * <p>
 * <b>How memory comes back.</b> Two seconds after a row was retired it is unlinked, and two seconds after that its
 * memory may be used again. Before each of these the writer raises a mark in the header: {@code horizon} to the
 * ordinal at which the newest of the unlinked rows was retired, and {@code reused} to the number of the round of
 * unlinking whose memory is used again. A reader that has started at X in round U looks at the marks when it has read:
 * if {@code horizon <= X} no row that is current at X was unlinked under its feet, and if {@code reused <= U} no memory
 * that it could reach was used again. Otherwise it starts again. Nobody registers, so nobody can be waited for in vain.
 * <p>
 * <b>Restart.</b> What a writer has left behind is never continued, but built anew from the change log in new files,
 * while readers go on with the old ones; {@code view.dat} names the new ones once they are at least as far.
 */
package io.tidemark.sink.view;
