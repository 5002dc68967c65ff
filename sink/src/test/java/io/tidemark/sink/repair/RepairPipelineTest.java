package io.tidemark.sink.repair;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;

import io.tidemark.ingest.StreamSpec;
import io.tidemark.ingest.Topology;
import io.tidemark.ingest.event.SourceLogs;
import io.tidemark.operator.spec.JoinRule;
import io.tidemark.operator.spec.PipelineSpec;
import io.tidemark.operator.spec.Unmatched;
import io.tidemark.operator.spec.WatermarkSpec;
import io.tidemark.operator.worker.PagedOperatorFactory;
import io.tidemark.operator.worker.PipelineRuntime;
import io.tidemark.operator.worker.RuntimeContext;
import io.tidemark.sink.ChangeLogReader;
import io.tidemark.sink.CurrentTable;
import io.tidemark.sink.PairRow;
import io.tidemark.sink.candidate.Candidate;
import io.tidemark.sink.candidate.Draft;
import io.tidemark.sink.candidate.SourceRange;
import io.tidemark.sink.repair.build.JoinBuilder;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Repairs on the logs of a pipeline: what is refused, what is published twice, and what readers see meanwhile.
 */
class RepairPipelineTest
{
    private static final Topology TOPOLOGY =
        Topology.of(List.of(new StreamSpec("payments", 1), new StreamSpec("signals", 1)));
    private static final PipelineSpec SPEC = new PipelineSpec(TOPOLOGY, 0,
        new JoinRule(1, false, 100, 100, 0, 0, Unmatched.FINAL, true, false, 10, false, 10),
        WatermarkSpec.DEFAULT, 16, 10_000);

    @TempDir
    private Path data;
    private Repairs repairs;
    private String key = "k";

    @BeforeEach
    void makeOnePaymentLate()
    {
        upsert(0, "P1", 0, 1_000, 5);
        upsert(1, "S1", 0, 1_050, 7);
        upsert(1, "S2", 0, 1_090, 8);
        clock(9_000);
        run();
        upsert(0, "P1", 1, 1_000, 4);
        run();
        repairs = new Repairs(SPEC, data, data, 1, Long.MAX_VALUE);
    }

    @Test
    void shouldRefuseABrokenCandidateAndLeaveTheTableAsItWas()
    {
        final Set<String> before = pairs();
        final Candidate broken = repairs.build(event -> true, history -> JoinBuilder.build(SPEC.join(), history)
            .stream().map(draft -> new Draft(draft.region(), draft.retractions(),
                draft.insertions().subList(1, draft.insertions().size()), draft.totals(), draft.membership(),
                draft.leftNeeds(), draft.rightNeeds())).toList()).candidates().get(0);

        assertFalse(broken.isValid());
        assertTrue(broken.complaints().get(0).startsWith("lacks key k: left P1@1"), broken.complaints().toString());
        assertThrows(RepairException.class, () -> repairs.request(broken, () -> 0));
        run();
        assertEquals(before, pairs());
        assertEquals(LateState.FAILED, repairs.queue().items().get(0).state());
        assertEquals(broken, repairs.candidates().read(1));

        final Candidate good = repairs.build(event -> true).candidates().get(0);
        assertEquals(2, good.number());
        repairs.request(good, () -> 0);
        run();
        assertEquals(Set.of("P1@1 S1 2", "P1@1 S2 2"), pairs());
        assertEquals(LateState.REPAIRED, repairs.queue().items().get(0).state());
        assertEquals(broken, repairs.candidates().read(1));
    }

    @Test
    void shouldMakeOneGenerationOfACandidateThatIsAskedForTwice()
    {
        final Candidate candidate = repairs.build(event -> true).candidates().get(0);
        repairs.request(candidate, () -> 0);
        // Whoever asked died before it was told, and asks again.
        repairs.request(repairs.build(event -> true).candidates().get(0), () -> 0);
        run();
        repairs.request(candidate, () -> 0);
        run();

        assertEquals(1, repairs.publications().list().size());
        assertEquals(2, repairs.publications().newestGeneration(1));
        assertEquals(Set.of("P1@1 S1 2", "P1@1 S2 2"), pairs());
    }

    @Test
    void shouldRefuseACandidateThatAnotherHasOvertakenAndBuildItAnewOnTop()
    {
        upsert(1, "S9", 0, 3_000, 1);
        upsert(0, "P9", 0, 3_000, 1);
        run();
        final List<Candidate> first = repairs.build(event -> event.time() == 1_000).candidates();
        final List<Candidate> other = repairs.build(event -> event.time() == 3_000).candidates();
        assertEquals(List.of(1L, 1L), List.of(first.get(0).baseGeneration(), other.get(0).baseGeneration()));
        repairs.request(first.get(0), () -> 0);
        repairs.request(other.get(0), () -> 0);
        run();

        assertEquals(1, repairs.publications().list().size());
        final Candidate renewed = repairs.renew(other.get(0).number());
        assertEquals(2, renewed.baseGeneration());
        repairs.request(renewed, () -> 0);
        run();
        assertEquals(Set.of("P1@1 S1 2", "P1@1 S2 2", "P9@0 S9 3"), pairs());
    }

    /** FAULTS.md 69. */
    @Test
    void shouldMakeGenerationEightOfTheFirstOfTwoCandidatesForItAndNineOfTheOther()
    {
        for (int i = 2; i <= 7; i++)
        {
            key = "g" + i;
            upsert(0, "P", 0, 2_000, 1);
            upsert(1, "S", 0, 2_000, 1);
        }
        key = "other";
        upsert(0, "P9", 0, 3_000, 1);
        upsert(1, "S9", 0, 3_000, 1);
        run();
        repairs.build(event -> event.time() == 2_000).candidates().forEach(each -> repairs.request(each, () -> 0));
        run();
        assertEquals(7, repairs.publications().newestGeneration(1));

        final Candidate first = repairs.build(event -> event.time() == 1_000).candidates().get(0);
        final Candidate other = repairs.build(event -> event.time() == 3_000).candidates().get(0);
        assertEquals(List.of(7L, 7L), List.of(first.baseGeneration(), other.baseGeneration()));
        // a builder that crashed asks again; the other one has another content
        final Candidate retried = repairs.build(event -> event.time() == 1_000).candidates().get(0);
        assertEquals(first.digest(), retried.digest());
        repairs.request(first, () -> 0);
        repairs.request(retried, () -> 0);
        repairs.request(other, () -> 0);
        run();

        assertEquals(8, repairs.publications().newestGeneration(1), "the first wins, and once");
        assertEquals(8, repairs.publications().ofDigest(first.digest()).generation());
        assertEquals(null, repairs.publications().ofDigest(other.digest()), "the other is refused");
        final Candidate renewed = repairs.renew(other.number());
        assertEquals(8, renewed.baseGeneration());
        repairs.request(renewed, () -> 0);
        run();
        assertEquals(9, repairs.publications().ofDigest(renewed.digest()).generation());
        assertEquals(9, repairs.publications().newestGeneration(1));
    }

    /** FAULTS.md 33: of a file that was half written when its writer died nothing shows, and its number is used. */
    @Test
    void shouldNeverListAHalfWrittenCandidate() throws IOException
    {
        repairs.build(event -> true);
        final Path kept = data.resolve("repair/candidates");
        final String whole = Files.readString(kept.resolve("1.json"));
        Files.writeString(kept.resolve("2.json.tmp"), whole.substring(0, whole.length() / 2));

        assertEquals(List.of(1L), repairs.candidates().all().stream().map(Candidate::number).toList());
        upsert(1, "S9", 0, 3_000, 1);
        upsert(0, "P9", 0, 3_000, 1);
        run();
        assertEquals(2, repairs.build(event -> event.time() == 3_000).candidates().get(0).number());
        assertEquals(List.of("1.json", "2.json"), names(kept));
    }

    private static List<String> names(final Path directory) throws IOException
    {
        try (var files = Files.list(directory))
        {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    @Test
    void shouldPublishAgainTheSameBytesWhenAllIsProcessedFromTheStart() throws IOException
    {
        final Candidate candidate = repairs.build(event -> true).candidates().get(0);
        repairs.request(candidate, () -> 0);
        run();
        upsert(0, "P2", 0, 9_100, 5);
        run();
        delete(data.resolve("checkpoints"));

        run();

        assertEquals(Set.of("P1@1 S1 2", "P1@1 S2 2"), pairs());
    }

    @Test
    void shouldReadTheRawLogsFromACheckpointBeforeWhichNothingMatters()
    {
        final long day = 86_400_000_000_000L;
        checkpoint();
        key = "q";
        upsert(0, "P5", 0, 3 * day, 5);
        clock(3 * day + 9_000);
        upsert(1, "S5", 0, 3 * day, 5);
        run();

        final List<Candidate> candidates = repairs.build(event -> event.time() == 3 * day).candidates();

        assertEquals(1, candidates.size());
        assertTrue(candidates.get(0).isValid(), candidates.get(0).complaints().toString());
        assertEquals(List.of(2L, 2L), candidates.get(0).read().stream().map(SourceRange::records).toList());
        assertEquals("[PairRow]", candidates.get(0).draft().insertions().stream()
            .map(row -> row.getClass().getSimpleName()).toList().toString());
        // The one of long ago is read for from the start.
        assertEquals(6L, repairs.build(event -> true).candidates().get(0).read().get(0).records() + 1);
    }

    @Test
    void shouldRefuseACandidateWhoseFileWasChanged() throws IOException
    {
        repairs.build(event -> true);
        final Path file = data.resolve("repair/candidates/1.json");
        Files.writeString(file, Files.readString(file).replace("\"value\" : 4", "\"value\" : 5"));

        assertTrue(assertThrows(RepairException.class, () -> repairs.candidates().read(1)).getMessage()
            .contains("its content is not what its digest says"));
        Files.writeString(file, "{\"format\":");
        assertTrue(assertThrows(RepairException.class, () -> repairs.candidates().read(1)).getMessage()
            .contains("remove it"));
    }

    @Test
    void shouldShowReadersTheOldRowsOrTheNewOnesAndNothingElse() throws InterruptedException
    {
        final Set<Set<String>> seen = new HashSet<>();
        final AtomicBoolean isDone = new AtomicBoolean();
        final Thread reader = new Thread(() ->
        {
            while (!isDone.get())
            {
                seen.add(ids());
            }
            seen.add(ids());
        });
        reader.start();
        repairs.request(repairs.build(event -> true).candidates().get(0), () -> 0);
        run();
        isDone.set(true);
        reader.join();

        assertTrue(seen.contains(Set.of("P1@1 S1", "P1@1 S2")));
        seen.remove(Set.of("P1@1 S1", "P1@1 S2"));
        seen.remove(Set.of("P1@0 S1", "P1@0 S2"));
        assertEquals(Set.of(), seen);
    }

    private void upsert(final int source, final String id, final int revision, final long time, final long value)
    {
        try (SourceLogs sources = SourceLogs.open(data, TOPOLOGY))
        {
            sources.appender(source).upsert(time).key(key).id(id).revision(revision).value(value)
                .arrival(Math.max(10_000, time)).append();
        }
    }

    private void clock(final long time)
    {
        try (SourceLogs sources = SourceLogs.open(data, TOPOLOGY))
        {
            sources.appender(0).watermark(time).arrival(Math.max(10_000, time)).append();
            sources.appender(1).watermark(time).arrival(Math.max(10_000, time)).append();
        }
    }

    private void run()
    {
        try (PipelineRuntime runtime = open(data))
        {
            runtime.runUntilCaughtUp();
        }
    }

    private void checkpoint()
    {
        try (PipelineRuntime runtime = open(data))
        {
            runtime.runUntilCaughtUp();
            runtime.checkpoint();
        }
    }

    private static PipelineRuntime open(final Path data)
    {
        return PipelineRuntime.open(new RuntimeContext()
            .dataDirectory(data)
            .spec(SPEC)
            .epochClock(() -> 0)
            .nanoClock(() -> 0)
            .operatorFactory(new PagedOperatorFactory(data, SPEC, 1 << 16)));
    }

    private Set<String> pairs()
    {
        final Set<String> pairs = new TreeSet<>();
        table().pairs().forEach(row -> pairs.add(id((PairRow)row.row()) + " " + row.generation()));
        return pairs;
    }

    private Set<String> ids()
    {
        final Set<String> pairs = new TreeSet<>();
        table().pairs().forEach(row -> pairs.add(id((PairRow)row.row())));
        return pairs;
    }

    private static String id(final PairRow row)
    {
        return row.left().id() + "@" + row.left().revision() + " " + row.right().id();
    }

    private CurrentTable table()
    {
        final CurrentTable table = new CurrentTable();
        try (ChangeLogReader reader = ChangeLogReader.open(data))
        {
            reader.pollAll(table::apply);
        }
        return table;
    }

    private static void delete(final Path directory) throws IOException
    {
        if (Files.exists(directory))
        {
            final List<Path> files;
            try (var walk = Files.walk(directory))
            {
                files = new ArrayList<>(walk.toList());
            }
            for (int i = files.size() - 1; i >= 0; i--)
            {
                Files.delete(files.get(i));
            }
        }
    }
}
