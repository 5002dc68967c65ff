package io.tidemark.sink.repair;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import io.tidemark.ingest.log.CrashPoint;
import io.tidemark.sink.candidate.Candidate;

/**
 * The candidates of a pipeline, {@code repair/candidates} in the directory of its results: one file each, which gets
 * its name when all of it is there and synced. A file whose content is not what its digest says is refused.
 */
public final class CandidateStore
{
    private static final String SUFFIX = ".json";
    private static final String UNFINISHED = ".tmp";

    private final Path directory;
    private final int slots;

    /**
     * @param resultsDirectory of the pipeline.
     * @param slots            of the pipeline.
     */
    public CandidateStore(final Path resultsDirectory, final int slots)
    {
        directory = resultsDirectory.resolve("repair").resolve("candidates");
        this.slots = slots;
    }

    /**
     * All candidates by number. What a process that died left half written is passed over.
     *
     * @return a new list.
     * @throws RepairException when a file is damaged.
     */
    public List<Candidate> all()
    {
        final List<Candidate> candidates = new ArrayList<>();
        numbers().forEach(number -> candidates.add(read(number)));
        return candidates;
    }

    /**
     * One candidate.
     *
     * @param number of it.
     * @return the candidate.
     * @throws RepairException when there is none, or its file is damaged.
     */
    public Candidate read(final long number)
    {
        final Path file = fileOf(number);
        if (!Files.exists(file))
        {
            throw new RepairException("there is no candidate " + number +
                (numbers().isEmpty() ? "; 'tidemark repair run' builds them" : "; there are " + numbers()));
        }
        final Candidate candidate;
        try
        {
            candidate = CandidateJson.read(Files.readAllBytes(file));
        }
        catch (final IOException | RuntimeException ex)
        {
            throw new RepairException(file + " cannot be read: " + ex.getMessage() +
                "; remove it, and 'tidemark repair run' builds it again", ex);
        }
        if (candidate.number() != number || !digestOf(candidate).equals(candidate.digest()))
        {
            throw new RepairException(file + " is damaged: its content is not what its digest says; remove it, and " +
                "'tidemark repair run' builds it again");
        }
        return candidate;
    }

    /** What would be published, in records. */
    List<byte[]> records(final Candidate candidate)
    {
        return new CandidateRecords().encode(
            candidate.draft(), candidate.rule(), candidate.baseGeneration(), slots);
    }

    String digestOf(final Candidate candidate)
    {
        return CandidateRecords.digest(records(candidate));
    }

    /** Keeps a candidate under its number; the digest is filled in. */
    Candidate write(final Candidate candidate)
    {
        final Candidate digested = new Candidate(
            candidate.number(), candidate.position(), candidate.leftClock(), candidate.rightClock(),
            candidate.baseGeneration(), candidate.rule(), candidate.read(), candidate.draft(),
            candidate.complaints(), digestOf(candidate));
        final Path file = fileOf(candidate.number());
        final Path unfinished = file.resolveSibling(file.getFileName() + UNFINISHED);
        try
        {
            Files.createDirectories(directory);
            Files.write(unfinished, CandidateJson.write(digested));
            try (FileChannel channel = FileChannel.open(unfinished, StandardOpenOption.WRITE))
            {
                channel.force(true);
            }
            CrashPoint.hit("repair.candidate-unnamed");
            Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(
                "cannot write " + file + "; check space and permissions of the data directory", ex);
        }
        CrashPoint.hit("repair.candidate-kept");
        return digested;
    }

    long nextNumber()
    {
        final List<Long> numbers = numbers();
        return numbers.isEmpty() ? 1 : numbers.get(numbers.size() - 1) + 1;
    }

    private Path fileOf(final long number)
    {
        return directory.resolve(number + SUFFIX);
    }

    private List<Long> numbers()
    {
        if (!Files.isDirectory(directory))
        {
            return List.of();
        }
        try (Stream<Path> files = Files.list(directory))
        {
            return files.map(file -> file.getFileName().toString())
                .filter(name -> name.matches("[1-9][0-9]{0,17}\\" + SUFFIX))
                .map(name -> Long.parseLong(name.substring(0, name.length() - SUFFIX.length())))
                .sorted().toList();
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException("cannot read " + directory, ex);
        }
    }
}
