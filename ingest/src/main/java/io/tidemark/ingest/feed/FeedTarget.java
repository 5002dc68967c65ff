package io.tidemark.ingest.feed;

import io.tidemark.ingest.Topology;

import java.nio.charset.StandardCharsets;

/**
 * Where the lines of one feed may go: the streams there are, the names that each stream's feeds use, and the one stream
 * that the user has named for this feed, if any. Immutable.
 */
final class FeedTarget
{
    static final int ANY_STREAM = -1;

    private final Topology topology;
    private final FeedRules rules;
    private final ColumnMapping[] mappings;
    private final byte[][] streamNames;
    private final int onlyStream;

    FeedTarget(
        final Topology topology, final FeedRules rules, final ColumnMapping[] mappings, final int onlyStream)
    {
        this.topology = topology;
        this.rules = rules;
        this.mappings = mappings;
        this.onlyStream = onlyStream;
        streamNames = new byte[topology.streams()][];
        for (int stream = 0; stream < streamNames.length; stream++)
        {
            streamNames[stream] = topology.streamName(stream).getBytes(StandardCharsets.UTF_8);
        }
    }

    Topology topology()
    {
        return topology;
    }

    FeedRules rules()
    {
        return rules;
    }

    ColumnMapping mapping(final int stream)
    {
        return mappings[stream];
    }

    /** The stream that the user has named for the whole feed, or {@link #ANY_STREAM}. */
    int onlyStream()
    {
        return onlyStream;
    }

    boolean takes(final int stream)
    {
        return onlyStream == ANY_STREAM || onlyStream == stream;
    }

    /** The stream that a column of a row names, -1 when there is none. */
    int streamNamed(final RawRow row, final int column)
    {
        for (int stream = 0; stream < streamNames.length; stream++)
        {
            if (row.is(column, streamNames[stream]))
            {
                return stream;
            }
        }
        return -1;
    }

    String streamList()
    {
        final StringBuilder list = new StringBuilder();
        for (int stream = 0; stream < streamNames.length; stream++)
        {
            list.append(stream == 0 ? "" : ", ").append(topology.streamName(stream));
        }
        return list.toString();
    }
}
