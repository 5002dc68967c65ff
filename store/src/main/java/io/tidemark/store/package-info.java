/**
 * Per-slot state of a single-writer operator, off heap, in fixed-size pages of Chronicle Map.
 *
 * <pre>
 *   Slots -- one Slot per slot number, created on first use
 *     Pages      where its pages are, which have changed since the last capture
 *     Arena      blocks of 64 to 4096 bytes in the slot's pages, by 32-bit reference
 *     HashIndex  fingerprint -> reference (keys; rows of large keys)
 *     TimeIndex  rows of one owner and side, ordered by start, in a tree of leaf blocks
 *       Aggregates count, sum, smallest and largest over the rows of a span
 *   PageCapture -- pages as they stood at a barrier, read by another thread while the writer goes on
 *   PageStore (package page) -- the allocator of pages, in Chronicle Map
 * </pre>
 *
 * <p>Nothing here knows of joins, reads a clock or depends on anything but the calls made: the same calls leave the
 * same bytes in the same pages. Nothing is kept on the Java heap per row or per key. What is derived (addresses of
 * pages, directories) lives in native memory and can be rebuilt from the pages.
 */
package io.tidemark.store;
