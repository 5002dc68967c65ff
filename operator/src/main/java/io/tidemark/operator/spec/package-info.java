/**
 * What a pipeline computes, as immutable values: its topology, rule (a join or sessions) and watermark settings.
 * Everything here changes results and is stored with the data; settings that only change speed live elsewhere.
 */
package io.tidemark.operator.spec;
