/**
 * Fixed-size pages, the time index over them, slots, snapshots and checkpoint manifests. Knows nothing of joins.
 */
package io.tidemark.store;
