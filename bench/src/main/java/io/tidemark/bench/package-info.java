/**
 * JMH benchmarks, the latency harness and peers.
 */
package io.tidemark.bench;
