/**
 * Single operations under JMH, by {@code tidemark bench jmh}. All of them belong to the hot path, so
 * {@code gc.alloc.rate.norm} has to go towards 0 bytes an operation as iterations get longer: some 12 KB are allocated
 * in each iteration, whatever it does, and the last one has the tear-down of the benchmark in it too. What stays the
 * same with longer iterations would be garbage of the operation.
 */
package io.tidemark.bench.micro;
