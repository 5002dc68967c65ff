package io.tidemark.operator.session;

import io.tidemark.operator.keyed.KeyDescriptor;

/** The three trees of a key. */
final class Trees
{
    private Trees()
    {
    }

    /** Where the root of the members' tree is; ordered by event time and measured by value. */
    static long members(final long key)
    {
        return KeyDescriptor.rootAddress(key, 0);
    }

    static int membersRoot(final long key)
    {
        return KeyDescriptor.root(key, 0);
    }

    /** Where the root of the tree of sessions that are not final is; ordered by start, and so by end. */
    static long sessions(final long key)
    {
        return KeyDescriptor.rootAddress(key, 1);
    }

    static int sessionsRoot(final long key)
    {
        return KeyDescriptor.root(key, 1);
    }

    /** Where the root of the tombstones' tree is; ordered by the largest time seen. */
    static long tombstones(final long key)
    {
        return KeyDescriptor.thirdRootAddress(key);
    }

    static int tombstonesRoot(final long key)
    {
        return KeyDescriptor.thirdRoot(key);
    }

    static boolean areEmpty(final long key)
    {
        return membersRoot(key) == 0 && sessionsRoot(key) == 0 && tombstonesRoot(key) == 0;
    }

    /** When a key's first session is to be looked at. */
    static long finalityDue(final long key)
    {
        return KeyDescriptor.cleanUp(key, 1);
    }

    static void finalityDue(final long key, final long due)
    {
        KeyDescriptor.cleanUp(key, 1, due);
    }

    /** When a key's clean-up is due. */
    static long cleanUpDue(final long key)
    {
        return KeyDescriptor.cleanUp(key, 0);
    }

    static void cleanUpDue(final long key, final long due)
    {
        KeyDescriptor.cleanUp(key, 0, due);
    }
}
