package io.tidemark.store;

import static io.tidemark.store.TimeIndex.HOME_LENGTH;

/** Makes and frees the leaves of a {@link TimeIndex}: blocks of their own, or part of their owner's block. */
final class Leaves
{
    private static final int HOME_CLASS = Arena.classFor(HOME_LENGTH);

    private Leaves()
    {
    }

    /** An empty leaf in a block of a class. */
    static int make(final Arena arena, final int owner, final int sizeClass, final boolean isMeasured)
    {
        final int leaf = arena.allocate(sizeClass);
        final long address = arena.writable(leaf);
        NodeDescriptor.initLeaf(address, sizeClass, isMeasured, owner);
        return leaf;
    }

    /** An empty leaf in its owner's block. */
    static int makeHome(final Arena arena, final int owner, final int home)
    {
        final long address = arena.writable(home);
        NodeDescriptor.home(address, HOME_CLASS);
        NodeDescriptor.heap(address, HOME_LENGTH);
        NodeDescriptor.owner(address, owner);
        return home;
    }

    static void free(final Arena arena, final int leaf, final long address)
    {
        if (NodeDescriptor.isHome(address))
        {
            Zeroes.put(arena.writable(leaf), HOME_LENGTH);
        }
        else
        {
            arena.free(leaf, NodeDescriptor.sizeClass(address));
        }
    }
}
