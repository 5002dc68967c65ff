package io.tidemark.sink.repair;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

import io.tidemark.ingest.log.Log;
import io.tidemark.ingest.log.LogTailer;
import io.tidemark.operator.change.ChangeSetDecoder;
import io.tidemark.sink.Utf8;

/**
 * The repairs that were published, as the change log has them up to a position.
 */
public final class Publications
{
    /**
     * A published repair.
     *
     * @param generation     that it began.
     * @param baseGeneration that it was built on.
     * @param position       at which it was published.
     * @param digest         of its candidate, in hexadecimal digits.
     * @param key            that it concerns.
     * @param late           late events that it put right.
     * @param retractions    rows that went.
     * @param insertions     rows that came.
     */
    public record Publication(
        long generation,
        long baseGeneration,
        long position,
        String digest,
        Utf8 key,
        long late,
        long retractions,
        long insertions)
    {
    }

    private final List<Publication> list = new ArrayList<>();
    private final Map<Long, Long> generationOfLate = new HashMap<>();
    private final Map<String, Publication> byDigest = new HashMap<>();

    private Publications()
    {
    }

    /**
     * Reads the change log.
     *
     * @param resultsDirectory of the pipeline.
     * @param lastPosition     of those that count.
     * @return what was published up to it.
     */
    public static Publications read(final Path resultsDirectory, final long lastPosition)
    {
        final Publications publications = new Publications();
        final Path directory = resultsDirectory.resolve("changes");
        if (Log.exists(directory))
        {
            try (Log log = Log.openReadOnly(directory); LogTailer tailer = log.tailer())
            {
                publications.read(tailer, lastPosition);
            }
        }
        return publications;
    }

    private void read(final LogTailer tailer, final long lastPosition)
    {
        final ChangeSetDecoder decoder = new ChangeSetDecoder();
        final List<Long> late = new ArrayList<>();
        final long[] counts = new long[2];
        while (tailer.poll())
        {
            if (!ChangeSetDecoder.isRepair(tailer.buffer(), tailer.offset()))
            {
                continue;
            }
            decoder.wrap(tailer.buffer(), tailer.offset());
            if (decoder.position() > lastPosition)
            {
                return;
            }
            for (int i = 0; i < decoder.lateEvents(); i++)
            {
                late.add(decoder.lateEvent(i));
            }
            while (decoder.next())
            {
                counts[decoder.isRetraction() ? 0 : 1]++;
            }
            if (!decoder.hasMore())
            {
                add(decoder, late, counts);
                late.clear();
                counts[0] = 0;
                counts[1] = 0;
            }
        }
    }

    private void add(final ChangeSetDecoder decoder, final List<Long> late, final long[] counts)
    {
        final Publication publication = new Publication(
            decoder.generation(), decoder.baseGeneration(), decoder.position(),
            HexFormat.of().formatHex(decoder.digest()), Utf8.of(decoder.key()), late.size(), counts[0], counts[1]);
        list.add(publication);
        byDigest.put(publication.digest(), publication);
        late.forEach(position -> generationOfLate.put(position, publication.generation()));
    }

    /**
     * All of them, in order.
     *
     * @return not to be changed.
     */
    public List<Publication> list()
    {
        return List.copyOf(list);
    }

    /**
     * The newest generation.
     *
     * @param first generation of the table before any repair.
     * @return that of the last publication, or {@code first}.
     */
    public long newestGeneration(final long first)
    {
        return list.isEmpty() ? first : list.get(list.size() - 1).generation();
    }

    /**
     * The publication of a candidate.
     *
     * @param digest of the candidate.
     * @return null when it was not published.
     */
    public Publication ofDigest(final String digest)
    {
        return byDigest.get(digest);
    }

    /**
     * Whether a late event was put right.
     *
     * @param position of the event.
     * @return true when a publication names it.
     */
    public boolean hasLate(final long position)
    {
        return generationOfLate.containsKey(position);
    }
}
