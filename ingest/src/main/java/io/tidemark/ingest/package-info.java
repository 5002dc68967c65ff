/**
 * Event codec, source logs, feed readers, connectors, sequencer and order log. Knows nothing of state.
 */
package io.tidemark.ingest;
