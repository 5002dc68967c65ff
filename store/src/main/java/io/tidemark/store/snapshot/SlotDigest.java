package io.tidemark.store.snapshot;

/**
 * The state of a slot in short.
 *
 * @param slot  its number.
 * @param pages that it has.
 * @param high  half of the digest over all of them.
 * @param low   half of the digest over all of them.
 */
public record SlotDigest(int slot, int pages, long high, long low)
{
    @Override
    public String toString()
    {
        return "slot " + slot + ", " + pages + " pages, digest " + Digest.text(high, low);
    }
}
