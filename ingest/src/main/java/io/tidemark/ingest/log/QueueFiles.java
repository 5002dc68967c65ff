package io.tidemark.ingest.log;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.OptionalLong;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * The files of a queue, one a day: what Chronicle's own listing, which is kept in the queue's metadata, can be wrong
 * about when files were taken away.
 */
final class QueueFiles
{
    static final String SUFFIX = ".cq4";

    private static final DateTimeFormatter DAY = DateTimeFormatter.ofPattern(Log.ROLL_CYCLE.format());

    private QueueFiles()
    {
    }

    static boolean exists(final Path directory, final int cycle)
    {
        return Files.exists(directory.resolve(name(cycle)));
    }

    static String name(final int cycle)
    {
        return DAY.format(LocalDate.ofEpochDay(cycle)) + SUFFIX;
    }

    /**
     * @return the first cycle that has a file, -1 when none has.
     */
    static int oldestCycle(final Path directory)
    {
        try (Stream<Path> files = Files.list(directory))
        {
            return (int)files.flatMapToLong(file -> cycleOf(file.getFileName().toString())).min().orElse(-1);
        }
        catch (final IOException ex)
        {
            throw new LogException("log " + directory + " cannot be read (" + ex + ")", ex);
        }
    }

    static int[] cycles(final Path directory)
    {
        try (Stream<Path> files = Files.list(directory))
        {
            return files.flatMapToLong(file -> cycleOf(file.getFileName().toString())).sorted()
                .mapToInt(cycle -> (int)cycle).toArray();
        }
        catch (final IOException ex)
        {
            throw new LogException("log " + directory + " cannot be read (" + ex + ")", ex);
        }
    }

    static void delete(final Path directory, final int cycle)
    {
        try
        {
            Files.deleteIfExists(directory.resolve(name(cycle)));
        }
        catch (final IOException ex)
        {
            throw new LogException("file " + directory.resolve(name(cycle)) + " cannot be deleted (" + ex + ")", ex);
        }
    }

    static boolean any(final Path directory)
    {
        return oldestCycle(directory) >= 0;
    }

    /**
     * Syncs the files from a cycle on, the metadata and the directory.
     *
     * @return the last cycle that has a file, -1 when none has.
     */
    static int sync(final Path directory, final int fromCycle)
    {
        int last = -1;
        try (Stream<Path> files = Files.list(directory))
        {
            for (final Path file : files.sorted().toList())
            {
                final String name = file.getFileName().toString();
                final int cycle = (int)cycleOf(name).min().orElse(-1);
                if (cycle >= Math.max(0, fromCycle) || name.equals(QueueMetadata.FILE_NAME))
                {
                    force(file);
                    last = Math.max(last, cycle);
                }
            }
            force(directory);
        }
        catch (final IOException ex)
        {
            throw new LogException("log " + directory + " cannot be synced (" + ex + "); check its disk", ex);
        }
        return last;
    }

    private static void force(final Path file) throws IOException
    {
        try (FileChannel channel = FileChannel.open(file))
        {
            channel.force(true);
        }
    }

    private static LongStream cycleOf(final String name)
    {
        OptionalLong cycle = OptionalLong.empty();
        if (name.endsWith(SUFFIX))
        {
            final String day = name.substring(0, name.length() - SUFFIX.length());
            try
            {
                cycle = OptionalLong.of(LocalDate.parse(day, DAY).toEpochDay());
            }
            catch (final DateTimeParseException ex)
            {
                throw new LogException("file " + name + " is not of a log of this program; use another data directory",
                    ex);
            }
        }
        return cycle.stream();
    }
}
