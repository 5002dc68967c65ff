package io.tidemark.operator.join;

/**
 * What the state holds at a position, by the definitions of SEMANTICS.md section 4 (rows that are gone but not taken
 * out yet don't count).
 *
 * @param open       rows that can be matched, revised and retracted.
 * @param ghosts     rows that an open row has a current pair with.
 * @param records    known records.
 * @param tombstones those of them whose row was withdrawn.
 * @param keyClocks  clocks that keys have of their own, one for each key and input.
 */
public record Census(long open, long ghosts, long records, long tombstones, long keyClocks)
{
}
