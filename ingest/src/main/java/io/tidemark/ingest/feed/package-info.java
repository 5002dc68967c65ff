/**
 * Feeds: files and standard input whose lines become events of the source logs.
 * <pre>
 *   FeedInput ---- LineReader ---- CsvRowReader  ---- RawRow ---- EventReader ---- FeedEvent
 *   (unpacks,      (lines,         JsonRowReader      (columns)   (what is an       |
 *    knows it by    in place)      (Columns)                       event at all)    |
 *    its head)                                          |                           v
 *                                                       v                     ImportSession
 *                                                  RejectsFile    there already /       \ not yet
 *                                                  (turned away)   StoredEvents          EventAppender
 *                                                                  (compares)            (source log)
 *                              ImportJournal: which records of which log an import may have appended
 * </pre>
 * {@link io.tidemark.ingest.feed.FeedImport} is the way in. An import that was interrupted goes on where it stopped,
 * because the stored events are the truth: the feed is read from its start, and each of its events is compared with the
 * next record that this import appended to that source's log before; only where there is none left is anything
 * appended. The journal says merely which stretches of the logs those are, and is synced before the first append.
 * <p>
 * One thread; the heap does not grow with the feed.
 */
package io.tidemark.ingest.feed;
