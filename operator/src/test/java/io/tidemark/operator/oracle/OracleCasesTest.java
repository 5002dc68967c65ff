package io.tidemark.operator.oracle;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import io.tidemark.ingest.fixture.Feed;
import io.tidemark.ingest.fixture.Settings;
import io.tidemark.ingest.fixture.Settings.Unmatched;
import io.tidemark.ingest.fixture.SettingsBuilder;

/**
 * The oracle against the cases whose answers an independent model of SEMANTICS.md has worked out.
 */
class OracleCasesTest
{
    @Test
    void shouldAnswerPaymentRisk() throws IOException
    {
        assertCase("payment-risk", "payment-risk", paymentRisk());
    }

    @Test
    void shouldAnswerPaymentRiskWhenUnmatchedIsProvisionalOnBothSides() throws IOException
    {
        assertCase("payment-risk-provisional", "payment-risk",
            paymentRisk().unmatched(Unmatched.PROVISIONAL, true, true));
    }

    @Test
    void shouldAnswerPaymentRiskWhenTheClockIsJoint() throws IOException
    {
        assertCase("payment-risk-joint", "payment-risk",
            paymentRisk().unmatched(Unmatched.FINAL, true, true).joint(true));
    }

    @Test
    void shouldAnswerPaymentRiskWhenPartitionsBecomeIdle() throws IOException
    {
        assertCase("payment-risk-idle", "payment-risk", paymentRisk().idleAfter("5s"));
    }

    @Test
    void shouldAnswerPaymentRiskWhenKeysHaveClocksOfTheirOwn() throws IOException
    {
        assertCase("payment-risk-key-scope", "payment-risk", paymentRisk().keyScope("20m"));
    }

    @Test
    void shouldAnswerOverlapRounds() throws IOException
    {
        assertCase("overlap-rounds", "overlap-rounds",
            Settings.overlapJoin().longest("50ns", "50ns").lateness("10ns"));
    }

    private static SettingsBuilder paymentRisk()
    {
        return Settings.intervalJoin().partitions(2, 2);
    }

    private static void assertCase(final String name, final String feedName, final SettingsBuilder builder)
        throws IOException
    {
        final Settings settings = builder.build();
        final Feed feed = Feed.parseCsv(resource(feedName + ".csv"));
        final Oracle oracle = OracleRun.of(settings, feed);

        assertEquals(feed.events(), TotalOrder.merge(TotalOrder.sources(settings, feed)), "order of arrival");
        assertEquals(
            sorted(resource(name + ".expected.jsonl").lines()),
            sorted(new OracleExport(settings, oracle, feed).lines().stream()));
    }

    private static String sorted(final Stream<String> lines)
    {
        return lines.sorted().collect(Collectors.joining("\n"));
    }

    private static String resource(final String name) throws IOException
    {
        try (InputStream stream = OracleCasesTest.class.getResourceAsStream("/cases/" + name))
        {
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
