package io.tidemark.bench.micro;

import io.tidemark.ingest.log.Log;
import io.tidemark.ingest.log.LogAppender;
import io.tidemark.ingest.log.LogTailer;
import org.agrona.IoUtil;
import org.agrona.concurrent.UnsafeBuffer;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** Appending a record to a log, and reading one. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class LogBenchmark
{
    private static final int RECORD_LENGTH = 96;
    private static final int RECORDS = 500_000;

    /** A log that begins anew with each iteration, so that it doesn't fill the disk. */
    @State(Scope.Thread)
    public static class Target
    {
        private final UnsafeBuffer record = new UnsafeBuffer(ByteBuffer.allocateDirect(RECORD_LENGTH));
        private Path directory;
        private Log log;
        private LogAppender appender;

        /**
         * Opens an empty log.
         *
         * @throws IOException when there is no room for temporary files.
         */
        @Setup(Level.Iteration)
        public void open() throws IOException
        {
            directory = Files.createTempDirectory("tidemark-bench-");
            log = Log.open(directory, () -> 0);
            appender = log.appender();
        }

        /** Removes it. */
        @TearDown(Level.Iteration)
        public void close()
        {
            log.close();
            IoUtil.delete(directory.toFile(), true);
        }
    }

    /** A log with records, read from the start again and again. */
    @State(Scope.Thread)
    public static class Recorded
    {
        private Path directory;
        private Log log;
        private LogTailer tailer;

        /**
         * Writes the log.
         *
         * @throws IOException when there is no room for temporary files.
         */
        @Setup(Level.Trial)
        public void write() throws IOException
        {
            directory = Files.createTempDirectory("tidemark-bench-");
            log = Log.open(directory, () -> 0);
            final UnsafeBuffer record = new UnsafeBuffer(ByteBuffer.allocateDirect(RECORD_LENGTH));
            for (int i = 0; i < RECORDS; i++)
            {
                log.appender().append(record, 0, RECORD_LENGTH);
            }
            tailer = log.tailer();
        }

        /** Removes it. */
        @TearDown(Level.Trial)
        public void close()
        {
            log.close();
            IoUtil.delete(directory.toFile(), true);
        }
    }

    /**
     * Appends a record.
     *
     * @param target log.
     * @return its index.
     */
    @Benchmark
    public long append(final Target target)
    {
        return target.appender.append(target.record, 0, RECORD_LENGTH);
    }

    /**
     * Reads a record.
     *
     * @param recorded log.
     * @return its number.
     */
    @Benchmark
    public long poll(final Recorded recorded)
    {
        if (!recorded.tailer.poll())
        {
            recorded.tailer.toStart();
        }
        return recorded.tailer.number();
    }
}
