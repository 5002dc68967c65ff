package io.tidemark.store.snapshot;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.agrona.BufferUtil;

/**
 * What makes a checkpoint one (see the package). Immutable.
 *
 * @param position  after which it stands.
 * @param takenMs   when it was taken, milliseconds since the epoch; for people only.
 * @param requests  how many requests were dealt with up to there.
 * @param madeWith  the settings that decide results, in whatever form their owner compares them.
 * @param registers what the operator keeps beside its slots.
 * @param logs      where each log stands.
 * @param files     that hold its pages, oldest first.
 * @param slots     the slots that exist, by number.
 */
public record Manifest(
    long position,
    long takenMs,
    long requests,
    String madeWith,
    Bytes registers,
    List<LogMark> logs,
    List<PageFile> files,
    List<SlotDigest> slots)
{
    /**
     * Bytes that are never changed.
     */
    public static final class Bytes
    {
        private final byte[] bytes;

        /**
         * Copies them.
         *
         * @param bytes to copy.
         */
        public Bytes(final byte[] bytes)
        {
            this.bytes = bytes.clone();
        }

        /**
         * A copy.
         *
         * @return all of them.
         */
        public byte[] copy()
        {
            return bytes.clone();
        }

        /**
         * How many.
         *
         * @return bytes.
         */
        public int length()
        {
            return bytes.length;
        }

        /** All of them, hexadecimal. */
        @Override
        public String toString()
        {
            return HexFormat.of().formatHex(bytes);
        }

        @Override
        public boolean equals(final Object other)
        {
            return other instanceof final Bytes that && Arrays.equals(bytes, that.bytes);
        }

        @Override
        public int hashCode()
        {
            return Arrays.hashCode(bytes);
        }
    }

    /**
     * Copies the lists.
     */
    public Manifest
    {
        logs = List.copyOf(logs);
        files = List.copyOf(files);
        slots = List.copyOf(slots);
    }

    /**
     * The same checkpoint in other files.
     *
     * @param others that hold its pages.
     * @return a manifest that names them.
     */
    Manifest withFiles(final List<PageFile> others)
    {
        return new Manifest(position, takenMs, requests, madeWith, registers, logs, others, slots);
    }

    /**
     * Where a log stands.
     *
     * @param name of the log.
     * @return its mark.
     * @throws SnapshotException when there is none.
     */
    public LogMark log(final String name)
    {
        for (final LogMark log : logs)
        {
            if (log.name().equals(name))
            {
                return log;
            }
        }
        throw new SnapshotException("checkpoint " + position + " does not say where log " + name +
            " stands; it was taken with other streams");
    }

    /**
     * Bytes of all files.
     *
     * @return bytes.
     */
    public long bytes()
    {
        return files.stream().mapToLong(PageFile::bytes).sum();
    }

    /**
     * Pages of all slots.
     *
     * @return pages.
     */
    public long pages()
    {
        return slots.stream().mapToLong(SlotDigest::pages).sum();
    }

    /**
     * One digest over the whole state: the slots and the registers, and nothing of how they are stored.
     *
     * @return 32 hexadecimal digits.
     */
    public String stateDigest()
    {
        final ByteBuffer all = ByteBuffer.allocateDirect(registers.length() + slots.size() * 24 + 8);
        all.put(registers.copy());
        for (final SlotDigest slot : slots)
        {
            all.putInt(slot.slot()).putInt(slot.pages()).putLong(slot.high()).putLong(slot.low());
        }
        return new Digest().of(BufferUtil.address(all), all.position(), registers.length()).text();
    }
}
