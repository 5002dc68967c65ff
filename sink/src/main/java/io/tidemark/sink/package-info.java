/**
 * Change log, current table, generations and repair. Knows change-sets.
 */
package io.tidemark.sink;
