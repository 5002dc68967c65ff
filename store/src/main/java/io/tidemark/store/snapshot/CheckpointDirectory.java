package io.tidemark.store.snapshot;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.TreeSet;

/** The directory of checkpoints: what is there, and how a manifest gets there whole or not at all. */
public final class CheckpointDirectory
{
    /** Name of the directory in a data directory. */
    public static final String NAME = "checkpoints";

    static final String TEMPORARY = ".tmp";

    private static final String MANIFEST = ".manifest";
    private static final int DIGITS = 19;

    private final Path directory;

    /**
     * Looks at a directory, which need not exist.
     *
     * @param dataDirectory of the pipeline.
     */
    public CheckpointDirectory(final Path dataDirectory)
    {
        directory = dataDirectory.resolve(NAME);
    }

    /**
     * Where it is.
     *
     * @return the directory of checkpoints itself.
     */
    public Path path()
    {
        return directory;
    }

    /**
     * The checkpoints that are there, whole or not.
     *
     * @return their positions, newest first.
     */
    public List<Long> positions()
    {
        final List<Long> positions = new ArrayList<>();
        for (final String name : names())
        {
            if (name.endsWith(MANIFEST) && name.length() == DIGITS + MANIFEST.length())
            {
                final String digits = name.substring(0, DIGITS);
                if (digits.chars().allMatch(Character::isDigit))
                {
                    positions.add(Long.parseLong(digits));
                }
            }
        }
        positions.sort(Collections.reverseOrder());
        return positions;
    }

    /**
     * Reads a manifest.
     *
     * @param position of the checkpoint.
     * @return the manifest, whose own digest holds; what it names has not been looked at.
     * @throws SnapshotException when there is none, or it is damaged.
     */
    public Manifest manifest(final long position)
    {
        final Path file = manifestFile(position);
        try
        {
            final Manifest manifest = ManifestText.read(Files.readAllBytes(file));
            if (manifest.position() != position)
            {
                throw new SnapshotException("is that of position " + manifest.position());
            }
            return manifest;
        }
        catch (final NoSuchFileException ex)
        {
            throw new SnapshotException("there is no checkpoint " + position + " in " + directory, ex);
        }
        catch (final IOException ex)
        {
            throw new SnapshotException("file " + file + " cannot be read (" + ex + ")", ex);
        }
        catch (final SnapshotException ex)
        {
            throw new SnapshotException("file " + file + " " + ex.getMessage(), ex);
        }
    }

    /**
     * Whether a checkpoint is there, whole or not.
     *
     * @param position of it.
     * @return true if it has a manifest.
     */
    public boolean has(final long position)
    {
        return Files.exists(manifestFile(position));
    }

    static String number(final long position)
    {
        final String digits = Long.toString(position);
        return "0".repeat(Math.max(0, DIGITS - digits.length())) + digits;
    }

    Path manifestFile(final long position)
    {
        return directory.resolve(number(position) + MANIFEST);
    }

    void create()
    {
        try
        {
            Files.createDirectories(directory);
        }
        catch (final IOException ex)
        {
            throw new SnapshotException("directory " + directory + " cannot be made (" + ex + ")", ex);
        }
    }

    /** Gives a manifest its name when all of it is on the disk. */
    void write(final Manifest manifest, final boolean sync, final SnapshotSteps steps)
    {
        final Path file = manifestFile(manifest.position());
        final Path temporary = file.resolveSibling(file.getFileName() + TEMPORARY);
        final byte[] text = ManifestText.write(manifest);
        try (FileChannel channel = FileChannel.open(temporary, StandardOpenOption.CREATE, StandardOpenOption.WRITE,
            StandardOpenOption.TRUNCATE_EXISTING))
        {
            channel.write(ByteBuffer.wrap(text, 0, text.length / 2));
            steps.reached("manifest.mid-write");
            channel.write(ByteBuffer.wrap(text, text.length / 2, text.length - text.length / 2));
            // Without it the name could reach the disk before the content, and the manifest be empty after a crash.
            channel.force(true);
        }
        catch (final IOException ex)
        {
            throw new SnapshotException("checkpoint " + manifest.position() + " cannot be written to " + temporary +
                " (" + ex + "); make room or check its permissions, and start again", ex);
        }
        steps.reached("manifest.before-rename");
        rename(temporary, file);
        steps.reached("manifest.after-rename");
        if (sync)
        {
            sync();
        }
    }

    void rename(final Path from, final Path to)
    {
        try
        {
            Files.move(from, to, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        }
        catch (final IOException ex)
        {
            throw new SnapshotException("file " + from + " cannot get its name (" + ex + ")", ex);
        }
    }

    /** Makes names and deletions last. */
    void sync()
    {
        try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ))
        {
            channel.force(true);
        }
        catch (final IOException ex)
        {
            throw new SnapshotException("directory " + directory + " cannot be synced (" + ex + ")", ex);
        }
    }

    /** Takes away what no manifest names: files of a process that died. Only while nobody else writes. */
    void removeLeftovers()
    {
        final TreeSet<String> needed = new TreeSet<>();
        boolean allReadable = true;
        for (final long position : positions())
        {
            try
            {
                manifest(position).files().forEach(file -> needed.add(file.name()));
            }
            catch (final SnapshotException ex)
            {
                // What a damaged manifest names is not known, so it may be needed by whoever repairs it.
                allReadable = false;
            }
        }
        for (final String name : names())
        {
            if (name.endsWith(TEMPORARY) || (allReadable && name.endsWith(PageFile.SUFFIX) && !needed.contains(name)))
            {
                delete(directory.resolve(name));
            }
        }
    }

    void delete(final Path file)
    {
        try
        {
            Files.deleteIfExists(file);
        }
        catch (final IOException ex)
        {
            throw new SnapshotException("file " + file + " cannot be deleted (" + ex + ")", ex);
        }
    }

    private List<String> names()
    {
        final List<String> names = new ArrayList<>();
        if (Files.isDirectory(directory))
        {
            try (DirectoryStream<Path> files = Files.newDirectoryStream(directory))
            {
                files.forEach(file -> names.add(file.getFileName().toString()));
            }
            catch (final IOException ex)
            {
                throw new SnapshotException("directory " + directory + " cannot be read (" + ex + ")", ex);
            }
        }
        Collections.sort(names);
        return names;
    }
}
