package io.tidemark.ingest.log;

import net.openhft.chronicle.queue.ChronicleQueue;
import net.openhft.chronicle.queue.ExcerptAppender;
import net.openhft.chronicle.queue.impl.single.SingleChronicleQueueBuilder;
import net.openhft.chronicle.wire.DocumentContext;

import java.io.IOException;
import java.nio.file.Path;

/**
 * Holds an append open, half of it written, until it is killed.
 */
public final class HangInAppend
{
    private HangInAppend()
    {
    }

    /**
     * @param args directory of a log.
     * @throws IOException never.
     */
    public static void main(final String[] args) throws IOException
    {
        try (ChronicleQueue queue = SingleChronicleQueueBuilder.binary(Path.of(args[0]))
            .rollCycle(Log.ROLL_CYCLE).blockSize(Log.BLOCK_SIZE).build();
            ExcerptAppender appender = queue.createAppender();
            DocumentContext context = appender.writingDocument())
        {
            context.wire().bytes().write(new byte[] {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18});
            System.out.println("inside");
            System.in.read();
        }
    }
}
