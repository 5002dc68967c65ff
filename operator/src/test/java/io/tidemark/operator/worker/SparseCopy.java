package io.tidemark.operator.worker;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Stream;

/** Copies directories of queue files, most of which are holes, without filling the holes. */
final class SparseCopy
{
    private static final int CHUNK = 1 << 16;

    private SparseCopy()
    {
    }

    static void copy(final Path from, final Path to) throws IOException
    {
        final List<Path> all;
        try (Stream<Path> files = Files.walk(from))
        {
            all = files.sorted().toList();
        }
        for (final Path each : all)
        {
            final Path target = to.resolve(from.relativize(each).toString());
            if (Files.isDirectory(each))
            {
                Files.createDirectories(target);
            }
            else
            {
                copyFile(each, target);
            }
        }
    }

    private static void copyFile(final Path from, final Path to) throws IOException
    {
        final ByteBuffer chunk = ByteBuffer.allocateDirect(CHUNK);
        try (FileChannel in = FileChannel.open(from); FileChannel out = FileChannel.open(
            to, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING))
        {
            final long size = in.size();
            for (long at = 0; at < size; at += CHUNK)
            {
                chunk.clear();
                in.read(chunk, at);
                chunk.flip();
                if (!isZero(chunk))
                {
                    out.write(chunk, at);
                }
            }
            if (size > out.size())
            {
                out.write(ByteBuffer.wrap(new byte[1]), size - 1);
            }
        }
    }

    /** Where the last byte that is not zero stands, 0 in a file without one. */
    static long usedLength(final Path file) throws IOException
    {
        final ByteBuffer chunk = ByteBuffer.allocateDirect(CHUNK);
        long used = 0;
        try (FileChannel in = FileChannel.open(file))
        {
            for (long at = 0; at < in.size(); at += CHUNK)
            {
                chunk.clear();
                in.read(chunk, at);
                for (int i = chunk.position() - 1; i >= 0; i--)
                {
                    if (chunk.get(i) != 0)
                    {
                        used = at + i + 1;
                        break;
                    }
                }
            }
        }
        return used;
    }

    private static boolean isZero(final ByteBuffer chunk)
    {
        int at = 0;
        for (; at + 8 <= chunk.limit(); at += 8)
        {
            if (chunk.getLong(at) != 0)
            {
                return false;
            }
        }
        for (; at < chunk.limit(); at++)
        {
            if (chunk.get(at) != 0)
            {
                return false;
            }
        }
        return true;
    }
}
