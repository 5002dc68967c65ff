/**
 * SEMANTICS.md sections 1 to 7 and 9, written down once more as literally as possible: lists, sets,
 * and every question answered by its definition after every position. It shares no code with the engine and is slow
 * on purpose; the engine is right when it can't be told from this.
 * <pre>
 *   Feed --TotalOrder--> positions --Oracle (OracleClocks, Validity)--> change-sets, table, late, rejected, census
 *                                   BruteForce (only the Law of section 6) --> final table
 * </pre>
 */
package io.tidemark.operator.oracle;
