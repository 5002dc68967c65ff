/**
 * What a repair wants to change (SEMANTICS.md section 8): the region it concerns, the rows that go and come, and what
 * was said of it. Those who build candidates and those who judge them share these values and nothing else.
 */
package io.tidemark.sink.candidate;
