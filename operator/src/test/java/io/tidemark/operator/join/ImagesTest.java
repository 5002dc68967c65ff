package io.tidemark.operator.join;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tidemark.operator.keyed.Keys;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;

import org.agrona.UnsafeApi;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.tidemark.operator.change.RowImage;
import io.tidemark.operator.oracle.ResultRow;

/** Partners come out in the order of the row ids that they lead to, whatever ids look like and how many there are. */
class ImagesTest
{
    private static final String[] SHAPES =
        {"p-%012x", "%d", "%011x", "%x~%d", "payment-000000-%06d", "%02x", "%x-same-tail-%d", "é%d|@%%"};

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 8, 12, 13, 60, 255, 256, 3_000})
    void shouldSortAsRowIdsDo(final int count)
    {
        final SplittableRandom random = new SplittableRandom(count);
        for (final String shape : SHAPES)
        {
            final Set<String> ids = new HashSet<>();
            for (int i = 0; i < count * 3; i++)
            {
                final long number = random.nextInt(4) == 0 ? i : random.nextLong(1L << 40);
                ids.add(String.format(shape, shape.equals("%02x") ? number & 0xFFF : number, number % 7));
            }
            assertSorted(List.copyOf(ids).subList(0, Math.min(ids.size(), count)));
        }
    }

    @Test
    void shouldSortIdsThatDifferOnlyFarBehindWhatTheyShare()
    {
        final List<String> ids = new ArrayList<>();
        for (int i = 0; i < 2_000; i++)
        {
            ids.add((i % 2 == 0 ? "a" : "b") + "the same for all of them " + Integer.toHexString(i * 7_919 % 2_003));
        }
        assertSorted(ids);
    }

    @Test
    void shouldSortSetsOneAfterTheOtherThatShareMoreAndLess()
    {
        final SplittableRandom random = new SplittableRandom(7);
        try (Images images = new Images())
        {
            for (int turn = 0; turn < 2_000; turn++)
            {
                final String prefix = "shared-by-all-of-one-set".substring(0, random.nextInt(25));
                final Set<String> ids = new HashSet<>();
                for (int i = random.nextInt(2, 40); i > 0; i--)
                {
                    ids.add(prefix + (random.nextInt(8) == 0 ? "" :
                        Long.toString(random.nextLong(1L << random.nextInt(1, 40)), random.nextInt(8, 37))));
                }
                assertSorted(images, List.copyOf(ids));
            }
        }
    }

    /** What stands beside digits and letters in the order of bytes, and looks like them in some of its bits. */
    @Test
    void shouldSortIdsThatAreNearlyDigits()
    {
        final SplittableRandom random = new SplittableRandom(31);
        final String all = "/0123456789:;<=>?`abcdefghijklmnopqrstuvwxyz{|_AF";
        for (int turn = 0; turn < 400; turn++)
        {
            final int from = random.nextInt(all.length() - 4);
            final String alphabet = "019af" + all.substring(from, from + 4);
            final Set<String> ids = new HashSet<>();
            for (int i = random.nextInt(13, turn % 4 == 0 ? 600 : 60); i > 0; i--)
            {
                final StringBuilder id = new StringBuilder("p-");
                for (int c = turn % 3 == 0 ? random.nextInt(1, 12) : 10; c > 0; c--)
                {
                    id.append(alphabet.charAt(random.nextInt(alphabet.length())));
                }
                ids.add(id.toString());
            }
            assertSorted(List.copyOf(ids));
        }
    }

    private static void assertSorted(final List<String> ids)
    {
        try (Images images = new Images())
        {
            assertSorted(images, ids);
        }
    }

    private static void assertSorted(final Images images, final List<String> ids)
    {
        images.clear();
        final List<String> expected = new ArrayList<>(ids);
        expected.sort(Comparator.comparing(ImagesTest::rowId, ResultRow::compareUtf8));
        final long memory = UnsafeApi.allocateMemory((long)ids.size() * RowImage.MAX_LENGTH);
        try
        {
            for (int i = 0; i < ids.size(); i++)
            {
                final long image = memory + (long)i * RowImage.MAX_LENGTH;
                final byte[] id = ids.get(i).getBytes(StandardCharsets.UTF_8);
                UnsafeApi.putByte(image + RowImage.ID_LENGTH_OFFSET, (byte)id.length);
                RowImage.put(image, 0, 0, 0, 0, 0);
                for (int b = 0; b < id.length; b++)
                {
                    UnsafeApi.putByte(image + RowImage.ID_OFFSET + b, id[b]);
                }
                images.add(image);
            }
            images.sortAsPartners(1);
            final List<String> sorted = new ArrayList<>();
            for (int i = 0; i < images.size(); i++)
            {
                final long image = images.image(i);
                sorted.add(Keys.text(image + RowImage.ID_OFFSET, RowImage.idLength(image)));
            }
            assertEquals(expected, sorted);
        }
        finally
        {
            UnsafeApi.freeMemory(memory);
        }
    }

    private static String rowId(final String id)
    {
        return new ResultRow.Unmatched(1, "k", 0,
            new io.tidemark.operator.oracle.RowImage(id, 0, 0, 0, 0, 0, 0), false).rowId();
    }
}
