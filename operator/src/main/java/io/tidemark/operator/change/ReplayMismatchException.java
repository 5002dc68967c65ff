package io.tidemark.operator.change;

import org.agrona.DirectBuffer;

import java.nio.file.Path;

/**
 * A replay made another record than the log holds. Either the log, the code or a setting is not the one of the earlier
 * run; nothing was written.
 */
public final class ReplayMismatchException extends RuntimeException
{
    private static final int SHOWN_BYTES = 1024;

    private final transient Path directory;
    private final long number;
    private final long index;
    private final byte[] recorded;
    private final byte[] replayed;

    ReplayMismatchException(
        final Path directory,
        final long number,
        final long index,
        final DirectBuffer recorded,
        final int recordedOffset,
        final int recordedLength,
        final DirectBuffer replayed,
        final int replayedOffset,
        final int replayedLength)
    {
        super("replay differs from record " + number + " (index 0x" + Long.toHexString(index) + ") of " + directory +
            (replayed == null ?
                ", which this run did not make" :
                " at byte " +
                    mismatch(recorded, recordedOffset, recordedLength, replayed, replayedOffset, replayedLength)) +
            ". Nothing was written; run the version and configuration that wrote the log.\n" +
            "recorded: " + hex(recorded, recordedOffset, recordedLength) +
            (replayed == null ? "" : "\nreplayed: " + hex(replayed, replayedOffset, replayedLength)));
        this.directory = directory;
        this.number = number;
        this.index = index;
        this.recorded = copy(recorded, recordedOffset, recordedLength);
        this.replayed = copy(replayed, replayedOffset, replayedLength);
    }

    /**
     * The log that differs.
     *
     * @return its directory.
     */
    public Path directory()
    {
        return directory;
    }

    /**
     * The record that differs.
     *
     * @return its ordinal in the log.
     */
    public long number()
    {
        return number;
    }

    /**
     * The record that differs.
     *
     * @return its queue index.
     */
    public long index()
    {
        return index;
    }

    /**
     * What the log holds.
     *
     * @return the whole record.
     */
    public byte[] recorded()
    {
        return recorded.clone();
    }

    /**
     * What the replay made.
     *
     * @return the whole record, empty when it made none.
     */
    public byte[] replayed()
    {
        return replayed.clone();
    }

    private static byte[] copy(final DirectBuffer buffer, final int offset, final int length)
    {
        final byte[] copy = new byte[length];
        if (buffer != null)
        {
            buffer.getBytes(offset, copy);
        }
        return copy;
    }

    private static int mismatch(
        final DirectBuffer a, final int aOffset, final int aLength,
        final DirectBuffer b, final int bOffset, final int bLength)
    {
        final int length = Math.min(aLength, bLength);
        int i = 0;
        while (i < length && (isChecksum(i) || a.getByte(aOffset + i) == b.getByte(bOffset + i)))
        {
            i++;
        }
        return i;
    }

    /** The checksum differs wherever anything does. */
    private static boolean isChecksum(final int i)
    {
        return i >= 13 && i < 16;
    }

    private static String hex(final DirectBuffer buffer, final int offset, final int length)
    {
        final StringBuilder hex = new StringBuilder();
        for (int i = 0; i < Math.min(length, SHOWN_BYTES); i++)
        {
            final int b = buffer.getByte(offset + i) & 0xFF;
            hex.append(Character.forDigit(b >> 4, 16)).append(Character.forDigit(b & 15, 16));
        }
        return hex.append(length > SHOWN_BYTES ? "..." : "").append(" (").append(length).append(" bytes)").toString();
    }
}
