package io.tidemark.operator.oracle;

import java.util.TreeMap;

/** An oracle that is fed like what it is compared with. */
interface OracleUnderTest extends JoinUnderTest
{
    /** Positions so far. */
    long position();

    /** The current table, by row id. */
    TreeMap<String, ResultRow> table();
}
