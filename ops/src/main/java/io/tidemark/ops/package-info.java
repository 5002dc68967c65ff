/**
 * Launcher, command line, configuration, status, dashboard, proof and scale-out.
 */
package io.tidemark.ops;
