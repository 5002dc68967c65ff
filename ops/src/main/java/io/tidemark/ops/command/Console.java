package io.tidemark.ops.command;

import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/**
 * Where a command reads and writes. Output that nobody reads any more ends a command without a word.
 */
public final class Console
{
    /** The reader of standard output went away, as {@code head} does. */
    static final class ReaderGoneException extends UncheckedIOException
    {
        private static final long serialVersionUID = 1;

        ReaderGoneException(final IOException cause)
        {
            super(cause);
        }
    }

    /** Set by the launcher, which can tell whether standard error is a terminal; Java cannot. */
    private static final String TERMINAL_PROPERTY = "tidemark.terminal";
    private static final int BUFFER = 1 << 16;

    private final InputStream in;
    private final OutputStream out;
    private final PrintStream err;
    private final boolean isTerminal;

    private Console(final InputStream in, final OutputStream out, final PrintStream err, final boolean isTerminal)
    {
        this.in = in;
        this.out = new Guarded(new BufferedOutputStream(out, BUFFER));
        this.err = err;
        this.isTerminal = isTerminal;
    }

    /**
     * The process's own streams.
     *
     * @return a console on them.
     */
    public static Console system()
    {
        return new Console(
            System.in,
            new FileOutputStream(FileDescriptor.out),
            new PrintStream(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8),
            Boolean.getBoolean(TERMINAL_PROPERTY));
    }

    /**
     * Any streams, for programs that embed the commands and for tests.
     *
     * @param in  standard input.
     * @param out results.
     * @param err all else.
     * @return a console on them.
     */
    public static Console of(final InputStream in, final OutputStream out, final OutputStream err)
    {
        return new Console(in, out, new PrintStream(err, true, StandardCharsets.UTF_8), false);
    }

    InputStream in()
    {
        return in;
    }

    OutputStream out()
    {
        return out;
    }

    PrintStream err()
    {
        return err;
    }

    /** Whether a person looks on: then there is a progress bar. */
    boolean isTerminal()
    {
        return isTerminal;
    }

    /** A line of the result. */
    void line(final String text)
    {
        try
        {
            out.write(text.getBytes(StandardCharsets.UTF_8));
            out.write('\n');
        }
        catch (final IOException e)
        {
            throw new UncheckedIOException(e);
        }
    }

    /** A line about the work. */
    void note(final String text)
    {
        err.println("tidemark: " + text);
    }

    void flush()
    {
        try
        {
            out.flush();
        }
        catch (final IOException e)
        {
            throw new UncheckedIOException(e);
        }
    }

    /** Tells failures of standard output from those of files, and never closes it. */
    private static final class Guarded extends FilterOutputStream
    {
        private Guarded(final OutputStream out)
        {
            super(out);
        }

        @Override
        public void write(final int b)
        {
            try
            {
                out.write(b);
            }
            catch (final IOException e)
            {
                throw new ReaderGoneException(e);
            }
        }

        @Override
        public void write(final byte[] bytes, final int offset, final int length)
        {
            try
            {
                out.write(bytes, offset, length);
            }
            catch (final IOException e)
            {
                throw new ReaderGoneException(e);
            }
        }

        @Override
        public void flush()
        {
            try
            {
                out.flush();
            }
            catch (final IOException e)
            {
                throw new ReaderGoneException(e);
            }
        }

        @Override
        public void close()
        {
            flush();
        }
    }
}
