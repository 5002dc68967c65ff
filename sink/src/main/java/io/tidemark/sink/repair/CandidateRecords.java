package io.tidemark.sink.repair;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HexFormat;
import java.util.List;

import io.tidemark.operator.change.ChangeSetDecoder;
import io.tidemark.operator.change.RepairChangeSetEncoder;
import io.tidemark.operator.change.RowImage;
import io.tidemark.operator.change.SessionImage;
import io.tidemark.operator.keyed.KeyHash;
import io.tidemark.sink.PairRow;
import io.tidemark.sink.ResultRow;
import io.tidemark.sink.SessionRow;
import io.tidemark.sink.SourceRow;
import io.tidemark.sink.UnmatchedRow;
import io.tidemark.sink.candidate.Draft;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A draft as records of the change log, which its digest is of.
 */
final class CandidateRecords
{
    private final RepairChangeSetEncoder encoder = new RepairChangeSetEncoder();
    private final UnsafeBuffer left = new UnsafeBuffer(ByteBuffer.allocateDirect(RowImage.MAX_LENGTH));
    private final UnsafeBuffer right = new UnsafeBuffer(ByteBuffer.allocateDirect(RowImage.MAX_LENGTH));

    List<byte[]> encode(final Draft draft, final int rule, final long baseGeneration, final int slots)
    {
        final byte[] key = draft.region().key().bytes();
        encoder.begin(slot(key, slots), rule, Math.toIntExact(baseGeneration), key);
        draft.region().late().forEach(encoder::late);
        draft.retractions().forEach(row -> put(false, row));
        draft.insertions().forEach(row -> put(true, row));
        return encoder.end();
    }

    static String digest(final List<byte[]> records)
    {
        final ChangeSetDecoder decoder = new ChangeSetDecoder().wrap(new UnsafeBuffer(records.get(0)), 0);
        return HexFormat.of().formatHex(decoder.digest());
    }

    /** All records in one piece, each behind its length, as a request carries them. */
    static UnsafeBuffer pack(final List<byte[]> records)
    {
        final int length = records.stream().mapToInt(part -> Integer.BYTES + part.length).sum();
        final UnsafeBuffer content = new UnsafeBuffer(new byte[length]);
        int at = 0;
        for (final byte[] part : records)
        {
            content.putInt(at, part.length, ByteOrder.LITTLE_ENDIAN);
            content.putBytes(at + Integer.BYTES, part);
            at += Integer.BYTES + part.length;
        }
        return content;
    }

    private void put(final boolean isInsertion, final ResultRow row)
    {
        if (row instanceof final PairRow pair)
        {
            final int leftLength = image(left, pair.left());
            encoder.pair(isInsertion, left.addressOffset(), leftLength, right.addressOffset(),
                image(right, pair.right()));
        }
        else if (row instanceof final UnmatchedRow alone)
        {
            final int length = image(left, alone.row());
            encoder.unmatched(isInsertion, alone.side(), alone.isFinal(), left.addressOffset(), length);
        }
        else
        {
            final SessionRow session = (SessionRow)row;
            SessionImage.put(left.addressOffset(), session.start(), session.end(), session.count(),
                session.sum().shiftRight(Long.SIZE).longValueExact(), session.sum().longValue(), session.min(),
                session.max());
            SessionImage.putPublication(left.addressOffset(), session.publication(), session.isFinal());
            encoder.session(isInsertion, left.addressOffset());
        }
    }

    private static int image(final UnsafeBuffer to, final SourceRow row)
    {
        final byte[] id = row.id().bytes();
        RowImage.put(to.addressOffset(), row.revision(), row.time(), row.value(), row.partition(), row.index());
        to.putByte(RowImage.ID_LENGTH_OFFSET, (byte)id.length);
        to.putBytes(RowImage.ID_OFFSET, id);
        return RowImage.length(id.length);
    }

    private static int slot(final byte[] key, final int slots)
    {
        final UnsafeBuffer bytes = new UnsafeBuffer(ByteBuffer.allocateDirect(key.length));
        bytes.putBytes(0, key);
        return KeyHash.slot(KeyHash.hash(bytes.addressOffset(), key.length), slots);
    }
}
