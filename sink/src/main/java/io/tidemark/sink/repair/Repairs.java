package io.tidemark.sink.repair;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;

import io.tidemark.ingest.log.CrashPoint;
import io.tidemark.ingest.log.RetentionHold;
import io.tidemark.ingest.order.ControlLog;
import io.tidemark.operator.spec.PipelineSpec;
import io.tidemark.operator.spec.SessionRule;
import io.tidemark.sink.LateEntry;
import io.tidemark.sink.OutcomeLogs;
import io.tidemark.sink.ResultRow;
import io.tidemark.sink.Utf8;
import io.tidemark.sink.candidate.Candidate;
import io.tidemark.sink.candidate.Draft;
import io.tidemark.sink.repair.build.JoinBuilder;
import io.tidemark.sink.repair.build.KeyHistory;
import io.tidemark.sink.repair.build.SessionBuilder;
import io.tidemark.sink.verify.RepairCheck;
import org.agrona.concurrent.EpochClock;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The repairs of one pipeline (SEMANTICS.md section 8). Reads logs beside a pipeline that may be running, and keeps
 * candidates; it changes no table.
 */
public final class Repairs
{
    /**
     * What a look at the queue has brought.
     *
     * @param position   as of which.
     * @param leftClock  {@code A(left)} there, of sessions {@code A}.
     * @param rightClock {@code A(right)} there.
     * @param candidates that were built and kept, judged.
     * @param waiting    regions that the live path can still touch.
     */
    public record Built(
        long position, long leftClock, long rightClock, List<Candidate> candidates, List<Draft> waiting)
    {
    }

    private final PipelineSpec spec;
    private final Path dataDirectory;
    private final Path resultsDirectory;
    private final long firstGeneration;
    private final long horizonNs;
    private final CandidateStore store;

    /**
     * @param spec             of the pipeline.
     * @param dataDirectory    that has its source, order and control logs.
     * @param resultsDirectory that has its change, late and reject logs.
     * @param firstGeneration  that the table begins with.
     * @param horizonNs        how far back from the largest time an event can be repaired.
     */
    public Repairs(
        final PipelineSpec spec,
        final Path dataDirectory,
        final Path resultsDirectory,
        final long firstGeneration,
        final long horizonNs)
    {
        this.spec = spec;
        this.dataDirectory = dataDirectory;
        this.resultsDirectory = resultsDirectory;
        this.firstGeneration = firstGeneration;
        this.horizonNs = horizonNs;
        store = new CandidateStore(resultsDirectory, spec.slots());
    }

    /**
     * The candidates that are kept.
     *
     * @return the store.
     */
    public CandidateStore candidates()
    {
        return store;
    }

    /**
     * What was published so far.
     *
     * @return in order.
     */
    public Publications publications()
    {
        return Publications.read(resultsDirectory, Long.MAX_VALUE);
    }

    /**
     * All late events with their states.
     *
     * @return as of now.
     */
    public RepairQueue queue()
    {
        final long position = ResultsPosition.of(resultsDirectory);
        return new RepairQueue(late(position), Publications.read(resultsDirectory, position), store.all(), horizonNs,
            () -> new RawScan(spec, Map.of(), Set.of(), Set.of())
                .readLargestTime(dataDirectory, resultsDirectory, position).largestTime());
    }

    /**
     * Builds, judges and keeps candidates for all regions that the live path has left and that have a wanted event.
     *
     * @param wanted tells the late events to repair.
     * @return what came of it.
     */
    public Built build(final Predicate<LateEntry> wanted)
    {
        return build(wanted, this::draft);
    }

    /** With another builder, which a test may have made a bad one. */
    Built build(final Predicate<LateEntry> wanted, final Function<KeyHistory, List<Draft>> builder)
    {
        final RetentionHold hold = RetentionHold.acquire(dataDirectory);
        try
        {
            return buildFromWhatIsHeld(wanted, builder);
        }
        finally
        {
            hold.close();
        }
    }

    private Built buildFromWhatIsHeld(
        final Predicate<LateEntry> wanted, final Function<KeyHistory, List<Draft>> builder)
    {
        final long position = ResultsPosition.of(resultsDirectory);
        final Publications publications = Publications.read(resultsDirectory, position);
        final List<LateEntry> late = late(position);
        final List<Candidate> kept = store.all();
        // Whether they have expired shows when the logs have been read.
        final List<LateEntry> open = new RepairQueue(late, publications, kept, Long.MAX_VALUE, () -> 0).items()
            .stream().filter(item -> item.state().isOpen()).map(RepairQueue.Item::event).toList();
        final Set<Utf8> keys = new HashSet<>();
        open.stream().filter(wanted).forEach(event -> keys.add(event.key()));
        final RepairInput input = new RepairInput(spec, dataDirectory, resultsDirectory, position, horizonNs);
        input.read(keys, late, open);

        final List<Draft> due = new ArrayList<>();
        final List<Draft> waiting = new ArrayList<>();
        final Set<Long> wantedPositions = new HashSet<>();
        open.stream().filter(wanted).forEach(event -> wantedPositions.add(event.position()));
        input.histories().forEach(history -> builder.apply(history).stream()
            .filter(draft -> draft.region().late().stream().anyMatch(wantedPositions::contains))
            .forEach(draft -> (draft.isDue(input.leftClock(), input.rightClock()) ? due : waiting).add(draft)));
        final List<List<String>> complaints = judge(due, input, position);
        return new Built(position, input.leftClock(), input.rightClock(),
            keep(due, complaints, input, publications, kept), waiting);
    }

    /**
     * Asks for the publication of a candidate, in the control log. Whether it comes about shows in
     * {@link #publications}: not when another publication comes first, or this one did already.
     *
     * @param candidate valid, and with something to change.
     * @param clock     milliseconds since the epoch.
     * @return number of the request in the control log.
     */
    public long request(final Candidate candidate, final EpochClock clock)
    {
        if (!candidate.isValid() || candidate.draft().isEmpty())
        {
            throw new RepairException("candidate " + candidate.number() + " " +
                (candidate.isValid() ? "changes nothing" : "is not valid: " + candidate.complaints().get(0)) +
                "; it cannot be published");
        }
        final UnsafeBuffer content = CandidateRecords.pack(store.records(candidate));
        final byte[] digest = HexFormat.of().parseHex(candidate.digest());
        final UnsafeBuffer halves = new UnsafeBuffer(digest);
        CrashPoint.hit("repair.before-request");
        final long request;
        try (ControlLog control = ControlLog.open(dataDirectory, clock))
        {
            request = control.requestPublication(
                candidate.number(), halves.getLong(0), halves.getLong(Long.BYTES), content, 0, content.capacity());
        }
        CrashPoint.hit("repair.requested");
        return request;
    }

    /**
     * Judges a candidate that is kept once more, as of now, and keeps what came of it. One that was built on an older
     * generation than the newest is built again, if its late events still wait.
     *
     * @param number of the candidate.
     * @return the candidate as it is kept now.
     * @throws RepairException when there is none, or it was published.
     */
    public Candidate renew(final long number)
    {
        final Candidate candidate = store.read(number);
        final Publications.Publication done = publications().ofDigest(candidate.digest());
        if (done != null)
        {
            throw new RepairException("candidate " + number + " was published as generation " + done.generation() +
                "; there is nothing to do");
        }
        final Set<Long> late = new HashSet<>(candidate.draft().region().late());
        final Built built = build(event -> late.contains(event.position()));
        return built.candidates().stream()
            .filter(renewed -> !Collections.disjoint(renewed.draft().region().late(), late))
            .findFirst()
            .orElseThrow(() -> new RepairException("candidate " + number + " is out of date: its late events are " +
                "closed, or have expired, or the live path can touch them again; see 'tidemark repair list'"));
    }

    private List<Candidate> keep(
        final List<Draft> due,
        final List<List<String>> complaints,
        final RepairInput input,
        final Publications publications,
        final List<Candidate> kept)
    {
        final Map<List<Long>, Candidate> known = new HashMap<>();
        kept.stream().filter(candidate -> publications.ofDigest(candidate.digest()) == null)
            .forEach(candidate -> known.put(candidate.draft().region().late(), candidate));
        long generation = publications.newestGeneration(firstGeneration);
        final List<Candidate> built = new ArrayList<>();
        for (int i = 0; i < due.size(); i++)
        {
            final Draft draft = due.get(i);
            final Candidate earlier = known.get(draft.region().late());
            final boolean takesItsPlace = earlier != null &&
                (earlier.isValid() || earlier.draft().equals(draft));
            final Candidate candidate = store.write(new Candidate(
                takesItsPlace ? earlier.number() : store.nextNumber(), input.position(), input.leftClock(),
                input.rightClock(), generation, spec.rule().version(), input.read(), draft, complaints.get(i), ""));
            built.add(candidate);
            // The next one builds on what this one will have made.
            generation += candidate.isValid() && !draft.isEmpty() ? 1 : 0;
        }
        return built;
    }

    private List<Draft> draft(final KeyHistory history)
    {
        return spec.rule() instanceof final SessionRule sessions ?
            SessionBuilder.build(sessions, history) : JoinBuilder.build(spec.join(), history);
    }

    private List<List<String>> judge(final List<Draft> drafts, final RepairInput input, final long position)
    {
        final Map<Utf8, Collection<ResultRow>> tables = input.tables();
        return drafts.isEmpty() ? List.of() : new RepairCheck(spec, dataDirectory, input.start(), position)
            .complaints(drafts, input.leftOut()::contains, key -> tables.getOrDefault(key, List.of()));
    }

    private List<LateEntry> late(final long lastPosition)
    {
        final List<LateEntry> late = new ArrayList<>();
        OutcomeLogs.forEachLate(resultsDirectory, spec.topology(), event ->
        {
            if (event.position() <= lastPosition)
            {
                late.add(event);
            }
        });
        return late;
    }
}
