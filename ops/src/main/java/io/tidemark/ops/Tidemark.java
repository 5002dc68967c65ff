package io.tidemark.ops;

/**
 * The command line.
 */
public final class Tidemark
{
    private Tidemark()
    {
    }

    /**
     * Where the launcher starts.
     *
     * @param args the command and what belongs to it.
     */
    public static void main(final String[] args)
    {
        System.err.println("tidemark: there are no commands yet.");
        System.exit(2);
    }
}
