package io.tidemark.ingest.feed;

import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The names that one stream's feeds use instead of Tidemark's: {@code ingest: {columns: {key: merchant}}}. A field
 * whose own column is not in a feed is looked for under Tidemark's name. Immutable.
 */
public final class ColumnMapping
{
    /**
     * Tidemark's own names throughout.
     */
    public static final ColumnMapping NONE = new ColumnMapping(new EnumMap<>(Field.class), Set.of());

    private final Map<Field, String> columns;
    private final Set<String> ignored;

    private ColumnMapping(final Map<Field, String> columns, final Set<String> ignored)
    {
        this.columns = columns;
        this.ignored = ignored;
    }

    /**
     * A mapping from Tidemark's names to those of the feed.
     *
     * @param columnByField such as {@code key -> merchant}.
     * @return the mapping.
     * @throws IllegalArgumentException for a field that there is not, an empty column or one column for two fields; the
     *                                  message is a sentence for the user.
     */
    public static ColumnMapping of(final Map<String, String> columnByField)
    {
        final Map<Field, String> columns = new EnumMap<>(Field.class);
        final Map<String, Field> taken = new LinkedHashMap<>();
        for (final Map.Entry<String, String> entry : columnByField.entrySet())
        {
            final Field field = fieldNamed(entry.getKey());
            final String column = entry.getValue();
            if (column == null || column.isEmpty())
            {
                throw new IllegalArgumentException("The column for " + field.column() + " has no name.");
            }
            final Field other = taken.putIfAbsent(column, field);
            if (other != null)
            {
                throw new IllegalArgumentException("The column " + column + " cannot be both " + other.column() +
                    " and " + field.column() + ".");
            }
            columns.put(field, column);
        }
        return new ColumnMapping(columns, Set.of());
    }

    /**
     * The same mapping, for feeds that have further columns which mean nothing here.
     *
     * @param columnNames columns to pass over.
     * @return the new mapping.
     */
    public ColumnMapping ignoring(final Collection<String> columnNames)
    {
        return new ColumnMapping(columns, Set.copyOf(columnNames));
    }

    /**
     * The stream's own name for a field, or null where it has none.
     */
    String own(final Field field)
    {
        return columns.get(field);
    }

    boolean ignores(final String column)
    {
        return ignored.contains(column);
    }

    Set<String> ignored()
    {
        return ignored;
    }

    private static Field fieldNamed(final String name)
    {
        final List<String> known = new ArrayList<>();
        for (final Field field : Field.values())
        {
            if (field.column().equals(name))
            {
                return field;
            }
            known.add(field.column());
        }
        final String nearest = NearestName.of(name, known);
        throw new IllegalArgumentException("There is no field " + name + " to map a column to" +
            (nearest != null ? "; " + nearest + " is the nearest." : "; there are " + String.join(", ", known) + "."));
    }
}
