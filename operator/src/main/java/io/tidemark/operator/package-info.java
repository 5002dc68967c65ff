/**
 * Clocks, interval join, sessions, change-sets and the worker.
 */
package io.tidemark.operator;
