/**
 * Exports of tables and logs as JSON Lines or CSV (INTERFACE.md, "Exports"), streamed to any output.
 */
package io.tidemark.sink.export;
