/**
 * Events (SEMANTICS.md section 1) and the logs of their sources.
 * <pre>
 *     producer ---> EventAppender ---> Log of the source ---> LogTailer ---> EventView
 *                   encodes, refuses      sources/&lt;stream&gt;-&lt;partition&gt;       reads in place
 *                   what is no event
 * </pre>
 * The record's layout is message {@code Event} of {@code sbe/tidemark-log.xml}.
 */
package io.tidemark.ingest.event;
