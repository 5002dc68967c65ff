package io.tidemark.operator.session;

/**
 * What the state holds at a position, by the definitions of SEMANTICS.md sections 4 and 7 (what is gone but not taken
 * out yet does not count).
 *
 * @param open       members that can be revised and retracted.
 * @param records    known records.
 * @param tombstones those of them whose row was withdrawn.
 * @param sessions   that are not final.
 * @param keyClocks  clocks that keys have of their own.
 */
public record SessionCensus(long open, long records, long tombstones, long sessions, long keyClocks)
{
}
