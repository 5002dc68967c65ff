/**
 * Checkpoints on disk: the slots' pages and what else stands at one position (DESIGN.md, "Checkpoints and recovery").
 *
 * <pre>
 *   PageCapture --> SnapshotWriter --> POSITION-changed.pages    only pages changed since the checkpoint before
 *                        |             POSITION-all.pages        every page
 *                        |             POSITION-folded.pages     a chain of files made one, in the background
 *                        +-----------> POSITION.manifest         written last, synced, renamed
 *
 *   CheckpointDirectory: what is there, newest first --> SnapshotLoader --> Slots
 * </pre>
 *
 * <p>A checkpoint is its manifest: it names the files that make it up, oldest first (of a page that is in several the
 * newest counts), their lengths and digests, a digest for each slot, where every log stands, and the operator's
 * registers. A file without a manifest that names it is a leftover and is removed. What is read is believed only when
 * every digest holds.
 *
 * <p>Nothing here knows what the registers, logs and settings in a manifest mean.
 */
package io.tidemark.store.snapshot;
