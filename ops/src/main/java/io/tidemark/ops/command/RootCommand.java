package io.tidemark.ops.command;

import java.util.concurrent.Callable;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/**
 * {@code tidemark} alone: holds what all commands share.
 */
@Command(
    name = "tidemark",
    description = "Event-time joins over replayable logs.",
    synopsisSubcommandLabel = "COMMAND",
    version = "tidemark 1.0",
    subcommands = {
        DemoCommand.class, InitCommand.class, IngestCommand.class, RunCommand.class, ExportCommand.class,
        StatusCommand.class, VerifyCommand.class, ReplayCommand.class, CheckpointCommand.class, RepairCommand.class,
        GenerationCommand.class, DumpCommand.class, SoakCommand.class},
    footer = {
        "  bench   Measures; see 'tidemark bench --help'.",
        "",
        "Start with: tidemark demo"})
final class RootCommand implements Callable<Integer>
{
    @Spec
    private CommandSpec spec;

    @Option(names = {"-h", "--help"}, usageHelp = true, scope = ScopeType.INHERIT, description = "Says what it does.")
    @SuppressWarnings("unused")
    private boolean isHelpWanted;

    @Option(names = "--version", versionHelp = true, description = "Says which version this is.")
    @SuppressWarnings("unused")
    private boolean isVersionWanted;

    @Option(
        names = "--verbose", scope = ScopeType.INHERIT, description = "With the stack trace, should something fail.")
    private boolean isVerbose;

    private final Console console;

    RootCommand(final Console console)
    {
        this.console = console;
    }

    Console console()
    {
        return console;
    }

    boolean isVerbose()
    {
        return isVerbose;
    }

    @Override
    public Integer call()
    {
        throw new CommandLine.ParameterException(spec.commandLine(), "which command?");
    }
}
