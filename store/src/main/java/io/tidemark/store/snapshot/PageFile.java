package io.tidemark.store.snapshot;

/**
 * A file of pages as its manifest names it.
 *
 * @param name       in the directory of checkpoints.
 * @param bytes      its length.
 * @param pages      in it.
 * @param digestHigh over all its pages.
 * @param digestLow  over all its pages.
 */
public record PageFile(String name, long bytes, long pages, long digestHigh, long digestLow)
{
    static final String SUFFIX = ".pages";

    /** How a page file came about. */
    enum Kind
    {
        /** Pages that changed since the checkpoint before. */
        CHANGED,
        /** Every page, from memory. */
        ALL,
        /** Every page, from other files. */
        FOLDED
    }

    static String name(final long position, final Kind kind)
    {
        return CheckpointDirectory.number(position) + switch (kind)
        {
            case CHANGED -> "-changed";
            case ALL -> "-all";
            case FOLDED -> "-folded";
        } + SUFFIX;
    }
}
