package io.tidemark.operator.keyed;

import io.tidemark.operator.change.Bytes;
import io.tidemark.store.Arena;
import io.tidemark.store.TimeIndex;
import org.agrona.UnsafeApi;

/**
 * Layout of a key's block: one cache line for keys of up to 22 bytes, so that one line holds what most events need.
 *
 * <pre>
 *    0  hash (32)              as in the index of keys
 *    4  roots (2 x 32)         joins: of the trees of left and right rows; sessions: of members and of sessions
 *   12  clocks (32)            block of the key's own clocks, see {@link KeyClocks}
 *   16  cleanUp (2 x 64)       when its clean-up is due on each clock; sessions, which have one clock: the second is
 *                             when the first session is to be looked at
 *   32  unused (32)
 *   36  tombstones (32)        joins: how many are in both trees; sessions: root of their tree
 *   40  class (8)              of the block
 *   41  keyLength (8)
 *   42  key
 *       home                from the next line on, where the key was made with one: room for its first leaf of rows, so
 *                           that a key with one row is one block
 * </pre>
 */
public final class KeyDescriptor
{
    public static final int KEY = 42;

    private static final int HASH = 0;
    private static final int ROOTS = 4;
    private static final int CLOCKS = 12;
    private static final int CLEAN_UP = 16;
    private static final int TOMBSTONES = 36;
    private static final int CLASS = 40;
    private static final int KEY_LENGTH = 41;

    private KeyDescriptor()
    {
    }

    public static int classFor(final int keyLength)
    {
        return Arena.marked(Arena.classFor(KEY + keyLength));
    }

    /** Class of the block of a key with a home. */
    static int classWithHome(final int keyLength)
    {
        return Arena.marked(Arena.classFor(lines(keyLength) * Arena.LINE + TimeIndex.HOME_LENGTH));
    }

    /** Where the first leaf of a key's rows may be, in a key that has a home. */
    public static int home(final int keyRef, final int keyLength)
    {
        return keyRef + lines(keyLength);
    }

    /** Whether a leaf is in the block of a key of ordinary length; it may be there without this being said. */
    public static boolean isHome(final int keyRef, final int leaf)
    {
        return leaf == keyRef + 1;
    }

    private static int lines(final int keyLength)
    {
        return (KEY + keyLength + Arena.LINE - 1) / Arena.LINE;
    }

    public static void init(
        final long key, final int sizeClass, final int hash, final long bytes, final int length)
    {
        UnsafeApi.putInt(key + HASH, hash);
        UnsafeApi.putLong(key + CLEAN_UP, Calendar.NOTHING_DUE);
        UnsafeApi.putLong(key + CLEAN_UP + 8, Calendar.NOTHING_DUE);
        UnsafeApi.putByte(key + CLASS, (byte)sizeClass);
        UnsafeApi.putByte(key + KEY_LENGTH, (byte)length);
        Bytes.copy(bytes, key + KEY, length);
    }

    public static int hash(final long key)
    {
        return UnsafeApi.getInt(key + HASH);
    }

    public static long rootAddress(final long key, final int side)
    {
        return key + ROOTS + 4L * side;
    }

    public static int root(final long key, final int side)
    {
        return UnsafeApi.getInt(key + ROOTS + 4L * side);
    }

    public static int clocks(final long key)
    {
        return UnsafeApi.getInt(key + CLOCKS);
    }

    public static void clocks(final long key, final int ref)
    {
        UnsafeApi.putInt(key + CLOCKS, ref);
    }

    public static long cleanUp(final long key, final int clock)
    {
        return UnsafeApi.getLong(key + CLEAN_UP + 8L * clock);
    }

    public static void cleanUp(final long key, final int clock, final long due)
    {
        UnsafeApi.putLong(key + CLEAN_UP + 8L * clock, due);
    }

    public static int tombstones(final long key)
    {
        return UnsafeApi.getInt(key + TOMBSTONES);
    }

    public static void addTombstones(final long key, final int delta)
    {
        UnsafeApi.putInt(key + TOMBSTONES, tombstones(key) + delta);
    }

    public static long thirdRootAddress(final long key)
    {
        return key + TOMBSTONES;
    }

    public static int thirdRoot(final long key)
    {
        return UnsafeApi.getInt(key + TOMBSTONES);
    }

    public static int sizeClass(final long key)
    {
        return UnsafeApi.getByte(key + CLASS);
    }

    public static int keyLength(final long key)
    {
        return UnsafeApi.getByte(key + KEY_LENGTH) & 0xFF;
    }

    public static boolean isKey(final long key, final long bytes, final int length)
    {
        return keyLength(key) == length && Memory.equal(key + KEY, bytes, length);
    }
}
