package io.tidemark.sink.view;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

import io.tidemark.operator.change.RowKind;
import io.tidemark.sink.TableException;
import io.tidemark.sink.TableRow;
import io.tidemark.sink.TableSource;
import io.tidemark.sink.Utf8;

/**
 * The view as tools read it: all of it at one moment, copied to the heap when it is opened.
 */
public final class ViewTables implements TableSource
{
    private static final int TRIES = 20;

    private final List<TableRow> rows;
    private final List<RowKind> kinds;
    private final long changeNumber;

    private ViewTables(final List<TableRow> rows, final List<RowKind> kinds, final long changeNumber)
    {
        this.rows = rows;
        this.kinds = kinds;
        this.changeNumber = changeNumber;
    }

    /**
     * Copies the view as it is now.
     *
     * @param dataDirectory of the pipeline.
     * @return the copy.
     * @throws TableException when there is none, or it changes too fast to be copied.
     */
    public static ViewTables open(final Path dataDirectory)
    {
        try (ViewReader reader = ViewReader.open(dataDirectory))
        {
            for (int i = 0; i < TRIES; i++)
            {
                final List<TableRow> rows = new ArrayList<>();
                final List<RowKind> kinds = new ArrayList<>();
                final boolean isWhole = reader.forEachRow(row ->
                {
                    rows.add(new TableRow(row.row(), row.generation()));
                    kinds.add(row.kind());
                });
                if (isWhole)
                {
                    return new ViewTables(rows, kinds, reader.changeNumber());
                }
            }
        }
        throw new TableException("the view in " + dataDirectory + " changes too fast to be copied; stop the " +
            "pipeline, or use a sink of type sqlite or postgres");
    }

    @Override
    public long changeNumber()
    {
        return changeNumber;
    }

    @Override
    public void forEach(final Kind kind, final Utf8 key, final Consumer<TableRow> consumer)
    {
        final RowKind wanted = switch (kind)
        {
            case PAIRS -> RowKind.PAIR;
            case UNMATCHED -> RowKind.UNMATCHED;
            case SESSIONS -> RowKind.SESSION;
        };
        for (int i = 0; i < rows.size(); i++)
        {
            if (kinds.get(i) == wanted && (key == null || key.equals(rows.get(i).row().key())))
            {
                consumer.accept(rows.get(i));
            }
        }
    }

    @Override
    public boolean forEachLate(final BiConsumer<Long, String> consumer)
    {
        return false;
    }

    @Override
    public void close()
    {
        rows.clear();
    }
}
