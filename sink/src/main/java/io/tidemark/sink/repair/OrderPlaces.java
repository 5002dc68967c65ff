package io.tidemark.sink.repair;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32;

import io.tidemark.ingest.order.OrderedEvents;
import io.tidemark.sink.verify.OrderStart;

/**
 * Places in the order with the largest time of any event before them, so that who looks for events of some time need
 * not read what lies before it: {@code repair-places} in the data directory. Every scan goes on with it where the one
 * before ended, so that each record is read for it once. It is made of the logs and nothing else: where it is missing,
 * damaged, or cannot be written, a scan begins at the oldest record and makes it anew.
 * <pre>
 *  +---------+---------+-------+--------------------------------------------------------+-------+
 *  | version | sources | count | count times: position, largestTime, ordered of each source | crc |
 *  +---------+---------+-------+--------------------------------------------------------+-------+
 * </pre>
 * All fields are 64 bits, big-endian.
 */
final class OrderPlaces
{
    private record Place(long position, long largestTime, List<Long> ordered)
    {
    }

    private static final String FILE = "repair-places";
    private static final long VERSION = 1;
    private static final int HEADER_LENGTH = 3 * Long.BYTES;
    private static final int STRIDE = 1 << 14;

    private final Path file;
    private final int sources;
    private final List<Place> places = new ArrayList<>();
    private boolean isChanged;

    private OrderPlaces(final Path file, final int sources)
    {
        this.file = file;
        this.sources = sources;
    }

    /** What earlier scans have left; empty where that is nothing that can be trusted. */
    static OrderPlaces read(final Path dataDirectory, final int sources)
    {
        final OrderPlaces places = new OrderPlaces(dataDirectory.resolve(FILE), sources);
        try
        {
            if (Files.exists(places.file))
            {
                places.read(Files.readAllBytes(places.file));
            }
        }
        catch (final IOException e)
        {
            places.places.clear();
        }
        return places;
    }

    private void read(final byte[] content)
    {
        final ByteBuffer bytes = ByteBuffer.wrap(content);
        final int length = content.length - Long.BYTES;
        if (length < HEADER_LENGTH || crc(content, length) != bytes.getLong(length) || bytes.getLong() != VERSION ||
            bytes.getLong() != sources)
        {
            return;
        }
        final long count = bytes.getLong();
        for (long i = 0; i < count; i++)
        {
            final long position = bytes.getLong();
            final long largestTime = bytes.getLong();
            final List<Long> ordered = new ArrayList<>();
            for (int source = 0; source < sources; source++)
            {
                ordered.add(bytes.getLong());
            }
            places.add(new Place(position, largestTime, ordered));
        }
    }

    private static long crc(final byte[] bytes, final int length)
    {
        final CRC32 crc = new CRC32();
        crc.update(bytes, 0, length);
        return crc.getValue();
    }

    /**
     * The newest place before which nothing has a time that matters.
     *
     * @param fromTime     earliest that matters.
     * @param from         oldest position that is still kept.
     * @param lastPosition that the place may have.
     * @return null where there is none.
     */
    OrderStart before(final long fromTime, final long from, final long lastPosition)
    {
        for (int i = places.size() - 1; i >= 0; i--)
        {
            final Place place = places.get(i);
            if (place.position() <= lastPosition && place.largestTime() < fromTime)
            {
                return place.position() < from ? null : new OrderStart(
                    place.position(), place.ordered().stream().mapToLong(Long::longValue).toArray());
            }
        }
        return null;
    }

    /** The largest time before a place that {@link #before} has named. */
    long largestTimeAt(final long position)
    {
        return places.stream().filter(place -> place.position() == position).findFirst().orElseThrow().largestTime();
    }

    /** Whether a scan that has come so far may tell something new. */
    boolean isDue(final long position)
    {
        return position >= end() + STRIDE;
    }

    private long end()
    {
        return places.isEmpty() ? 0 : places.get(places.size() - 1).position();
    }

    /**
     * Takes in where a scan stands, which began at or before the last place. The last place gives way to one that is
     * not a stride further than the last but one, so that many short scans leave no more places than a long one.
     */
    void add(final OrderedEvents order, final long largestTime)
    {
        if (order.position() <= end())
        {
            return;
        }
        final List<Long> ordered = new ArrayList<>();
        for (int source = 0; source < sources; source++)
        {
            ordered.add(order.lastNumber(source) + 1);
        }
        final int count = places.size();
        if (count > 1 && order.position() - places.get(count - 2).position() < STRIDE)
        {
            places.remove(count - 1);
        }
        places.add(new Place(order.position(), largestTime, ordered));
        isChanged = true;
    }

    /** Keeps what was added. That it cannot be kept costs the next scan time, and nothing else. */
    void write()
    {
        if (!isChanged)
        {
            return;
        }
        final ByteBuffer bytes =
            ByteBuffer.allocate(HEADER_LENGTH + places.size() * (2 + sources) * Long.BYTES + Long.BYTES);
        bytes.putLong(VERSION).putLong(sources).putLong(places.size());
        for (final Place place : places)
        {
            bytes.putLong(place.position()).putLong(place.largestTime());
            place.ordered().forEach(bytes::putLong);
        }
        bytes.putLong(crc(bytes.array(), bytes.position()));
        try
        {
            final Path unfinished = Files.createTempFile(file.getParent(), FILE + "-", ".tmp");
            try
            {
                Files.write(unfinished, bytes.array());
                Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            }
            finally
            {
                Files.deleteIfExists(unfinished);
            }
        }
        catch (final IOException e)
        {
            isChanged = false;
        }
    }
}
