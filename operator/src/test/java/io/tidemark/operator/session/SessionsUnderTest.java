package io.tidemark.operator.session;

import io.tidemark.ingest.fixture.Settings;
import io.tidemark.operator.oracle.JoinUnderTest;
import io.tidemark.operator.oracle.OracleSessions;

/** What every scenario is run against. */
enum SessionsUnderTest
{
    /** The definitions of SEMANTICS.md, asked one by one. */
    ORACLE
    {
        @Override
        JoinUnderTest open(final Settings settings)
        {
            return new OracleSessions(settings);
        }
    },

    /** The product. */
    ENGINE
    {
        @Override
        JoinUnderTest open(final Settings settings)
        {
            return new EngineSessions(settings);
        }
    },

    /** The product, restored from a snapshot after every position. */
    RESTORED
    {
        @Override
        JoinUnderTest open(final Settings settings)
        {
            return EngineSessions.restoredAlways(settings);
        }
    };

    /** Sessions that have seen nothing. */
    abstract JoinUnderTest open(Settings settings);
}
