package io.tidemark.ingest.feed;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Which column of a feed is which field, for each stream that its lines may name. A field is in the stream's own column
 * for it where the row has that, otherwise in the one of Tidemark's name, unless the stream uses that name for another
 * field. Immutable.
 */
final class Columns
{
    static final int NONE = -1;
    private static final int MAX_SHOWN_LENGTH = 60;

    private final List<String> names;
    private final Map<String, Integer> columnByName = new HashMap<>();
    private final int[][] own;
    private final int[][] common;
    private final boolean[][] known;

    private Columns(final List<String> names, final FeedTarget target)
    {
        this.names = List.copyOf(names);
        for (int column = 0; column < names.size(); column++)
        {
            columnByName.put(names.get(column), column);
        }
        final int streams = target.topology().streams();
        own = new int[streams][Field.COUNT];
        common = new int[streams][Field.COUNT];
        known = new boolean[streams][names.size()];
        for (int stream = 0; stream < streams; stream++)
        {
            bind(stream, target.mapping(stream));
        }
    }

    /** Columns of a CSV feed, whose header has to make sense as a whole. */
    static Columns ofHeader(final List<String> header, final FeedTarget target, final String feedName)
    {
        final Set<String> seen = new LinkedHashSet<>();
        for (final String name : header)
        {
            if (name.isEmpty())
            {
                throw FeedException.failed(feedName + " has a column without a name in its header.");
            }
            if (!seen.add(name))
            {
                throw FeedException.failed(feedName + " has two columns named " + shown(name) + " in its header.");
            }
        }
        final Columns columns = new Columns(header, target);
        for (int column = 0; column < header.size(); column++)
        {
            if (!columns.isKnownToAny(column, target))
            {
                throw unknown(header.get(column), target, feedName);
            }
        }
        columns.checkNeeded(target, feedName);
        return columns;
    }

    /** Columns of a JSON Lines feed: all names that its lines may use. */
    static Columns ofAllNames(final FeedTarget target)
    {
        return new Columns(allNames(target), target);
    }

    static FeedException unknown(final String name, final FeedTarget target, final String feedName)
    {
        final List<String> known = allNames(target);
        final String nearest = NearestName.of(name, known);
        return FeedException.failed(feedName + " has a column " + shown(name) + " that is not known here" +
            (nearest != null ? " (" + nearest + " is the nearest that is)" : "") +
            "; rename it, or map it under ingest: columns in the configuration of its stream.");
    }

    /** A name for a person to read, cut short. */
    static String shown(final String name)
    {
        return name.length() <= MAX_SHOWN_LENGTH ? name : name.substring(0, MAX_SHOWN_LENGTH) + "...";
    }

    int count()
    {
        return names.size();
    }

    String name(final int column)
    {
        return names.get(column);
    }

    /** The column of a name, or {@link #NONE}. */
    int named(final String name)
    {
        final Integer column = columnByName.get(name);
        return column == null ? NONE : column;
    }

    /** The column that says which stream a row belongs to, or {@link #NONE}. */
    int streamColumn(final RawRow row)
    {
        for (int stream = 0; stream < own.length; stream++)
        {
            final int column = find(row, stream, Field.STREAM);
            if (column != NONE)
            {
                return column;
            }
        }
        return NONE;
    }

    /** The column of a row that holds a field, or {@link #NONE} where the row says nothing about it. */
    int find(final RawRow row, final int stream, final Field field)
    {
        final int mine = own[stream][field.index()];
        if (row.isPresent(mine))
        {
            return mine;
        }
        final int shared = common[stream][field.index()];
        return row.isPresent(shared) ? shared : NONE;
    }

    /** A column of a row that means nothing in that stream, or the same as another one there; or {@link #NONE}. */
    int findStray(final RawRow row, final int stream)
    {
        final boolean[] knownHere = known[stream];
        for (int column = 0; column < knownHere.length; column++)
        {
            if (!knownHere[column] && row.isPresent(column))
            {
                return column;
            }
        }
        for (int field = 0; field < Field.COUNT; field++)
        {
            if (row.isPresent(own[stream][field]) && row.isPresent(common[stream][field]))
            {
                return common[stream][field];
            }
        }
        return NONE;
    }

    private void bind(final int stream, final ColumnMapping mapping)
    {
        final Set<String> taken = new LinkedHashSet<>();
        for (final Field field : Field.values())
        {
            final String name = mapping.own(field);
            own[stream][field.index()] = name == null ? NONE : named(name);
            if (name != null)
            {
                taken.add(name);
            }
        }
        for (final Field field : Field.values())
        {
            common[stream][field.index()] = taken.contains(field.column()) ? NONE : named(field.column());
        }
        for (int column = 0; column < names.size(); column++)
        {
            known[stream][column] = mapping.ignores(names.get(column));
        }
        for (int field = 0; field < Field.COUNT; field++)
        {
            markKnown(stream, own[stream][field]);
            markKnown(stream, common[stream][field]);
        }
    }

    private void markKnown(final int stream, final int column)
    {
        if (column != NONE)
        {
            known[stream][column] = true;
        }
    }

    private boolean isKnownToAny(final int column, final FeedTarget target)
    {
        for (int stream = 0; stream < known.length; stream++)
        {
            if (target.takes(stream) && known[stream][column] && !isSecond(column, stream))
            {
                return true;
            }
        }
        return false;
    }

    /** Whether a stream has the field of that column in a column of its own as well. */
    private boolean isSecond(final int column, final int stream)
    {
        for (int field = 0; field < Field.COUNT; field++)
        {
            if (common[stream][field] == column && own[stream][field] != NONE && own[stream][field] != column)
            {
                return true;
            }
        }
        return false;
    }

    private void checkNeeded(final FeedTarget target, final String feedName)
    {
        String missing = null;
        for (int stream = 0; stream < known.length; stream++)
        {
            if (target.takes(stream))
            {
                missing = missing(target, stream);
                if (missing == null)
                {
                    return;
                }
            }
        }
        throw FeedException.failed(feedName + " has no column " + missing + " in its header" +
            (missing.equals(Field.STREAM.column()) ? "; add one, or name the stream with --stream." :
            "; every line needs one. If it has another name, map it under ingest: columns."));
    }

    private String missing(final FeedTarget target, final int stream)
    {
        if (target.onlyStream() == FeedTarget.ANY_STREAM && !has(stream, Field.STREAM))
        {
            return Field.STREAM.column();
        }
        if (!has(stream, Field.TIME))
        {
            return Field.TIME.column();
        }
        // With kinds it may be a feed of watermarks, which carry no more than that.
        if (has(stream, Field.KIND))
        {
            return null;
        }
        if (!has(stream, Field.KEY) || !has(stream, Field.ID))
        {
            return has(stream, Field.KEY) ? Field.ID.column() : Field.KEY.column();
        }
        if (target.rules().spans() && (!has(stream, Field.START) || !has(stream, Field.END)))
        {
            return has(stream, Field.START) ? Field.END.column() : Field.START.column();
        }
        return null;
    }

    private boolean has(final int stream, final Field field)
    {
        return own[stream][field.index()] != NONE || common[stream][field.index()] != NONE;
    }

    private static List<String> allNames(final FeedTarget target)
    {
        final Set<String> all = new LinkedHashSet<>();
        for (int stream = 0; stream < target.topology().streams(); stream++)
        {
            if (target.takes(stream))
            {
                final ColumnMapping mapping = target.mapping(stream);
                for (final Field field : Field.values())
                {
                    if (mapping.own(field) != null)
                    {
                        all.add(mapping.own(field));
                    }
                }
                all.addAll(mapping.ignored());
            }
        }
        for (final Field field : Field.values())
        {
            all.add(field.column());
        }
        return new ArrayList<>(all);
    }
}
