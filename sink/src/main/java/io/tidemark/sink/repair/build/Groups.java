package io.tidemark.sink.repair.build;

import java.util.HashMap;
import java.util.Map;

/**
 * Things that belong together, and through others: each group is known by one of its members.
 */
final class Groups<T extends Comparable<T>>
{
    private final Map<T, T> parents = new HashMap<>();

    void add(final T member)
    {
        parents.putIfAbsent(member, member);
    }

    boolean has(final T member)
    {
        return parents.containsKey(member);
    }

    void join(final T one, final T other)
    {
        add(one);
        add(other);
        final T a = of(one);
        final T b = of(other);
        // The smallest member stands for all, so that what comes out does not depend on the way it was found.
        parents.put(a.compareTo(b) < 0 ? b : a, a.compareTo(b) < 0 ? a : b);
    }

    /** The member that stands for the group of another. */
    T of(final T member)
    {
        T root = member;
        while (!parents.get(root).equals(root))
        {
            root = parents.get(root);
        }
        T at = member;
        while (!at.equals(root))
        {
            at = parents.put(at, root);
        }
        return root;
    }
}
