package io.tidemark.ops.config;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;

/**
 * One mapping of the file. Settings are taken by name; {@link #finish()} refuses those that nobody knows.
 */
final class Section
{
    private final Path file;
    private final String name;
    private final int line;
    private final Map<String, NodeTuple> settings = new LinkedHashMap<>();
    private final Set<String> known = new LinkedHashSet<>();

    Section(final Path file, final String name, final Node node)
    {
        this.file = file;
        this.name = name;
        line = lineOf(node);
        if (!(node instanceof final MappingNode mapping))
        {
            throw error(node, (name.isEmpty() ? "the file" : "'" + name + "'") +
                " must be a list of settings, each with a name, a colon and a value");
        }
        for (final NodeTuple setting : mapping.getValue())
        {
            final String key = scalar(setting.getKeyNode(), "a setting's name");
            if (settings.put(key, setting) != null)
            {
                throw error(setting.getKeyNode(), "'" + path(key) + "' is set twice; remove one");
            }
        }
    }

    /** A section that is not in the file: all its settings have their defaults. */
    static Section absent(final Path file, final String name)
    {
        return new Section(file, name);
    }

    private Section(final Path file, final String name)
    {
        this.file = file;
        this.name = name;
        line = 0;
    }

    /** Names in the order of the file. */
    List<String> names()
    {
        return new ArrayList<>(settings.keySet());
    }

    boolean has(final String setting)
    {
        known.add(setting);
        return settings.containsKey(setting);
    }

    Section section(final String setting)
    {
        final String path = path(setting);
        return has(setting) ? new Section(file, path, value(setting)) : absent(file, path);
    }

    String text(final String setting, final String otherwise)
    {
        if (!has(setting))
        {
            return otherwise;
        }
        final String text = scalar(value(setting), "'" + path(setting) + "'");
        if (text.isEmpty())
        {
            throw error(setting, "has no value");
        }
        return text;
    }

    String requiredText(final String setting, final String meaning)
    {
        require(setting, meaning);
        return text(setting, null);
    }

    String choice(final String setting, final String otherwise, final List<String> choices)
    {
        final String chosen = text(setting, otherwise);
        if (chosen != null && !choices.contains(chosen))
        {
            throw error(setting, "is one of " + String.join(", ", choices) + ", not '" + chosen + "'");
        }
        return chosen;
    }

    long duration(final String setting, final long otherwise)
    {
        if (!has(setting))
        {
            return otherwise;
        }
        final String text = text(setting, null);
        try
        {
            return Durations.parse(text);
        }
        catch (final IllegalArgumentException e)
        {
            throw error(setting, "is '" + text + "', but " + e.getMessage());
        }
    }

    /** A duration, or one word that stands for there being none. */
    long durationOr(final String word, final long meaning, final String setting, final long otherwise)
    {
        return has(setting) && text(setting, null).equals(word) ? meaning : duration(setting, otherwise);
    }

    long requiredDuration(final String setting, final String meaning)
    {
        require(setting, meaning);
        return duration(setting, 0);
    }

    long number(final String setting, final long otherwise, final long least, final long most)
    {
        if (!has(setting))
        {
            return otherwise;
        }
        final String text = text(setting, null);
        try
        {
            final long number = Long.parseLong(text.replace("_", ""));
            if (number >= least && number <= most)
            {
                return number;
            }
        }
        catch (final NumberFormatException ignored)
        {
            // Said below, as for a number out of range.
        }
        throw error(setting, "must be a whole number from " + least + " to " + most + ", not '" + text + "'");
    }

    List<String> texts(final String setting, final List<String> otherwise)
    {
        if (!has(setting))
        {
            return otherwise;
        }
        if (!(value(setting) instanceof final SequenceNode sequence))
        {
            throw error(setting, "is a list; write it in brackets, like [left, right]");
        }
        return sequence.getValue().stream().map(node -> scalar(node, "'" + path(setting) + "'")).toList();
    }

    /** Refuses a setting that is known, but not beside the others. */
    void refuse(final String setting, final String why)
    {
        if (has(setting))
        {
            throw error(setting, why);
        }
    }

    void require(final String setting, final String meaning)
    {
        if (!has(setting))
        {
            // A misspelt required setting is better reported as what it is.
            finish();
            throw error("'" + path(setting) + "' is missing: " + meaning);
        }
    }

    /** Everything was asked for: what is left is unknown. */
    void finish()
    {
        for (final Map.Entry<String, NodeTuple> setting : settings.entrySet())
        {
            if (!known.contains(setting.getKey()))
            {
                throw error(setting.getValue().getKeyNode(),
                    "unknown setting '" + path(setting.getKey()) + "'" + Suggestion.of(setting.getKey(), known));
            }
        }
    }

    /** Makes names known that are asked for later or only in other circumstances. */
    void know(final List<String> names)
    {
        known.addAll(names);
    }

    ConfigurationException error(final String setting, final String clause)
    {
        return error(settings.containsKey(setting) ? settings.get(setting).getKeyNode() : null,
            "'" + path(setting) + "' " + clause);
    }

    ConfigurationException error(final String sentence)
    {
        return new ConfigurationException(file + (line > 0 ? ":" + line : "") + ": " + sentence);
    }

    private ConfigurationException error(final Node node, final String sentence)
    {
        return new ConfigurationException(file + (node == null ? "" : ":" + lineOf(node)) + ": " + sentence);
    }

    private Node value(final String setting)
    {
        return settings.get(setting).getValueNode();
    }

    private String scalar(final Node node, final String what)
    {
        if (node instanceof final ScalarNode scalar)
        {
            return scalar.getValue();
        }
        throw error(node, what + " must be a single value");
    }

    private String path(final String setting)
    {
        return name.isEmpty() ? setting : name + "." + setting;
    }

    private static int lineOf(final Node node)
    {
        return node.getStartMark().map(mark -> mark.getLine() + 1).orElse(0);
    }
}
