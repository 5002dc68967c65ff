package io.tidemark.operator.session;

import io.tidemark.operator.change.SessionImage;
import io.tidemark.store.Aggregate;
import org.agrona.UnsafeApi;

/**
 * Layout of the body of a session in a {@link io.tidemark.store.TimeIndex}, which has its start once more. Its image is
 * stored as it was published or will be.
 *
 * <pre>
 *    0  flags (8)
 *    8  image               {@link SessionImage}: extent and aggregates of all members, old ones included
 *   80  baseLast (64)       where old members are kept as sums: the latest time among them
 *   88  base                {@link Aggregate} of those
 * </pre>
 */
final class SessionDescriptor
{
    /** The event at hand has changed the session, and what it had published is noted. */
    static final int CHANGED = 1;

    /** Offset of the session's {@link SessionImage}. */
    static final int IMAGE = 8;

    private static final int FLAGS = 0;
    private static final int AGGREGATE = IMAGE + SessionImage.COUNT_OFFSET;
    private static final int BASE_LAST = 80;
    private static final int BASE = 88;
    private static final int LENGTH = BASE_LAST;
    private static final int LENGTH_WITH_BASE = BASE + Aggregate.LENGTH;

    private SessionDescriptor()
    {
    }

    static int length(final boolean hasBase)
    {
        return hasBase ? LENGTH_WITH_BASE : LENGTH;
    }

    static boolean isChanged(final long session)
    {
        return UnsafeApi.getByte(session + FLAGS) != 0;
    }

    static void changed(final long session, final boolean is)
    {
        UnsafeApi.putByte(session + FLAGS, (byte)(is ? CHANGED : 0));
    }

    static long image(final long session)
    {
        return session + IMAGE;
    }

    static long start(final long session)
    {
        return SessionImage.start(session + IMAGE);
    }

    static void start(final long session, final long value)
    {
        UnsafeApi.putLong(session + IMAGE + SessionImage.START_OFFSET, value);
    }

    static long end(final long session)
    {
        return SessionImage.end(session + IMAGE);
    }

    static void end(final long session, final long value)
    {
        UnsafeApi.putLong(session + IMAGE + SessionImage.END_OFFSET, value);
    }

    /** Where the {@link Aggregate} of all members is: part of the image. */
    static long aggregate(final long session)
    {
        return session + AGGREGATE;
    }

    static long baseLast(final long session)
    {
        return UnsafeApi.getLong(session + BASE_LAST);
    }

    /** Where the {@link Aggregate} of the members that are kept as sums is. */
    static long base(final long session)
    {
        return session + BASE;
    }

    /** Takes a member into what is kept as sums. */
    static void fold(final long session, final long time, final long value)
    {
        final boolean isFirst = Aggregate.count(session + BASE) == 0;
        UnsafeApi.putLong(session + BASE_LAST, isFirst ? time : Math.max(time, baseLast(session)));
        Aggregate.add(session + BASE, value);
    }

    static
    {
        // an image has count, sum, smallest and largest as an aggregate has them
        assert SessionImage.SUM_HIGH_OFFSET - SessionImage.COUNT_OFFSET == 8;
        assert SessionImage.MAX_OFFSET + 8 - SessionImage.COUNT_OFFSET == Aggregate.LENGTH;
        assert IMAGE + SessionImage.LENGTH <= LENGTH;
    }
}
