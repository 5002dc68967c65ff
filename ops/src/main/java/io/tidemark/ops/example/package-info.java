/**
 * Tidemark inside a service of one's own, as a program to copy from: {@link io.tidemark.ops.example.EmbeddedPipeline}.
 */
package io.tidemark.ops.example;
