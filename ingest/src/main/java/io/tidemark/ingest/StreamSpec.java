package io.tidemark.ingest;

/**
 * A stream of the configuration.
 *
 * @param name       letters, digits, {@code _}, {@code -} and {@code .}, as it names directories; not starting with a
 *                   dot.
 * @param partitions 1 or more.
 */
public record StreamSpec(String name, int partitions)
{
    /**
     * @throws IllegalArgumentException when the name or the number is not possible.
     */
    public StreamSpec
    {
        if (!name.matches("[A-Za-z0-9_-][A-Za-z0-9_.-]{0,99}"))
        {
            throw new IllegalArgumentException("the name of a stream is 1 to 100 letters, digits, _, - and ., " +
                "the first not a dot: '" + name + "'");
        }
        if (partitions < 1)
        {
            throw new IllegalArgumentException("stream " + name + " needs one partition at least: " + partitions);
        }
    }
}
