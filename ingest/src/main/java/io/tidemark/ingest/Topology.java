package io.tidemark.ingest;

import java.util.List;

/**
 * The streams of a pipeline and their partitions, in the order of the configuration. A <em>stream</em> is known by its
 * ordinal there; a <em>source</em> is one partition of one, with a source log of its own, known by its ordinal stream
 * by stream and partition by partition. That order breaks ties of arrival (SEMANTICS.md section 2). Immutable.
 */
public final class Topology
{
    /**
     * Most sources of a pipeline: the order log keeps a source in 16 bits, unsigned.
     */
    public static final int MAX_SOURCES = 65_535;

    private final String[] names;
    private final int[] firstSources;
    private final int[] streamOfSource;

    private Topology(final List<StreamSpec> streams)
    {
        final int count = streams.size();
        names = new String[count];
        firstSources = new int[count + 1];
        for (int stream = 0; stream < count; stream++)
        {
            final StreamSpec spec = streams.get(stream);
            names[stream] = spec.name();
            firstSources[stream + 1] = Math.addExact(firstSources[stream], spec.partitions());
        }
        if (count == 0 || firstSources[count] > MAX_SOURCES)
        {
            throw new IllegalArgumentException("a pipeline has one stream at least and " + MAX_SOURCES +
                " partitions at most: streams=" + count + ", partitions=" + firstSources[count]);
        }
        streamOfSource = new int[firstSources[count]];
        for (int source = 0, stream = 0; source < streamOfSource.length; source++)
        {
            while (source >= firstSources[stream + 1])
            {
                stream++;
            }
            streamOfSource[source] = stream;
        }
    }

    /**
     * @param streams in the order of the configuration.
     * @return the topology.
     * @throws IllegalArgumentException when a name appears twice, or there are none or too many.
     */
    public static Topology of(final List<StreamSpec> streams)
    {
        if (streams.stream().map(StreamSpec::name).distinct().count() != streams.size())
        {
            throw new IllegalArgumentException("a stream is named twice: " + streams);
        }
        return new Topology(streams);
    }

    /**
     * @return number of sources.
     */
    public int sources()
    {
        return streamOfSource.length;
    }

    /**
     * @return number of streams.
     */
    public int streams()
    {
        return names.length;
    }

    /**
     * @param stream    ordinal.
     * @param partition 0-based.
     * @return the source's ordinal.
     * @throws IllegalArgumentException when the stream has no such partition.
     */
    public int sourceOf(final int stream, final int partition)
    {
        if (partition < 0 || partition >= partitions(stream))
        {
            throw new IllegalArgumentException("stream " + names[stream] + " has partitions 0 to " +
                (partitions(stream) - 1) + ": partition=" + partition);
        }
        return firstSources[stream] + partition;
    }

    /**
     * @param source ordinal.
     * @return ordinal of its stream.
     */
    public int streamOf(final int source)
    {
        return streamOfSource[source];
    }

    /**
     * @param source ordinal.
     * @return its partition in its stream, 0-based.
     */
    public int partitionOf(final int source)
    {
        return source - firstSources[streamOfSource[source]];
    }

    /**
     * @param name of a stream.
     * @return its ordinal, -1 when there is none of that name.
     */
    public int streamIndex(final String name)
    {
        for (int stream = 0; stream < names.length; stream++)
        {
            if (names[stream].equals(name))
            {
                return stream;
            }
        }
        return -1;
    }

    /**
     * @param stream ordinal.
     * @return its name.
     */
    public String streamName(final int stream)
    {
        return names[stream];
    }

    /**
     * @param stream ordinal.
     * @return number of its partitions.
     */
    public int partitions(final int stream)
    {
        return firstSources[stream + 1] - firstSources[stream];
    }

    /**
     * @param source ordinal.
     * @return {@code stream-partition}: the name of its log's directory.
     */
    public String sourceName(final int source)
    {
        return names[streamOfSource[source]] + "-" + partitionOf(source);
    }
}
