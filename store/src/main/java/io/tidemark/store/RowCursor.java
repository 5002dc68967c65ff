package io.tidemark.store;

/**
 * A place in a {@link TimeIndex}. It is valid until the index's tree changes; the addresses it gives hold as long.
 */
public final class RowCursor
{
    int leaf;
    long address;
    int entry;
    int count;

    /**
     * Reference of the leaf block.
     *
     * @return the leaf.
     */
    public int leaf()
    {
        return leaf;
    }

    /**
     * Number of the row within its leaf.
     *
     * @return 0 to 63.
     */
    public int entry()
    {
        return entry;
    }

    /**
     * Number of rows in the leaf.
     *
     * @return 1 to 63.
     */
    public int rows()
    {
        return count;
    }

    /**
     * Start of the row's interval.
     *
     * @return nanoseconds.
     */
    public long start()
    {
        return NodeDescriptor.start(address, entry);
    }

    /**
     * Hash of the row's id.
     *
     * @return what it was inserted with.
     */
    public int hash()
    {
        return NodeDescriptor.hash(address, entry);
    }

    /**
     * Where the row's body is.
     *
     * @return an address.
     */
    public long body()
    {
        return NodeDescriptor.body(address, entry);
    }

    /**
     * Length of the row's body.
     *
     * @return bytes.
     */
    public int length()
    {
        return NodeDescriptor.length(address, entry);
    }

    void to(final int newLeaf, final long newAddress, final int newEntry)
    {
        leaf = newLeaf;
        address = newAddress;
        entry = newEntry;
        count = NodeDescriptor.count(newAddress);
    }

    /** Goes to the next row of the leaf that has a hash. */
    boolean nextOfHash(final int hash)
    {
        int i = entry + 1;
        while (i < count && NodeDescriptor.hash(address, i) != hash)
        {
            i++;
        }
        entry = i;
        return i < count;
    }
}
