package io.tidemark.operator.oracle;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;

import io.tidemark.ingest.fixture.Feed;
import io.tidemark.ingest.fixture.Settings;
import io.tidemark.ingest.fixture.Settings.Unmatched;
import io.tidemark.ingest.fixture.SettingsBuilder;

/**
 * A case whose right answer an independent model of SEMANTICS.md has worked out.
 *
 * @param name     of its expected answer.
 * @param feedName of its feed.
 * @param settings of its rule.
 */
public record Case(String name, String feedName, Settings settings)
{
    /** All cases of the two joins. */
    public static Stream<Case> all()
    {
        final SettingsBuilder overlap = Settings.overlapJoin().longest("50ns", "50ns").lateness("10ns");
        return Stream.of(
            paymentRisk("", paymentRisk()),
            paymentRisk("-provisional", paymentRisk().unmatched(Unmatched.PROVISIONAL, true, true)),
            paymentRisk("-joint", paymentRisk().unmatched(Unmatched.FINAL, true, true).joint(true)),
            paymentRisk("-idle", paymentRisk().idleAfter("5s")),
            paymentRisk("-key-scope", paymentRisk().keyScope("20m")),
            new Case("overlap-rounds", "overlap-rounds", overlap.build()));
    }

    /** Its feed. */
    public Feed feed()
    {
        return Feed.parseCsv(resource(feedName + ".csv"));
    }

    /** The lines of its expected answer. */
    public List<String> expected()
    {
        return resource(name + ".expected.jsonl").lines().toList();
    }

    @Override
    public String toString()
    {
        return name;
    }

    private static Case paymentRisk(final String suffix, final SettingsBuilder builder)
    {
        return new Case("payment-risk" + suffix, "payment-risk", builder.build());
    }

    private static SettingsBuilder paymentRisk()
    {
        return Settings.intervalJoin().partitions(2, 2);
    }

    private static String resource(final String name)
    {
        try (InputStream stream = Case.class.getResourceAsStream("/cases/" + name))
        {
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        }
        catch (final IOException e)
        {
            throw new UncheckedIOException(e);
        }
    }
}
