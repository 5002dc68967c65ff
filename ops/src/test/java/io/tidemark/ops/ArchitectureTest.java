package io.tidemark.ops;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;

import java.time.Clock;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZonedDateTime;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.junit.jupiter.api.Assertions.assertNull;

/**
 * Holds the dependencies to their one direction, and what decides results to what is in the order: neither the
 * operator nor the store may see a clock, chance, or the iteration order of a hash.
 */
@AnalyzeClasses(packages = "io.tidemark", importOptions = ArchitectureTest.MainClasses.class)
class ArchitectureTest
{
    private static final String STORE = "io.tidemark.store..";
    private static final String INGEST = "io.tidemark.ingest..";
    private static final String OPERATOR = "io.tidemark.operator..";
    private static final String SINK = "io.tidemark.sink..";
    private static final String OPS = "io.tidemark.ops..";
    private static final String BENCH = "io.tidemark.bench..";

    @ArchTest
    void shouldKeepStoreIgnorantOfAllOthers(final JavaClasses classes)
    {
        shouldNotDepend(classes, STORE, INGEST, OPERATOR, SINK, OPS, BENCH);
    }

    @ArchTest
    void shouldKeepIngestIgnorantOfAllOthers(final JavaClasses classes)
    {
        shouldNotDepend(classes, INGEST, STORE, OPERATOR, SINK, OPS, BENCH);
    }

    @ArchTest
    void shouldLetOperatorKnowStoreAndIngestOnly(final JavaClasses classes)
    {
        shouldNotDepend(classes, OPERATOR, SINK, OPS, BENCH);
    }

    @ArchTest
    void shouldLetSinkKnowOperatorAndIngestOnly(final JavaClasses classes)
    {
        shouldNotDepend(classes, SINK, STORE, OPS, BENCH);
    }

    @ArchTest
    void shouldLetOpsKnowAllButBench(final JavaClasses classes)
    {
        shouldNotDepend(classes, OPS, BENCH);
    }

    @ArchTest
    void shouldKeepChronicleInsideItsThreeAdapters(final JavaClasses classes)
    {
        noClasses().that().resideOutsideOfPackages(
            "io.tidemark.ingest.log..", "io.tidemark.store.page..", "io.tidemark.sink.view..")
            .should().dependOnClassesThat().resideInAPackage("net.openhft..")
            .because("Chronicle is reached through the logs of ingest, the page map of store and the view of sink")
            .allowEmptyShould(true)
            .check(classes);
    }

    @ArchTest
    void shouldKeepClocksOutOfOperatorAndStore(final JavaClasses classes)
    {
        shouldNotCall(classes, System.class, "nanoTime", "currentTimeMillis");
        shouldNotCall(classes, Instant.class, "now");
        shouldNotCall(classes, LocalDate.class, "now");
        shouldNotCall(classes, LocalDateTime.class, "now");
        shouldNotCall(classes, OffsetDateTime.class, "now");
        shouldNotCall(classes, ZonedDateTime.class, "now");
        noClasses().that().resideInAnyPackage(OPERATOR, STORE)
            .should().dependOnClassesThat().belongToAnyOf(Clock.class)
            .orShould().dependOnClassesThat().haveNameMatching("org\\.agrona\\.concurrent\\.System\\w*Clock")
            .because("clocks come in from outside, with the event")
            .allowEmptyShould(true)
            .check(classes);
    }

    @ArchTest
    void shouldKeepChanceOutOfOperatorAndStore(final JavaClasses classes)
    {
        shouldNotCall(classes, Math.class, "random");
        shouldNotCall(classes, UUID.class, "randomUUID");
        shouldNotCall(classes, System.class, "identityHashCode");
        noClasses().that().resideInAnyPackage(OPERATOR, STORE)
            .should().dependOnClassesThat().belongToAnyOf(
                Random.class, ThreadLocalRandom.class, SplittableRandom.class)
            .because("replay yields the same bytes")
            .allowEmptyShould(true)
            .check(classes);
    }

    @ArchTest
    void shouldKeepHashOrderOutOfOperatorAndStore(final JavaClasses classes)
    {
        // The immutable sets and maps iterate in an order that differs from one JVM to the next.
        shouldNotCall(classes, Set.class, "of", "copyOf");
        shouldNotCall(classes, Map.class, "of", "copyOf", "ofEntries");
        shouldNotCall(classes, Collectors.class, "toSet", "toMap", "groupingBy", "partitioningBy");
        noClasses().that().resideInAnyPackage(OPERATOR, STORE)
            .should().dependOnClassesThat(DescribedPredicate.describe("hash in an order of their own",
                (type) -> type.isEquivalentTo(HashMap.class) ||
                    type.isEquivalentTo(HashSet.class) ||
                    type.isEquivalentTo(IdentityHashMap.class) ||
                    type.isEquivalentTo(ConcurrentHashMap.class)))
            .because("nothing observable may depend on the order in which a hash is walked")
            .allowEmptyShould(true)
            .check(classes);
    }

    @ArchTest
    void shouldNotCarryTheCodeThatPhonesHome(final JavaClasses classes)
    {
        assertNull(getClass().getResource("/net/openhft/chronicle/analytics/Analytics.class"),
            "chronicle-analytics came in: exclude it where it is depended on");
    }

    private static void shouldNotDepend(final JavaClasses classes, final String module, final String... others)
    {
        noClasses().that().resideInAPackage(module)
            .should().dependOnClassesThat().resideInAnyPackage(others)
            .because("dependencies point one way")
            .allowEmptyShould(true)
            .check(classes);
    }

    private static void shouldNotCall(final JavaClasses classes, final Class<?> type, final String... methods)
    {
        final Set<String> names = Set.of(methods);
        final DescribedPredicate<JavaAccess<?>> banned = DescribedPredicate.describe(
            "the target is one of " + type.getSimpleName() + names,
            (access) -> access.getTargetOwner().isEquivalentTo(type) && names.contains(access.getName()));
        noClasses().that().resideInAnyPackage(OPERATOR, STORE)
            .should().accessTargetWhere(banned)
            .because("replay yields the same bytes")
            .allowEmptyShould(true)
            .check(classes);
    }

    /** Leaves out test classes, wherever the build put them. */
    static final class MainClasses implements ImportOption
    {
        @Override
        public boolean includes(final Location location)
        {
            return !location.contains("/test-classes/") &&
                !location.contains("/test-quick-classes/") &&
                !location.contains("-tests.jar");
        }
    }
}
