package io.tidemark.ingest.order;

import io.tidemark.ingest.codec.BarrierRequestDecoder;
import io.tidemark.ingest.codec.MessageHeaderDecoder;
import io.tidemark.ingest.codec.PublicationDecoder;
import io.tidemark.ingest.log.LogTailer;

/**
 * Reads the control log for the sequencer: one request at a time, a publication when all its parts are there. A
 * publication whose writer died in the middle is passed over when another request follows.
 */
final class ControlRequests
{
    /** What has been asked for next. */
    enum Kind
    {
        /** Nothing, as yet. */
        NONE,
        /** A barrier. */
        BARRIER,
        /** A publication. */
        PUBLICATION
    }

    private final LogTailer records;
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final PublicationDecoder publication = new PublicationDecoder();
    private long settled;
    private long first;
    private long candidate;
    private long digestHigh;
    private long digestLow;
    private int parts;
    private int expectedPart;

    /**
     * @param records a tailer of the control log.
     * @param settled how many of its records have been dealt with.
     */
    ControlRequests(final LogTailer records, final long settled)
    {
        this.records = records;
        this.settled = settled;
        records.moveBefore(settled);
    }

    /**
     * Goes on to the next request. What it is counts as settled with {@link #settle()}.
     */
    Kind next()
    {
        while (records.poll())
        {
            header.wrap(records.buffer(), records.offset());
            if (header.schemaId() == BarrierRequestDecoder.SCHEMA_ID)
            {
                if (header.templateId() == BarrierRequestDecoder.TEMPLATE_ID)
                {
                    expectedPart = 0;
                    return Kind.BARRIER;
                }
                if (header.templateId() == PublicationDecoder.TEMPLATE_ID && isCompletedByPart())
                {
                    expectedPart = 0;
                    return Kind.PUBLICATION;
                }
            }
        }
        return Kind.NONE;
    }

    /** The request that {@link #next()} returned has its place in the order. */
    void settle()
    {
        settled = records.number() + 1;
    }

    /** How many records of the control log have been dealt with. */
    long settled()
    {
        return settled;
    }

    /** Number of the first record of the publication. */
    long first()
    {
        return first;
    }

    /** How many records the publication has. */
    int parts()
    {
        return parts;
    }

    private boolean isCompletedByPart()
    {
        publication.wrapAndApplyHeader(records.buffer(), records.offset(), header);
        final int part = (int)publication.part();
        if (part == 0)
        {
            first = records.number();
            candidate = publication.candidate();
            digestHigh = publication.digestHigh();
            digestLow = publication.digestLow();
            parts = (int)publication.parts();
            expectedPart = 0;
        }
        else if (part != expectedPart || publication.candidate() != candidate || publication.parts() != parts ||
            publication.digestHigh() != digestHigh || publication.digestLow() != digestLow)
        {
            expectedPart = 0;
            return false;
        }
        expectedPart++;
        return expectedPart == parts;
    }
}
