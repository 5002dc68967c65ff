package io.tidemark.ops.command;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

import io.tidemark.ops.config.ConfigurationException;
import picocli.CommandLine;

/**
 * Runs one command line and turns whatever is thrown into sentences and an exit code.
 */
public final class CommandLineRunner
{
    private final Console console;
    private final RootCommand root;
    private final CommandLine commandLine;

    /**
     * @param console where the command reads and writes.
     */
    public CommandLineRunner(final Console console)
    {
        this.console = console;
        root = new RootCommand(console);
        commandLine = new CommandLine(root);
        commandLine.setOut(new PrintWriter(console.out(), true, StandardCharsets.UTF_8));
        commandLine.setErr(new PrintWriter(console.err(), true, StandardCharsets.UTF_8));
        commandLine.setUsageHelpAutoWidth(true);
        commandLine.setParameterExceptionHandler((e, args) -> usageError(e));
        commandLine.setExecutionExceptionHandler((e, command, result) -> failure(e));
    }

    /**
     * Runs a command.
     *
     * @param args the command and what belongs to it.
     * @return the exit code.
     */
    public int run(final String... args)
    {
        final int exitCode = execute(args);
        try
        {
            console.flush();
        }
        catch (final Console.ReaderGoneException e)
        {
            return ExitCode.DONE;
        }
        return exitCode;
    }

    private int execute(final String... args)
    {
        try
        {
            return commandLine.execute(args);
        }
        catch (final InternalError e)
        {
            return failure(new FailedException("a file of the data directory cannot be read any more (" +
                e.getMessage() + "): it was cut short, or its disk is failing; restore it from a backup"));
        }
    }

    /**
     * Runs a command and ends the process with its exit code.
     *
     * @param args the command and what belongs to it.
     */
    public void runAndExit(final String... args)
    {
        StopSignal.exit(run(args));
    }

    private int usageError(final CommandLine.ParameterException e)
    {
        final CommandLine command = e.getCommandLine();
        console.note(e.getMessage());
        final StringWriter guesses = new StringWriter();
        if (e instanceof final CommandLine.UnmatchedArgumentException unmatched &&
            CommandLine.UnmatchedArgumentException.printSuggestions(unmatched, new PrintWriter(guesses, true)))
        {
            console.note(guesses.toString().strip());
        }
        console.note("see '" + command.getCommandSpec().qualifiedName() + " --help'");
        return ExitCode.WRONG_USAGE;
    }

    private int failure(final Exception e)
    {
        if (e instanceof Console.ReaderGoneException)
        {
            return ExitCode.DONE;
        }
        console.note(sentence(e));
        if (root.isVerbose())
        {
            e.printStackTrace(console.err());
        }
        return e instanceof ConfigurationException ? ExitCode.WRONG_USAGE : ExitCode.FAILED;
    }

    private static String sentence(final Throwable e)
    {
        final boolean isOurs = e.getClass().getName().startsWith("io.tidemark.") && e.getMessage() != null;
        if (isOurs)
        {
            return e.getMessage();
        }
        final Throwable cause = e instanceof UncheckedIOException ? e.getCause() : e;
        if (cause instanceof IOException)
        {
            final boolean isSaid = e != cause && !cause.toString().equals(e.getMessage());
            return (isSaid ? e.getMessage() + " (" + cause + ")" : "a file cannot be used (" + cause + ")") +
                "; check that this user may read and write it, and its disk";
        }
        return "this should not have happened: " + e + "; --verbose shows where";
    }
}
