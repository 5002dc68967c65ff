package io.tidemark.operator.oracle;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import io.tidemark.ingest.fixture.Feed;

/**
 * The oracle against the cases: every line of every table, and the summary.
 */
class OracleCasesTest
{
    @ParameterizedTest
    @MethodSource("io.tidemark.operator.oracle.Case#all")
    void shouldGiveTheExpectedAnswer(final Case each)
    {
        final Feed feed = each.feed();
        final Oracle oracle = OracleRun.of(each.settings(), feed);

        assertEquals(
            sorted(each.expected().stream()),
            sorted(new OracleExport(each.settings(), oracle, feed).lines().stream()));
    }

    @ParameterizedTest
    @MethodSource("io.tidemark.operator.oracle.Case#all")
    void shouldMergeTheSourcesOfTheFeedIntoItsOrder(final Case each)
    {
        final Feed feed = each.feed();

        assertEquals(feed.events(), TotalOrder.merge(TotalOrder.sources(each.settings(), feed)));
    }

    private static String sorted(final Stream<String> lines)
    {
        return lines.sorted().collect(Collectors.joining("\n"));
    }
}
