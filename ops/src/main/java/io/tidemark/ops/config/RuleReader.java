package io.tidemark.ops.config;

import java.util.List;
import java.util.Locale;
import java.util.Map;

import io.tidemark.operator.spec.JoinRule;
import io.tidemark.operator.spec.Rule;
import io.tidemark.operator.spec.SessionRule;
import io.tidemark.operator.spec.Unmatched;

/**
 * The section {@code rule}: which settings there are depends on the rule's type.
 */
final class RuleReader
{
    static final String INTERVAL = "interval-join";
    static final String OVERLAP = "overlap-join";
    static final String SESSION = "session";

    private static final List<String> TYPES = List.of(INTERVAL, OVERLAP, SESSION);
    private static final List<String> OF_JOINS = List.of("left", "right", "unmatched", "unmatched_sides");
    private static final List<String> OF_INTERVALS = List.of("look_back", "look_ahead");
    private static final List<String> OF_OVERLAPS = List.of("max_length", "max_before");
    private static final List<String> OF_SESSIONS = List.of("input", "gap", "emit", "members");
    private static final List<String> SIDES = List.of("left", "right");

    private final Section section;
    private final Section streams;
    private final Map<String, String> settings;
    private String type;
    private String firstInput;
    private Rule rule;

    private RuleReader(final Section section, final Section streams, final Map<String, String> settings)
    {
        this.section = section;
        this.streams = streams;
        this.settings = settings;
    }

    static RuleReader read(final Section section, final Section streams, final Map<String, String> settings)
    {
        final RuleReader reader = new RuleReader(section, streams, settings);
        reader.read();
        return reader;
    }

    String type()
    {
        return type;
    }

    /** The left stream of a join, the input of sessions. */
    String firstInput()
    {
        return firstInput;
    }

    Rule rule()
    {
        return rule;
    }

    private void read()
    {
        for (final List<String> names : List.of(OF_JOINS, OF_INTERVALS, OF_OVERLAPS, OF_SESSIONS))
        {
            section.know(names);
        }
        section.know(List.of("version", "type", "lateness", "lateness_clock", "max_move"));
        section.finish();
        section.require("type", "one of " + String.join(", ", TYPES));
        type = section.choice("type", null, TYPES);
        refuseSettingsOfOthers();
        section.require("lateness", "how far behind the clock an event may come and still count, like 3m");
        setting("version", String.valueOf(version()));
        setting("type", type);
        setting("lateness", Durations.format(lateness()));
        setting("lateness_clock", lateClock());
        setting("max_move", Durations.format(maxMove()));
        if (type.equals(SESSION))
        {
            readSession();
        }
        else
        {
            readJoin();
        }
    }

    private void refuseSettingsOfOthers()
    {
        final boolean isSession = type.equals(SESSION);
        refuse(OF_JOINS, isSession, "joins");
        refuse(OF_SESSIONS, !isSession, "rules of type session");
        refuse(OF_INTERVALS, !type.equals(INTERVAL), "rules of type interval-join");
        refuse(OF_OVERLAPS, !type.equals(OVERLAP), "rules of type overlap-join");
    }

    private void refuse(final List<String> names, final boolean refused, final String owners)
    {
        for (final String name : names)
        {
            if (refused)
            {
                section.refuse(name, "belongs to " + owners + "; this rule is of type " + type);
            }
        }
    }

    private void readJoin()
    {
        final String left = stream("left");
        final String right = stream("right");
        if (left.equals(right))
        {
            throw section.error("right", "is the same stream as 'rule.left'; a join needs two");
        }
        requireNoOther(List.of(left, right));
        final boolean overlap = type.equals(OVERLAP);
        final long lookBack = overlap ? 0 : section.requiredDuration("look_back",
            "how long before the left row's time a right row still matches, like 47m or 0s");
        final long lookAhead = overlap ? 0 : section.requiredDuration("look_ahead",
            "how long after the left row's time a right row still matches, like 8m or 0s");
        final long maxLength = overlap ? section.requiredDuration("max_length",
            "the largest end - start of a row, like 5m; it bounds what is kept") : 0;
        final long maxBefore = overlap ? section.duration("max_before", maxLength) : 0;
        final Unmatched unmatched = Unmatched.valueOf(
            section.choice("unmatched", "final", List.of("none", "final", "provisional")).toUpperCase(Locale.ROOT));
        final List<String> sides = section.texts("unmatched_sides", List.of("left"));
        if (!SIDES.containsAll(sides))
        {
            throw section.error("unmatched_sides", "lists left, right or both, not " + sides);
        }
        final boolean unmatchedLeft = sides.contains("left");
        final boolean unmatchedRight = sides.contains("right");
        firstInput = left;
        rule = new JoinRule(
            version(), overlap, lookBack, lookAhead, maxLength, maxBefore, unmatched, unmatchedLeft, unmatchedRight,
            lateness(), lateClock().equals("joint"), maxMove());
        setting("left", left);
        setting("right", right);
        if (overlap)
        {
            setting("max_length", Durations.format(maxLength));
            setting("max_before", Durations.format(maxBefore));
        }
        else
        {
            setting("look_back", Durations.format(lookBack));
            setting("look_ahead", Durations.format(lookAhead));
        }
        setting("unmatched", unmatched.name().toLowerCase(Locale.ROOT));
        if (unmatched != Unmatched.NONE)
        {
            setting("unmatched_sides", (unmatchedLeft ? "left " : "") + (unmatchedRight ? "right" : ""));
        }
    }

    private void readSession()
    {
        firstInput = stream("input");
        requireNoOther(List.of(firstInput));
        final long gap = section.requiredDuration("gap",
            "how far apart neighbours of one session may be, like 11m");
        final String emit = section.choice("emit", "provisional", List.of("provisional", "final"));
        final String members = section.choice("members", "retain", List.of("retain", "aggregate"));
        if (members.equals("aggregate") && maxMove() != 0)
        {
            throw section.error("members", "is aggregate, which needs 'max_move: 0s': a member that is only a sum " +
                "cannot move");
        }
        rule = new SessionRule(
            version(), gap, emit.equals("provisional"), members.equals("aggregate"), lateness(),
            lateClock().equals("joint"), maxMove());
        setting("input", firstInput);
        setting("gap", Durations.format(gap));
        setting("emit", emit);
        setting("members", members);
    }

    private String stream(final String setting)
    {
        final String name = section.requiredText(setting, "the name of one of the streams");
        if (!streams.names().contains(name))
        {
            throw section.error(setting, "is '" + name + "', which is not among the streams" +
                Suggestion.of(name, streams.names()));
        }
        return name;
    }

    private void requireNoOther(final List<String> used)
    {
        for (final String name : streams.names())
        {
            if (!used.contains(name))
            {
                throw streams.error(name, "is no input of the rule; remove it, or name it in 'rule'");
            }
        }
    }

    private int version()
    {
        return (int)section.number("version", 1, 0, Integer.MAX_VALUE);
    }

    private long lateness()
    {
        return section.duration("lateness", 0);
    }

    private String lateClock()
    {
        return section.choice("lateness_clock", "own", List.of("own", "joint"));
    }

    private long maxMove()
    {
        return section.duration("max_move", lateness());
    }

    private void setting(final String name, final String value)
    {
        settings.put("rule." + name, value);
    }
}
