package io.tidemark.operator.join;

import io.tidemark.ingest.fixture.Settings;
import io.tidemark.operator.oracle.JoinUnderTest;
import io.tidemark.operator.oracle.OracleJoin;

/**
 * The joins that every scenario is run against.
 */
enum Joins
{
    /** The definitions of SEMANTICS.md, asked one by one. */
    ORACLE(100)
    {
        @Override
        JoinUnderTest open(final Settings settings)
        {
            return new OracleJoin(settings);
        }
    },

    /** The product. */
    ENGINE(100_000)
    {
        @Override
        JoinUnderTest open(final Settings settings)
        {
            return new EngineJoin(settings);
        }
    };

    private final int many;

    Joins(final int many)
    {
        this.many = many;
    }

    /** A join that has seen nothing. */
    abstract JoinUnderTest open(Settings settings);

    /** How many rows are many, where a scenario wants many. */
    int many()
    {
        return many;
    }
}
