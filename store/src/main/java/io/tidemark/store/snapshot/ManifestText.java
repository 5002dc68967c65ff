package io.tidemark.store.snapshot;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.agrona.BufferUtil;

/**
 * Manifests as text, a fact a line, ended by a digest over all lines before it. Version 1:
 *
 * <pre>
 *   tidemark-checkpoint 3
 *   position 1200
 *   taken 1700000000000
 *   requests 0
 *   made-with rule.type=interval-join;..       percent-encoded
 *   registers 00ff..                           hexadecimal
 *   log order 17 4f2a00000011                  name, number, index in hexadecimal
 *   file 0..1200-all.pages 81920 20 digest     name, bytes, pages, digest
 *   slot 3 20 digest                           number, pages, digest
 *   end digest
 * </pre>
 */
final class ManifestText
{
    /** Version of the format of manifests, of page files and of what is in the pages. */
    static final int VERSION = 5;

    private static final String TITLE = "tidemark-checkpoint ";
    private static final String END = "end ";

    private ManifestText()
    {
    }

    static byte[] write(final Manifest manifest)
    {
        final StringBuilder text = new StringBuilder();
        text.append(TITLE).append(VERSION).append('\n');
        text.append("position ").append(manifest.position()).append('\n');
        text.append("taken ").append(manifest.takenMs()).append('\n');
        text.append("requests ").append(manifest.requests()).append('\n');
        text.append("made-with ").append(encode(manifest.madeWith())).append('\n');
        text.append("registers ").append(hex(manifest.registers().copy())).append('\n');
        for (final LogMark log : manifest.logs())
        {
            text.append("log ").append(log.name()).append(' ').append(log.number()).append(' ')
                .append(Long.toHexString(log.index())).append('\n');
        }
        for (final PageFile file : manifest.files())
        {
            text.append("file ").append(file.name()).append(' ').append(file.bytes()).append(' ')
                .append(file.pages()).append(' ').append(Digest.text(file.digestHigh(), file.digestLow()))
                .append('\n');
        }
        for (final SlotDigest slot : manifest.slots())
        {
            text.append("slot ").append(slot.slot()).append(' ').append(slot.pages()).append(' ')
                .append(Digest.text(slot.high(), slot.low())).append('\n');
        }
        final String digest = digest(text.toString());
        return text.append(END).append(digest).append('\n').toString().getBytes(StandardCharsets.UTF_8);
    }

    /**
     * Reads a manifest.
     *
     * @throws SnapshotException saying what is wrong with it, without naming it.
     */
    static Manifest read(final byte[] bytes)
    {
        final String text = new String(bytes, StandardCharsets.UTF_8);
        final int firstEnd = text.indexOf('\n');
        if (firstEnd < 0 || !text.startsWith(TITLE))
        {
            throw new SnapshotException("does not begin as a manifest does");
        }
        final String version = text.substring(TITLE.length(), firstEnd);
        if (!version.equals(Integer.toString(VERSION)))
        {
            throw new SnapshotException("has format " + version + ", and this program knows format " + VERSION);
        }
        final int end = text.lastIndexOf("\n" + END) + 1;
        if (end == 0 || !text.endsWith("\n"))
        {
            throw new SnapshotException("ends in the middle");
        }
        if (!text.substring(end + END.length(), text.length() - 1).equals(digest(text.substring(0, end))))
        {
            throw new SnapshotException("has other content than was written: its digest does not hold");
        }
        try
        {
            return parse(text.substring(firstEnd + 1, end));
        }
        catch (final IllegalArgumentException | IndexOutOfBoundsException ex)
        {
            throw new SnapshotException("makes no sense (" + ex.getMessage() + ")", ex);
        }
    }

    private static Manifest parse(final String text)
    {
        final List<LogMark> logs = new ArrayList<>();
        final List<PageFile> files = new ArrayList<>();
        final List<SlotDigest> slots = new ArrayList<>();
        long position = -1;
        long takenMs = 0;
        long requests = 0;
        String madeWith = "";
        byte[] registers = {};
        for (final String line : text.lines().toList())
        {
            final String[] words = line.split(" ", -1);
            switch (words[0])
            {
                case "position" -> position = Long.parseLong(words[1]);
                case "taken" -> takenMs = Long.parseLong(words[1]);
                case "requests" -> requests = Long.parseLong(words[1]);
                case "made-with" -> madeWith = decode(words[1]);
                case "registers" -> registers = bytes(words[1]);
                case "log" ->
                    logs.add(new LogMark(words[1], Long.parseLong(words[2]), Long.parseUnsignedLong(words[3], 16)));
                case "file" -> files.add(new PageFile(words[1], Long.parseLong(words[2]), Long.parseLong(words[3]),
                    half(words[4], 0), half(words[4], 16)));
                case "slot" -> slots.add(new SlotDigest(Integer.parseInt(words[1]), Integer.parseInt(words[2]),
                    half(words[3], 0), half(words[3], 16)));
                default -> throw new IllegalArgumentException("unknown fact " + words[0]);
            }
        }
        return new Manifest(
            position, takenMs, requests, madeWith, new Manifest.Bytes(registers), logs, files, slots);
    }

    private static long half(final String digest, final int from)
    {
        return Long.parseUnsignedLong(digest.substring(from, from + 16), 16);
    }

    private static String digest(final String text)
    {
        final byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        final ByteBuffer memory = ByteBuffer.allocateDirect(bytes.length).put(bytes);
        return new Digest().of(BufferUtil.address(memory), bytes.length, VERSION).text();
    }

    private static String hex(final byte[] bytes)
    {
        final StringBuilder hex = new StringBuilder(2 * bytes.length);
        for (final byte b : bytes)
        {
            hex.append(Character.forDigit(b >> 4 & 15, 16)).append(Character.forDigit(b & 15, 16));
        }
        return hex.toString();
    }

    private static byte[] bytes(final String hex)
    {
        final byte[] bytes = new byte[hex.length() / 2];
        for (int i = 0; i < bytes.length; i++)
        {
            bytes[i] = (byte)Integer.parseInt(hex.substring(2 * i, 2 * i + 2), 16);
        }
        return bytes;
    }

    private static String encode(final String text)
    {
        final StringBuilder encoded = new StringBuilder();
        for (final byte b : text.getBytes(StandardCharsets.UTF_8))
        {
            if (b > ' ' && b != '%' && b < 127)
            {
                encoded.append((char)b);
            }
            else
            {
                encoded.append('%').append(hex(new byte[]{b}));
            }
        }
        return encoded.toString();
    }

    private static String decode(final String encoded)
    {
        final byte[] bytes = new byte[encoded.length()];
        int length = 0;
        for (int i = 0; i < encoded.length(); i++)
        {
            final boolean isEscape = encoded.charAt(i) == '%';
            bytes[length++] = (byte)(isEscape ?
                Integer.parseInt(encoded.substring(i + 1, i + 3), 16) : encoded.charAt(i));
            i += isEscape ? 2 : 0;
        }
        return new String(bytes, 0, length, StandardCharsets.UTF_8);
    }
}
