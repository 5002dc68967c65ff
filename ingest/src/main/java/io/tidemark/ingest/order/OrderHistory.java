package io.tidemark.ingest.order;

import io.tidemark.ingest.codec.MessageHeaderDecoder;
import io.tidemark.ingest.codec.RunsDecoder;
import io.tidemark.ingest.log.Log;
import io.tidemark.ingest.log.LogException;
import io.tidemark.ingest.log.LogTailer;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.zip.CRC32;

import static java.nio.ByteOrder.LITTLE_ENDIAN;
import static java.nio.charset.StandardCharsets.ISO_8859_1;

/**
 * How far back the order and the logs that it orders reach. The oldest files of all of them are taken away together;
 * the file {@code pruned} in the data directory names the first day that stays before any file goes, with a checksum:
 * a day that was misread would take away what is needed. So it can be told for ever whether what is missing was taken
 * away, which is in order, or was lost.
 */
public final class OrderHistory
{
    /** Name of the file in the data directory. */
    public static final String MARKER = "pruned";

    /** What {@link #firstDay} shows where nothing was taken away. */
    public static final int WHOLE = -1;

    private static final int FIRST_POSITION =
        MessageHeaderDecoder.ENCODED_LENGTH + RunsDecoder.firstPositionEncodingOffset();

    private OrderHistory()
    {
    }

    /**
     * The first day that has not been taken away, nor is about to be.
     *
     * @param dataDirectory of the pipeline.
     * @return days since the epoch, or {@link #WHOLE}.
     * @throws LogException when the marker is damaged.
     */
    public static int firstDay(final Path dataDirectory)
    {
        final Path marker = dataDirectory.resolve(MARKER);
        if (!Files.exists(marker))
        {
            return WHOLE;
        }
        try
        {
            final String text = Files.readString(marker, ISO_8859_1).strip();
            final int blank = text.indexOf(' ');
            if (blank > 0 && text.substring(blank + 1).equals(checksum(text.substring(0, blank))))
            {
                return Integer.parseInt(text.substring(0, blank));
            }
            throw new LogException("file " + marker + " is damaged; delete it: nothing is lost by that, and old " +
                "queue files are taken away another time");
        }
        catch (final IOException ex)
        {
            throw new LogException("file " + marker + " cannot be read (" + ex + "); check its permissions", ex);
        }
    }

    /**
     * Remembers that everything before a day is going to be taken away. It is on the disk when this returns.
     *
     * @param dataDirectory of the pipeline.
     * @param firstDay      that stays.
     */
    public static void prunedBefore(final Path dataDirectory, final int firstDay)
    {
        final Path marker = dataDirectory.resolve(MARKER);
        final Path temporary = dataDirectory.resolve(MARKER + ".tmp");
        final String day = Integer.toString(firstDay);
        try (FileChannel channel = FileChannel.open(temporary, StandardOpenOption.CREATE, StandardOpenOption.WRITE,
            StandardOpenOption.TRUNCATE_EXISTING))
        {
            channel.write(ByteBuffer.wrap((day + " " + checksum(day) + "\n").getBytes(ISO_8859_1)));
            channel.force(true);
            Files.move(temporary, marker, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        }
        catch (final IOException ex)
        {
            throw new LogException("file " + marker + " cannot be written (" + ex + "); make room or check its " +
                "permissions, and start again: nothing is lost", ex);
        }
    }

    /**
     * The first position that the order log still has.
     *
     * @param orderLog of the pipeline.
     * @return 1 when it is whole, or empty.
     */
    public static long firstPosition(final Log orderLog)
    {
        try (LogTailer tailer = orderLog.tailer())
        {
            return tailer.toOldest() == 0 || !tailer.poll() ? 1 :
                tailer.buffer().getLong(tailer.offset() + FIRST_POSITION, LITTLE_ENDIAN);
        }
    }

    /**
     * Refuses to begin at the start of the logs when that was taken away. What was lost otherwise is left to whoever
     * finds it missing.
     *
     * @param dataDirectory of the pipeline.
     * @param orderLog      of the pipeline.
     * @param what          needs it, as the subject of a sentence.
     * @param instead       what can be done instead.
     * @throws OrderException saying so.
     */
    public static void requireStart(
        final Path dataDirectory, final Log orderLog, final String what, final String instead)
    {
        if (firstDay(dataDirectory) != WHOLE)
        {
            final long first = firstPosition(orderLog);
            // Sources may have been pruned of records that the order has not: they are older than their positions.
            final String pruned =
                first == 1 ? "their oldest records were" : "what came before position " + first + " was";
            throw new OrderException(what + " needs the logs in " + dataDirectory + " from their start, but " + pruned +
                " pruned, being older than 'repair.horizon'; " + instead);
        }
    }

    private static String checksum(final String text)
    {
        final CRC32 crc = new CRC32();
        crc.update(text.getBytes(ISO_8859_1));
        return Long.toHexString(crc.getValue());
    }
}
