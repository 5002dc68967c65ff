package io.tidemark.sink.view;

import io.tidemark.ingest.log.CrashPoint;
import org.agrona.UnsafeApi;

/**
 * The writer's side of the skip lists: the rows of each key in time order. A row is linked from the bottom up, when it
 * is complete, and unlinked from the top down, so that a reader finds every row that it may see at every moment.
 */
final class ViewRowList
{
    private final ViewPages pages;
    private final int[] before = new int[RecordDescriptor.MAX_LEVELS];

    ViewRowList(final ViewPages pages)
    {
        this.pages = pages;
    }

    /** Levels of a row, which its hash decides: every fourth has one more. */
    static int levels(final long hash)
    {
        return 1 + Math.min(RecordDescriptor.MAX_LEVELS - 1, Long.numberOfTrailingZeros(hash) / 2);
    }

    void link(final int keyRef, final int rowRef)
    {
        final long row = pages.record(rowRef);
        find(keyRef, row);
        final int levels = UnsafeApi.getByte(row + RecordDescriptor.LEVELS_OFFSET);
        for (int level = 0; level < levels; level++)
        {
            UnsafeApi.putInt(row + nextOffset(level), next(keyRef, before[level], level));
        }
        for (int level = 0; level < levels; level++)
        {
            UnsafeApi.putIntRelease(null, nextAddress(keyRef, before[level], level), rowRef);
            CrashPoint.hit("view.level-linked");
        }
    }

    void unlink(final int keyRef, final int rowRef)
    {
        final long row = pages.record(rowRef);
        find(keyRef, row);
        final int levels = UnsafeApi.getByte(row + RecordDescriptor.LEVELS_OFFSET);
        for (int level = levels - 1; level >= 0; level--)
        {
            // versions of one row are alike: go on to the one that is meant
            int last = before[level];
            for (int next = next(keyRef, last, level); next != rowRef; next = next(keyRef, last, level))
            {
                last = next;
            }
            UnsafeApi.putIntRelease(
                null, nextAddress(keyRef, last, level), UnsafeApi.getInt(row + nextOffset(level)));
        }
    }

    boolean isEmpty(final int keyRef)
    {
        return next(keyRef, 0, 0) == 0;
    }

    /** For each level, finds the last row before the place of a row; 0 is the key itself. */
    private void find(final int keyRef, final long row)
    {
        int last = 0;
        for (int level = RecordDescriptor.MAX_LEVELS - 1; level >= 0; level--)
        {
            int next = next(keyRef, last, level);
            while (next != 0 && isBefore(pages.record(next), row))
            {
                last = next;
                next = next(keyRef, last, level);
            }
            before[level] = last;
        }
    }

    private static boolean isBefore(final long a, final long b)
    {
        final long aTime = UnsafeApi.getLong(a + RecordDescriptor.TIME_OFFSET);
        final long bTime = UnsafeApi.getLong(b + RecordDescriptor.TIME_OFFSET);
        if (aTime != bTime)
        {
            return aTime < bTime;
        }
        final long aTime2 = UnsafeApi.getLong(a + RecordDescriptor.TIME_2_OFFSET);
        final long bTime2 = UnsafeApi.getLong(b + RecordDescriptor.TIME_2_OFFSET);
        if (aTime2 != bTime2)
        {
            return aTime2 < bTime2;
        }
        return UnsafeApi.getLong(a + RecordDescriptor.HASH_OFFSET) <
            UnsafeApi.getLong(b + RecordDescriptor.HASH_OFFSET);
    }

    private int next(final int keyRef, final int rowRef, final int level)
    {
        return UnsafeApi.getInt(nextAddress(keyRef, rowRef, level));
    }

    private long nextAddress(final int keyRef, final int rowRef, final int level)
    {
        return rowRef == 0 ?
            pages.record(keyRef) + RecordDescriptor.KEY_FIRST_OFFSET + (long)level * Integer.BYTES :
            pages.record(rowRef) + nextOffset(level);
    }

    private static long nextOffset(final int level)
    {
        return RecordDescriptor.NEXT_OFFSET + (long)level * Integer.BYTES;
    }
}
