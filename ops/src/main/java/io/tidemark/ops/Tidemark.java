package io.tidemark.ops;

import io.tidemark.ops.command.CommandLineRunner;
import io.tidemark.ops.command.Console;

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
        new CommandLineRunner(Console.system()).runAndExit(args);
    }
}
