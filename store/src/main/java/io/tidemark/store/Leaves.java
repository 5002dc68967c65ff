package io.tidemark.store;

import static io.tidemark.store.TimeIndex.HOME_LENGTH;

import org.agrona.UnsafeApi;

/** Makes and frees the leaves of a {@link TimeIndex}: blocks of their own, or part of their owner's block. */
final class Leaves
{
    private static final int HOME_CLASS = Arena.classFor(HOME_LENGTH);

    private final Arena arena;

    Leaves(final Arena arena)
    {
        this.arena = arena;
    }

    /** An empty leaf in a block of a class. */
    int make(final int owner, final int sizeClass, final boolean isMeasured)
    {
        final int leaf = arena.allocate(sizeClass);
        final long address = arena.writable(leaf);
        NodeDescriptor.sizeClass(address, sizeClass);
        NodeDescriptor.measured(address, isMeasured);
        NodeDescriptor.heap(address, Arena.sizeOf(sizeClass));
        NodeDescriptor.owner(address, owner);
        return leaf;
    }

    /** An empty leaf in its owner's block. */
    int makeHome(final int owner, final int home)
    {
        final long address = arena.writable(home);
        NodeDescriptor.home(address, HOME_CLASS);
        NodeDescriptor.heap(address, HOME_LENGTH);
        NodeDescriptor.owner(address, owner);
        return home;
    }

    void free(final int leaf, final long address)
    {
        if (NodeDescriptor.isHome(address))
        {
            UnsafeApi.setMemory(arena.writable(leaf), HOME_LENGTH, (byte)0);
        }
        else
        {
            arena.free(leaf, NodeDescriptor.sizeClass(address));
        }
    }
}
