package io.tidemark.sink.view;

import io.tidemark.ingest.log.CrashPoint;
import io.tidemark.operator.change.ChangeSetDecoder;
import io.tidemark.operator.change.RowIds;
import io.tidemark.operator.change.RowKind;
import io.tidemark.sink.ChangeSetCursor;
import io.tidemark.sink.TableException;
import org.agrona.UnsafeApi;
import org.agrona.collections.IntArrayQueue;
import org.agrona.collections.LongArrayQueue;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The one writer of a generation of view files. The description of the package says what readers rely on; each comment
 * here that names an order of stores is about them.
 */
final class ViewWriter implements AutoCloseable
{
    private static final int RECLAIM_AT_MOST = 10_000;

    private final ViewPages pages;
    private final ViewAllocator allocator;
    private final ViewHashTable table;
    private final ViewRowList lists;
    private final long header;
    private final long quarantineMs;
    private final UnsafeBuffer rowId = new UnsafeBuffer(new byte[RowIds.MAX_LENGTH]);
    private final UnsafeBuffer content = new UnsafeBuffer(new byte[Content.MAX_LENGTH]);
    private final UnsafeBuffer other = new UnsafeBuffer(0, 0);

    /** Retired rows, oldest first; then what was unlinked: references, and whole pages as negative numbers. */
    private final IntArrayQueue retired = new IntArrayQueue(1024, 0);
    private final LongArrayQueue retiredMs = new LongArrayQueue(1024, Long.MIN_VALUE);
    private final LongArrayQueue unlinked = new LongArrayQueue(1024, 0);
    private final LongArrayQueue unlinkedMs = new LongArrayQueue(1024, Long.MIN_VALUE);
    private final LongArrayQueue unlinkedRound = new LongArrayQueue(1024, Long.MIN_VALUE);
    private long round;
    private long nowMs;
    private long rows;

    /**
     * @param quarantineMs how long a retired row stays linked, and then its memory unused: longer than reading takes.
     */
    ViewWriter(final ViewPages pages, final long quarantineMs)
    {
        this.pages = pages;
        this.quarantineMs = quarantineMs;
        pages.create();
        header = pages.address(0);
        UnsafeApi.putLong(header + HeaderDescriptor.X_OFFSET, -1);
        UnsafeApi.putLong(header + HeaderDescriptor.HORIZON_OFFSET, -1);
        UnsafeApi.putLong(header + HeaderDescriptor.FILES_OFFSET, pages.files());
        allocator = new ViewAllocator(pages);
        table = new ViewHashTable(pages, allocator, this::retirePage);
        lists = new ViewRowList(pages);
        UnsafeApi.putLongRelease(null, header + HeaderDescriptor.VERSION_OFFSET, HeaderDescriptor.VERSION);
    }

    /** Time of this duty cycle, for the quarantine. */
    void now(final long newNowMs)
    {
        nowMs = newNowMs;
    }

    /** Applies a change-set, invisible until {@link #publish}; returns its number of changes. */
    int apply(final ChangeSetCursor changeSet, final long ordinal)
    {
        int changes = 0;
        while (changeSet.next())
        {
            final ChangeSetDecoder change = changeSet.change();
            final long hash = ViewHash.ofRowId(rowId, change.putRowId(rowId, 0));
            final int length = Content.put(content, 0, change);
            final int current = findCurrent(change, hash);
            if (change.isRetraction())
            {
                check(changeSet, change, current, length);
                retire(current, ordinal);
            }
            else
            {
                if (current != 0)
                {
                    retire(current, ordinal);
                }
                insert(changeSet, change, hash, length, ordinal);
            }
            changes++;
        }
        return changes;
    }

    /** Makes all that was applied visible in one store. */
    void publish(final long ordinal, final long position)
    {
        UnsafeApi.putLong(header + HeaderDescriptor.POSITION_OFFSET, position);
        UnsafeApi.putLong(header + HeaderDescriptor.ROWS_OFFSET, rows);
        UnsafeApi.putLongRelease(null, header + HeaderDescriptor.X_OFFSET, ordinal);
    }

    long rows()
    {
        return rows;
    }

    private void check(
        final ChangeSetCursor changeSet, final ChangeSetDecoder change, final int current, final int length)
    {
        if (current == 0)
        {
            throw new TableException("change-set " + changeSet.identity() + " retracts " + rowIdText(change) +
                ", which is not current; the change log is damaged or not from this engine");
        }
        final int offset = contentOf(current);
        if (Content.length(change.kind(), other, offset) != length ||
            !Content.isEqual(content, 0, other, offset, length))
        {
            throw new TableException("change-set " + changeSet.identity() + " retracts " + rowIdText(change) +
                ", but the row that was inserted has other content; the change log is damaged or not from this engine");
        }
    }

    private String rowIdText(final ChangeSetDecoder change)
    {
        return rowId.getStringWithoutLengthUtf8(0, change.putRowId(rowId, 0));
    }

    private int findCurrent(final ChangeSetDecoder change, final long hash)
    {
        for (long place = table.place(hash); ; place = table.after(place))
        {
            final long word = table.word(place);
            if (word == HeaderDescriptor.EMPTY)
            {
                return 0;
            }
            if (HeaderDescriptor.isOf(word, hash) && isCurrent((int)word, change, hash))
            {
                return (int)word;
            }
        }
    }

    private boolean isCurrent(final int ref, final ChangeSetDecoder change, final long hash)
    {
        final long row = pages.record(ref);
        if (UnsafeApi.getByte(row) != RecordDescriptor.ROW ||
            UnsafeApi.getLong(row + RecordDescriptor.RETIRED_OFFSET) != RecordDescriptor.NEVER ||
            UnsafeApi.getLong(row + RecordDescriptor.HASH_OFFSET) != hash ||
            UnsafeApi.getByte(row + RecordDescriptor.KIND_OFFSET) != Content.code(change.kind()) ||
            UnsafeApi.getInt(row + RecordDescriptor.RULE_OFFSET) != change.rule() ||
            !isKey(UnsafeApi.getInt(row + RecordDescriptor.ROW_KEY_OFFSET), change))
        {
            return false;
        }
        return Content.isSameRow(change.kind(), content, 0, other, contentOf(ref));
    }

    /** Lets {@code other} hold a row's content; returns where in it. */
    private int contentOf(final int ref)
    {
        final long row = pages.record(ref);
        other.wrap(row, RecordDescriptor.MAX_ROW_LENGTH);
        return RecordDescriptor.contentOffset(UnsafeApi.getByte(row + RecordDescriptor.LEVELS_OFFSET));
    }

    private boolean isKey(final int ref, final ChangeSetDecoder change)
    {
        final long key = pages.record(ref);
        final int length = change.keyLength();
        if (UnsafeApi.getByte(key) != RecordDescriptor.KEY ||
            (UnsafeApi.getByte(key + RecordDescriptor.KEY_LENGTH_OFFSET) & 0xFF) != length)
        {
            return false;
        }
        for (int i = 0; i < length; i++)
        {
            if (UnsafeApi.getByte(key + RecordDescriptor.KEY_OFFSET + i) !=
                change.buffer().getByte(change.keyOffset() + i))
            {
                return false;
            }
        }
        return true;
    }

    private int findOrMakeKey(final ChangeSetDecoder change)
    {
        final long hash = ViewHash.ofKey(change.buffer(), change.keyOffset(), change.keyLength());
        for (long place = table.place(hash); table.word(place) != HeaderDescriptor.EMPTY; place = table.after(place))
        {
            final long word = table.word(place);
            if (HeaderDescriptor.isOf(word, hash) && isKey((int)word, change))
            {
                return (int)word;
            }
        }
        final int length = RecordDescriptor.KEY_OFFSET + change.keyLength();
        final int ref = allocator.allocate(RecordDescriptor.units(length));
        final long key = pages.record(ref);
        UnsafeApi.setMemory(key, RecordDescriptor.KEY_OFFSET, (byte)0);
        UnsafeApi.putByte(key + RecordDescriptor.KEY_LENGTH_OFFSET, (byte)change.keyLength());
        for (int i = 0; i < change.keyLength(); i++)
        {
            UnsafeApi.putByte(
                key + RecordDescriptor.KEY_OFFSET + i, change.buffer().getByte(change.keyOffset() + i));
        }
        UnsafeApi.putByte(key + RecordDescriptor.TYPE_OFFSET, RecordDescriptor.KEY);
        table.insert(hash, ref);
        return ref;
    }

    private void insert(
        final ChangeSetCursor changeSet,
        final ChangeSetDecoder change,
        final long hash,
        final int length,
        final long ordinal)
    {
        final int key = findOrMakeKey(change);
        final int levels = ViewRowList.levels(hash);
        final int contentOffset = RecordDescriptor.contentOffset(levels);
        final int ref = allocator.allocate(RecordDescriptor.units(contentOffset + length));
        final long row = pages.record(ref);
        UnsafeApi.putByte(row + RecordDescriptor.TYPE_OFFSET, RecordDescriptor.ROW);
        UnsafeApi.putByte(row + RecordDescriptor.KIND_OFFSET, Content.code(change.kind()));
        UnsafeApi.putByte(row + RecordDescriptor.LEVELS_OFFSET, (byte)levels);
        UnsafeApi.putInt(row + RecordDescriptor.ROW_KEY_OFFSET, key);
        UnsafeApi.putLong(row + RecordDescriptor.INSERTED_OFFSET, ordinal);
        UnsafeApi.putLong(row + RecordDescriptor.RETIRED_OFFSET, RecordDescriptor.NEVER);
        UnsafeApi.putLong(row + RecordDescriptor.TIME_OFFSET, Content.time(change.kind(), content, 0));
        UnsafeApi.putLong(row + RecordDescriptor.TIME_2_OFFSET, Content.time2(change.kind(), content, 0));
        UnsafeApi.putLong(row + RecordDescriptor.HASH_OFFSET, hash);
        UnsafeApi.putInt(row + RecordDescriptor.GENERATION_OFFSET, (int)changeSet.generation());
        UnsafeApi.putInt(row + RecordDescriptor.RULE_OFFSET, change.rule());
        UnsafeApi.copyMemory(content.byteArray(), content.addressOffset(), null, row + contentOffset, length);
        CrashPoint.hit("view.row-written");
        lists.link(key, ref);
        CrashPoint.hit("view.row-linked");
        table.insert(hash, ref);
        CrashPoint.hit("view.row-inserted");
        rows++;
    }

    private void retire(final int ref, final long ordinal)
    {
        UnsafeApi.putLong(pages.record(ref) + RecordDescriptor.RETIRED_OFFSET, ordinal);
        CrashPoint.hit("view.row-retired");
        retired.addInt(ref);
        retiredMs.addLong(nowMs);
        rows--;
    }

    private void retirePage(final int page)
    {
        unlinked(-page);
    }

    /** Takes back what has been in quarantine long enough; all that is retired must have been published. */
    int reclaim()
    {
        return reuse() + unlink();
    }

    private int reuse()
    {
        int count = 0;
        while (count < RECLAIM_AT_MOST && !unlinked.isEmpty() &&
            unlinkedMs.peekLong() <= nowMs - quarantineMs && unlinkedRound.peekLong() <= round)
        {
            final long reusedRound = unlinkedRound.removeLong();
            unlinkedMs.removeLong();
            // before the first store into what is given back
            UnsafeApi.putLongRelease(null, header + HeaderDescriptor.REUSED_OFFSET, reusedRound);
            free(unlinked.removeLong());
            CrashPoint.hit("view.memory-reused");
            count++;
        }
        UnsafeApi.storeFence();
        return count;
    }

    private void free(final long refOrPage)
    {
        if (refOrPage < 0)
        {
            allocator.freePage((int)-refOrPage);
            return;
        }
        final int ref = (int)refOrPage;
        final long record = pages.record(ref);
        if (UnsafeApi.getByte(record) == RecordDescriptor.KEY)
        {
            allocator.free(ref, RecordDescriptor.units(RecordDescriptor.KEY_OFFSET +
                (UnsafeApi.getByte(record + RecordDescriptor.KEY_LENGTH_OFFSET) & 0xFF)));
            return;
        }
        final int offset = contentOf(ref);
        final RowKind kind = Content.kind(UnsafeApi.getByte(record + RecordDescriptor.KIND_OFFSET));
        allocator.free(ref, RecordDescriptor.units(offset + Content.length(kind, other, offset)));
    }

    private int unlink()
    {
        if (retired.isEmpty() || retiredMs.peekLong() > nowMs - quarantineMs)
        {
            return 0;
        }
        int count = 0;
        while (count < RECLAIM_AT_MOST && !retired.isEmpty() && retiredMs.peekLong() <= nowMs - quarantineMs)
        {
            retiredMs.removeLong();
            final int ref = retired.removeInt();
            final long row = pages.record(ref);
            // before it is unlinked
            UnsafeApi.putLongRelease(null, header + HeaderDescriptor.HORIZON_OFFSET,
                UnsafeApi.getLong(row + RecordDescriptor.RETIRED_OFFSET));
            UnsafeApi.storeFence();
            final int key = UnsafeApi.getInt(row + RecordDescriptor.ROW_KEY_OFFSET);
            table.remove(UnsafeApi.getLong(row + RecordDescriptor.HASH_OFFSET), ref);
            CrashPoint.hit("view.row-removed");
            lists.unlink(key, ref);
            CrashPoint.hit("view.row-unlinked");
            unlinked(Integer.toUnsignedLong(ref));
            if (lists.isEmpty(key))
            {
                final long record = pages.record(key);
                table.remove(ViewHash.ofKey(record + RecordDescriptor.KEY_OFFSET,
                    UnsafeApi.getByte(record + RecordDescriptor.KEY_LENGTH_OFFSET) & 0xFF), key);
                unlinked(Integer.toUnsignedLong(key));
            }
            count++;
        }
        round++;
        UnsafeApi.putLongRelease(null, header + HeaderDescriptor.ROUND_OFFSET, round);
        return count;
    }

    private void unlinked(final long refOrPage)
    {
        unlinked.addLong(refOrPage);
        unlinkedMs.addLong(nowMs);
        unlinkedRound.addLong(round + 1);
    }

    @Override
    public void close()
    {
        pages.close();
    }
}
