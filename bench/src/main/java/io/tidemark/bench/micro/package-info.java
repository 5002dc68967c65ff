/**
 * Single operations under JMH, by {@code tidemark bench jmh}. All of them belong to the hot path, so
 * {@code gc.alloc.rate.norm} has to be 0 bytes an operation (JMH itself leaves a few thousandths).
 */
package io.tidemark.bench.micro;
