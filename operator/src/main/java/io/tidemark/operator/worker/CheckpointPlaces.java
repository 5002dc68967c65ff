package io.tidemark.operator.worker;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import io.tidemark.ingest.order.OrderMark;
import io.tidemark.operator.Tally;
import io.tidemark.operator.clock.Clocks;
import io.tidemark.operator.spec.PipelineSpec;
import io.tidemark.store.snapshot.CheckpointDirectory;
import io.tidemark.store.snapshot.Manifest;
import io.tidemark.store.snapshot.SnapshotException;
import org.agrona.concurrent.UnsafeBuffer;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

/**
 * Places in the order at which the clocks are known, because a checkpoint was taken there: for those who read raw logs
 * and need not begin at their start. Reads manifests only, no state.
 */
public final class CheckpointPlaces
{
    /**
     * A place.
     *
     * @param mark   in the order.
     * @param clocks as they stood there; the reader's own.
     */
    public record Place(OrderMark mark, Clocks clocks)
    {
    }

    private CheckpointPlaces()
    {
    }

    /**
     * All places up to a position.
     *
     * @param resultsDirectory of the pipeline.
     * @param spec             of the pipeline.
     * @param lastPosition     of those that are wanted.
     * @return the newest first; checkpoints that cannot be read, or are taken away meanwhile, are left out.
     */
    public static List<Place> upTo(final Path resultsDirectory, final PipelineSpec spec, final long lastPosition)
    {
        final CheckpointDirectory directory = new CheckpointDirectory(resultsDirectory);
        final List<Place> places = new ArrayList<>();
        for (final long position : directory.positions())
        {
            if (position <= lastPosition)
            {
                try
                {
                    places.add(place(directory.manifest(position), spec));
                }
                catch (final SnapshotException ignored)
                {
                    // An older place, or the start of the logs, is as good.
                }
            }
        }
        places.sort((a, b) -> Long.compare(b.mark().position(), a.mark().position()));
        return places;
    }

    /**
     * Position of the newest checkpoint, whether it can be read or not.
     *
     * @param resultsDirectory of the pipeline.
     * @return 0 where there is none.
     */
    public static long newestPosition(final Path resultsDirectory)
    {
        return new CheckpointDirectory(resultsDirectory).positions().stream().findFirst().orElse(0L);
    }

    /** The registers of every operator begin with its tally and its clocks. */
    private static Place place(final Manifest manifest, final PipelineSpec spec)
    {
        final UnsafeBuffer registers = new UnsafeBuffer(manifest.registers().copy());
        final Clocks clocks = Clocks.of(spec);
        final int tally = new Tally().restore(registers, Integer.BYTES);
        final int length = tally + clocks.restore(registers, Integer.BYTES + tally);
        if (length != registers.getInt(0, LITTLE_ENDIAN))
        {
            throw new SnapshotException("checkpoint " + manifest.position() + " has registers of another layout");
        }
        return new Place(CheckpointMarks.place(manifest, spec.topology(), clocks), clocks);
    }
}
