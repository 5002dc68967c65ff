package io.tidemark.ops.command;

import java.time.LocalDate;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.function.Predicate;

import io.tidemark.ops.config.Configuration;
import io.tidemark.ops.config.ConfigurationException;
import io.tidemark.ops.config.DataFormat;
import io.tidemark.ops.config.RuleTables;
import io.tidemark.sink.LateEntry;
import io.tidemark.sink.Utf8;
import io.tidemark.sink.candidate.Candidate;
import io.tidemark.sink.candidate.Draft;
import io.tidemark.sink.export.TimeText;
import io.tidemark.sink.repair.LateState;
import io.tidemark.sink.repair.Publications;
import io.tidemark.sink.repair.RepairQueue;
import io.tidemark.sink.repair.Repairs;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/**
 * Shows the repair queue and repairs what is due.
 */
@Command(
    name = "repair",
    synopsisSubcommandLabel = "list|run|show N|publish N",
    description = {
        "Late events change no results by themselves: they wait in the repair queue.",
        "A repair rebuilds from the raw logs what the results should be, as a candidate; checks it by brute force; " +
        "and publishes it, whole or not at all, as the next generation."})
final class RepairCommand implements Callable<Integer>
{
    @ParentCommand
    private RootCommand root;

    @Spec
    private CommandSpec spec;

    @Mixin
    private ConfigurationOption option;

    private Configuration configuration;

    @Override
    public Integer call()
    {
        throw new CommandLine.ParameterException(spec.commandLine(), "list, run, show or publish?");
    }

    @Command(description = "Late events by due day and state, and the candidates that are kept.")
    int list()
    {
        final Repairs repairs = repairs();
        final Map<Integer, Map<LateState, Integer>> days = new TreeMap<>();
        for (final RepairQueue.Item item : repairs.queue().items())
        {
            days.computeIfAbsent(item.event().dueDay(), day -> new EnumMap<>(LateState.class))
                .merge(item.state(), 1, Integer::sum);
        }
        if (days.isEmpty())
        {
            root.console().line("No event was late.");
        }
        days.forEach((day, states) ->
        {
            final List<String> counts = new ArrayList<>();
            states.forEach((state, count) -> counts.add(count + " " + state.text()));
            root.console().line(LocalDate.ofEpochDay(day) + "  " + String.join(", ", counts));
        });
        final Publications publications = repairs.publications();
        for (final Candidate candidate : repairs.candidates().all())
        {
            root.console().line(line(candidate, publications));
        }
        return ExitCode.DONE;
    }

    @Command(
        description = {
            "Builds and checks candidates for what is due, and publishes the valid ones.",
            "Due is what the live path can no longer touch; the rest is shown with the clocks that it waits for.",
            "Exit code 3 when a candidate is not valid."})
    int run(
        @Option(names = "--key", paramLabel = "K", description = "Only events of this key.") final String key,
        @Option(names = "--day", paramLabel = "D", description = "Only events due on this day, like 2026-03-31.")
        final String day,
        @Option(names = "--no-publish", description = "Keeps the candidates, and publishes none.")
        final boolean isNotPublished)
    {
        final Repairs repairs = repairs();
        final Predicate<LateEntry> wanted = wanted(key, day);
        final Repairs.Built built = repairs.build(wanted);
        boolean isComplaining = false;
        final List<Candidate> valid = new ArrayList<>();
        for (final Candidate candidate : built.candidates())
        {
            isComplaining |= !candidate.isValid();
            if (candidate.isValid() && !candidate.draft().isEmpty())
            {
                valid.add(candidate);
            }
            if (isNotPublished || !candidate.isValid() || candidate.draft().isEmpty())
            {
                root.console().line(line(candidate, repairs.publications()));
            }
        }
        built.waiting().forEach(draft -> root.console().line(waiting(draft)));
        if (built.candidates().isEmpty() && built.waiting().isEmpty())
        {
            root.console().line("Nothing waits for repair" + (key == null && day == null ? "." : " there."));
        }
        if (!isNotPublished && !valid.isEmpty())
        {
            publishAll(repairs, valid);
        }
        return isComplaining ? ExitCode.DONE_WITH_COMPLAINTS : ExitCode.DONE;
    }

    @Command(description = "Everything about a candidate: its region, what was read, what it changes, what is wrong.")
    int show(@Parameters(paramLabel = "N", description = "Number of the candidate.") final long number)
    {
        final Repairs repairs = repairs();
        final Candidate candidate = repairs.candidates().read(number);
        root.console().line(line(candidate, repairs.publications()));
        new CandidateText(configuration, root.console()).show(candidate);
        return ExitCode.DONE;
    }

    @Command(
        description = {
            "Checks a candidate once more and publishes it.",
            "One that was built on an older generation is built again first. Exit code 3 when it is not valid."})
    int publish(@Parameters(paramLabel = "N", description = "Number of the candidate.") final long number)
    {
        final Repairs repairs = repairs();
        final Publications.Publication done =
            repairs.publications().ofDigest(repairs.candidates().read(number).digest());
        if (done != null)
        {
            root.console().line("Candidate " + number + " was published before, as generation " + done.generation() +
                "; nothing was written.");
            return ExitCode.DONE;
        }
        final Candidate candidate = repairs.renew(number);
        if (!candidate.isValid() || candidate.draft().isEmpty())
        {
            root.console().line(line(candidate, repairs.publications()));
            return candidate.isValid() ? ExitCode.DONE : ExitCode.DONE_WITH_COMPLAINTS;
        }
        publishAll(repairs, List.of(candidate));
        return ExitCode.DONE;
    }

    /** What another publication has overtaken is built again, on top of it. */
    private void publishAll(final Repairs repairs, final List<Candidate> candidates)
    {
        List<Candidate> left = candidates;
        for (int round = 0; !left.isEmpty(); round++)
        {
            if (round == PublicationRun.MOST_ROUNDS)
            {
                throw new FailedException("other publications came first " + round + " times, and " + left.size() +
                    " candidates are left; run it again");
            }
            new PublicationRun(configuration, repairs, root.console()).publish(left);
            final Publications publications = repairs.publications();
            final List<Candidate> overtaken = new ArrayList<>();
            for (final Candidate candidate : left)
            {
                if (publications.ofDigest(candidate.digest()) == null)
                {
                    overtaken.add(candidate);
                }
                else
                {
                    root.console().line(line(candidate, publications));
                }
            }
            left = overtaken.isEmpty() ? List.of() : renew(repairs, overtaken);
        }
    }

    private List<Candidate> renew(final Repairs repairs, final List<Candidate> overtaken)
    {
        final List<Long> late = overtaken.stream().flatMap(candidate -> candidate.draft().region().late().stream())
            .toList();
        final List<Candidate> renewed = new ArrayList<>();
        for (final Candidate candidate : repairs.build(event -> late.contains(event.position())).candidates())
        {
            if (candidate.isValid() && !candidate.draft().isEmpty())
            {
                renewed.add(candidate);
            }
            else
            {
                root.console().line(line(candidate, repairs.publications()));
            }
        }
        return renewed;
    }

    private Repairs repairs()
    {
        configuration = option.read();
        new DataFormat(configuration).check();
        new RuleTables(configuration).requireReadable();
        if (!PipelineRun.hasEarlier(configuration))
        {
            throw new FailedException("nothing has been computed yet; run the pipeline first: tidemark run -c " +
                option.file() + " --until-caught-up");
        }
        return repairs(configuration);
    }

    static Repairs repairs(final Configuration configuration)
    {
        return new Repairs(configuration.spec(), configuration.dataDirectory(), configuration.resultsDirectory(),
            new RuleTables(configuration).firstGeneration(), configuration.repairHorizonNs());
    }

    private static Predicate<LateEntry> wanted(final String key, final String day)
    {
        final Utf8 wantedKey = key == null ? null : Utf8.of(key);
        final long wantedDay;
        try
        {
            wantedDay = day == null ? 0 : LocalDate.parse(day).toEpochDay();
        }
        catch (final DateTimeParseException e)
        {
            throw new ConfigurationException("--day is a day like 2026-03-31, not '" + day + "'");
        }
        return event -> (wantedKey == null || event.key().equals(wantedKey)) &&
            (day == null || event.dueDay() == wantedDay);
    }

    static String line(final Candidate candidate, final Publications publications)
    {
        final Draft draft = candidate.draft();
        final Publications.Publication done = publications.ofDigest(candidate.digest());
        final String outcome;
        if (done != null)
        {
            outcome = "published as generation " + done.generation();
        }
        else if (!candidate.isValid())
        {
            outcome = "NOT VALID, " + candidate.complaints().get(0);
        }
        else
        {
            outcome = draft.isEmpty() ? "no change" : "valid, built on generation " + candidate.baseGeneration();
        }
        return String.format(Locale.ROOT, "candidate %d  key %s  %s  %d retracted, %d inserted: %s",
            candidate.number(), draft.region().key(), lateEvents(draft), draft.retractions().size(),
            draft.insertions().size(), outcome);
    }

    private String waiting(final Draft draft)
    {
        final boolean isJoin = configuration.spec().rule().inputs() == 2;
        return "waits        key " + draft.region().key() + "  " + lateEvents(draft) + ": until the acceptance clock" +
            (isJoin ? " of left is past " + TimeText.ofClock(draft.leftNeeds()) + " and that of right past " +
            TimeText.ofClock(draft.rightNeeds()) : " is past " + TimeText.ofClock(draft.leftNeeds()));
    }

    private static String lateEvents(final Draft draft)
    {
        final int count = draft.region().late().size();
        return count + (count == 1 ? " late event" : " late events");
    }
}
