package io.tidemark.ops.command;

import java.util.Comparator;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;

import io.tidemark.ops.config.Configuration;
import io.tidemark.ops.config.ConfigurationException;
import io.tidemark.ops.config.DataFormat;
import io.tidemark.ops.config.RuleTables;
import io.tidemark.sink.Change;
import io.tidemark.sink.ChangeLogReader;
import io.tidemark.sink.PairRow;
import io.tidemark.sink.ResultRow;
import io.tidemark.sink.SessionRow;
import io.tidemark.sink.UnmatchedRow;
import io.tidemark.sink.Utf8;
import io.tidemark.sink.export.RowIdText;
import io.tidemark.sink.repair.Publications;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/**
 * Shows the generations of the table, and the tables of rule versions.
 */
@Command(
    name = "generation",
    synopsisSubcommandLabel = "list|diff A B|prune V",
    description = {
        "Each published repair begins a new generation of the table, and so does each new version of the rule.",
        "Older generations stay readable: tidemark export --generation G."})
final class GenerationCommand implements Callable<Integer>
{
    @ParentCommand
    private RootCommand root;

    @Spec
    private CommandSpec spec;

    @Mixin
    private ConfigurationOption option;

    private Configuration configuration;
    private RuleTables tables;

    @Override
    public Integer call()
    {
        throw new CommandLine.ParameterException(spec.commandLine(), "list, diff or prune?");
    }

    @Command(description = "All generations: what began each of them, and which one readers use.")
    int list()
    {
        open();
        final RuleTables.Table serving = tables.serving();
        for (final RuleTables.Table table : tables.all())
        {
            final Publications publications = Publications.read(table.directory(), Long.MAX_VALUE);
            final String state = table.equals(serving) ? "serving" :
                table.firstGeneration() > serving.firstGeneration() ? "not checked, does not serve" : "readable";
            root.console().line("generation " + table.firstGeneration() + "  rule version " + table.rule() +
                (publications.list().isEmpty() ? "  " + state : ""));
            for (final Publications.Publication publication : publications.list())
            {
                final boolean isNewest =
                    publication.generation() == publications.newestGeneration(table.firstGeneration());
                root.console().line("generation " + publication.generation() + "  repair at position " +
                    publication.position() + "  key " + publication.key() + "  " + publication.late() +
                    (publication.late() == 1 ? " late event  " : " late events  ") + publication.retractions() +
                    " retracted, " + publication.insertions() + " inserted" + (isNewest ? "  " + state : ""));
            }
        }
        return ExitCode.DONE;
    }

    @Command(
        description = {
            "Rows that are current in one of two generations only, - in the first and + in the second.",
            "A generation is the table as it stood when the next one began, the newest as it stands now. Between two " +
            "versions of a rule rows are the same that differ in the version alone."})
    int diff(
        @Parameters(paramLabel = "A", description = "A generation.") final long first,
        @Parameters(paramLabel = "B", description = "Another one.") final long second)
    {
        open();
        final Map<Utf8, ResultRow> before = table(first);
        final Map<Utf8, ResultRow> after = table(second);
        final Map<Utf8, String> lines = new TreeMap<>(Comparator.naturalOrder());
        final RowIdText rowIds = new RowIdText();
        final long[] counts = new long[2];
        before.forEach((id, row) ->
        {
            if (!row.equals(after.get(id)))
            {
                counts[0]++;
                lines.put(Utf8.of(id + " -"), "- " + rowIds.of(row));
            }
        });
        after.forEach((id, row) ->
        {
            if (!row.equals(before.get(id)))
            {
                counts[1]++;
                lines.put(Utf8.of(id + " ~"), "+ " + rowIds.of(row));
            }
        });
        lines.values().forEach(root.console()::line);
        root.console().line(counts[0] + (counts[0] == 1 ? " row" : " rows") + " only in generation " + first + ", " +
            counts[1] + " only in generation " + second + ".");
        return ExitCode.DONE;
    }

    @Command(description = "Deletes the table of a rule version that no longer serves.")
    int prune(@Parameters(paramLabel = "V", description = "Version of the rule.") final int version)
    {
        open();
        tables.prune(version, table -> Sinks.drop(configuration, table));
        root.console().line("The table of rule version " + version + " is deleted.");
        return ExitCode.DONE;
    }

    private void open()
    {
        configuration = option.read();
        new DataFormat(configuration).check();
        tables = new RuleTables(configuration);
        if (tables.serving() == null)
        {
            throw new FailedException("nothing has been computed yet; run the pipeline first: tidemark run -c " +
                option.file() + " --until-caught-up");
        }
    }

    /** Current rows as of a generation by row id, without rule versions and places of publication. */
    private Map<Utf8, ResultRow> table(final long generation)
    {
        final RuleTables.Table table = tables.ofGeneration(generation);
        final Map<Utf8, ResultRow> rows = new TreeMap<>();
        final RowIdText rowIds = new RowIdText();
        final long[] newest = {table.firstGeneration()};
        try (ChangeLogReader reader = ChangeLogReader.open(table.directory()))
        {
            reader.pollAll(changeSet ->
            {
                newest[0] = Math.max(newest[0], changeSet.generation());
                if (changeSet.generation() <= generation)
                {
                    for (final Change change : changeSet.changes())
                    {
                        final ResultRow row = plain(change.row());
                        final Utf8 id = Utf8.of(rowIds.of(row));
                        if (change.isInsertion())
                        {
                            rows.put(id, row);
                        }
                        else
                        {
                            rows.remove(id);
                        }
                    }
                }
            });
        }
        if (generation > newest[0])
        {
            throw new ConfigurationException("there is no generation " + generation + "; the newest is " + newest[0]);
        }
        return rows;
    }

    private ResultRow plain(final ResultRow row)
    {
        final int rule = configuration.spec().rule().version();
        if (row instanceof final PairRow pair)
        {
            return new PairRow(rule, pair.key(), pair.left(), pair.right());
        }
        if (row instanceof final UnmatchedRow alone)
        {
            return new UnmatchedRow(rule, alone.key(), alone.side(), alone.row(), alone.isFinal());
        }
        final SessionRow session = (SessionRow)row;
        return new SessionRow(rule, session.key(), session.start(), session.end(), session.count(), session.sum(),
            session.min(), session.max(), session.isFinal(), 0);
    }
}
