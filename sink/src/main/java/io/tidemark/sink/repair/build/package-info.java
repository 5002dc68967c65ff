/**
 * Builds candidates: from the raw events and the current rows of one key to what should change.
 *
 * <pre>
 *   KeyHistory --> JoinBuilder, SessionBuilder: rows as they should be, sorted and swept --> Draft, one a region
 * </pre>
 *
 * Who judges a draft ({@link io.tidemark.sink.verify.RepairCheck}) reads the logs anew and shares no code with this.
 */
package io.tidemark.sink.repair.build;
