package io.tidemark.operator.change;

import io.tidemark.ingest.log.Log;
import io.tidemark.ingest.log.LogTailer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A second run over the same log: compares what is there, then appends (SEMANTICS.md section 9). */
class ReplayingAppenderTest
{
    private static final int TEXT_OFFSET = 16;

    @TempDir
    Path directory;

    private final UnsafeBuffer record = new UnsafeBuffer(ByteBuffer.allocateDirect(4096));

    @Test
    void shouldAppendWhereTheLogHoldsNothing()
    {
        run("a", "b");
        assertEquals(List.of("a", "b"), recorded());
    }

    @Test
    void shouldCompareWhatIsThereAndThenAppend()
    {
        run("a", "b");
        run("a", "b", "c", "d");
        run("a", "b", "c", "d");
        assertEquals(List.of("a", "b", "c", "d"), recorded());
    }

    @Test
    void shouldStopWithBothVersionsShownWhenARecordDiffers()
    {
        run("alpha", "beta");
        final ReplayMismatchException mismatch =
            assertThrows(ReplayMismatchException.class, () -> run("alpha", "bela", "gamma"));
        assertEquals(1, mismatch.number());
        assertTrue(mismatch.getMessage().contains("at byte 18"), mismatch.getMessage());
        assertTrue(mismatch.getMessage().contains("62657461 (20 bytes)"), mismatch.getMessage());
        assertTrue(mismatch.getMessage().contains("62656c61 (20 bytes)"), mismatch.getMessage());
        assertEquals(List.of("alpha", "beta"), recorded());
    }

    @Test
    void shouldStopWhenARecordIsLongerOrShorter()
    {
        run("alpha");
        assertThrows(ReplayMismatchException.class, () -> run("alpha and more"));
        assertThrows(ReplayMismatchException.class, () -> run("alp"));
        assertEquals(List.of("alpha"), recorded());
    }

    @Test
    void shouldTellHowFarTheLogIsAheadAndRefuseWhatWasNotMadeAgain()
    {
        run("a", "b", "c");
        try (Log log = open(); ReplayingAppender appender = new ReplayingAppender(log))
        {
            assertEquals(3, appender.recordsAhead());
            append(appender, "a");
            append(appender, "b");
            assertEquals(1, appender.recordsAhead());
            final ReplayMismatchException mismatch =
                assertThrows(ReplayMismatchException.class, appender::requireNoneAhead);
            assertEquals(2, mismatch.number());
        }
        try (Log log = open(); ReplayingAppender appender = new ReplayingAppender(log))
        {
            append(appender, "a");
            append(appender, "b");
            append(appender, "c");
            assertEquals(0, appender.recordsAhead());
            appender.requireNoneAhead();
        }
    }

    @Test
    void shouldFinishAChangeSetOfWhichACrashLeftSomeRecords()
    {
        final int rows = 4_000;
        for (int crashAfter = 1; crashAfter <= 2; crashAfter++)
        {
            final int records = crashAfter;
            assertThrows(IllegalStateException.class, () -> writeLargeChangeSet(rows, records));
            try (Log log = Log.openReadOnly(directory))
            {
                assertEquals(records - 1, log.lastNumber());
            }
        }
        writeLargeChangeSet(rows, Integer.MAX_VALUE);
        writeLargeChangeSet(rows, Integer.MAX_VALUE);
        int changes = 0;
        final ChangeSetDecoder decoder = new ChangeSetDecoder();
        try (Log log = Log.openReadOnly(directory); LogTailer tailer = log.tailer())
        {
            while (tailer.poll())
            {
                changes += decoder.wrap(tailer.buffer(), tailer.offset()).changes();
                assertEquals(tailer.number(), decoder.part());
            }
            assertEquals(tailer.number(), log.lastNumber());
            assertEquals(log.lastNumber(), decoder.part());
        }
        assertEquals(rows, changes);
    }

    private void writeLargeChangeSet(final int rows, final int crashAfter)
    {
        try (Log log = open(); ReplayingAppender appender = new ReplayingAppender(log))
        {
            final int[] written = {0};
            final ChangeSetEncoder encoder = new ChangeSetEncoder((src, offset, length) ->
            {
                if (written[0]++ == crashAfter)
                {
                    throw new IllegalStateException("killed");
                }
                appender.append(src, offset, length);
            });
            final Images images = new Images(1 << 18);
            encoder.begin(1, 0, 0, 1, 1, 1, 0, 0, 1, 0, images.text("k"), 1);
            encoder.after(images.row("P", 1), RowImage.length(1));
            for (int i = 0; i < rows; i++)
            {
                encoder.insertPair(images.row("S" + (10_000 + i), 1), RowImage.length(6));
            }
            encoder.commit();
        }
    }

    private void run(final String... texts)
    {
        try (Log log = open(); ReplayingAppender appender = new ReplayingAppender(log))
        {
            for (final String text : texts)
            {
                append(appender, text);
            }
        }
    }

    private void append(final ReplayingAppender appender, final String text)
    {
        final byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        record.putBytes(TEXT_OFFSET, bytes);
        appender.append(record, 0, TEXT_OFFSET + bytes.length);
    }

    private Log open()
    {
        return Log.open(directory, () -> 0);
    }

    private List<String> recorded()
    {
        final List<String> texts = new ArrayList<>();
        try (Log log = Log.openReadOnly(directory); LogTailer tailer = log.tailer())
        {
            while (tailer.poll())
            {
                assertEquals(texts.size(), tailer.number());
                texts.add(tailer.buffer().getStringWithoutLengthAscii(
                    tailer.offset() + TEXT_OFFSET, tailer.length() - TEXT_OFFSET));
            }
        }
        return texts;
    }
}
