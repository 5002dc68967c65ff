/**
 * Reads and validates {@code tidemark.yaml}. The file is composed to nodes, which know their lines; sections take
 * their settings one by one, and whatever is left over is an error that names the line and the setting that was meant.
 *
 * <pre>
 *   file --> ConfigurationReader --> Section --> Configuration (paths, PipelineSpec, speed settings)
 *                                                     |
 *                                                     v
 *                                               DataFormat: what existing data were made with
 * </pre>
 */
package io.tidemark.ops.config;
