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
 * Rows are taken apart by libraries: CSV by FastCSV, JSON Lines by Jackson. Both are given a line at a time, so that a
 * line they cannot make sense of is turned away as it stands, and costs no other: after an error the CSV parser is
 * thrown away, and a new one goes on with the next line. FastCSV also ends a row at a carriage return that no line feed
 * follows; the parts are rows of the same line then.
 * <p>
 * One thread; the heap does not grow with the feed. A CSV line makes no garbage, a JSON line some 600 bytes: a parser.
 */
package io.tidemark.ingest.feed;
