package io.tidemark.ops.command;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;

/**
 * The right answer of the demo's feed, and whether the exports equal it. What depends on a run's own log (queue
 * indices, generations, the state of repair) is not part of it.
 */
final class ExpectedAnswer
{
    private static final JsonFactory FACTORY = new JsonFactory();
    private static final List<String> OF_A_RUN = List.of("generation", "index", "state", "table");

    private final Map<String, List<String>> rowsByTable = new TreeMap<>();
    private final List<String> wrong = new ArrayList<>();

    private ExpectedAnswer()
    {
    }

    static ExpectedAnswer read(final Path file) throws IOException
    {
        final ExpectedAnswer answer = new ExpectedAnswer();
        for (final String line : Files.readAllLines(file))
        {
            final Map<String, String> row = parse(line);
            answer.rowsByTable.computeIfAbsent(row.get("table"), table -> new ArrayList<>()).add(canonical(row));
        }
        return answer;
    }

    void compare(final String table, final Path export) throws IOException
    {
        final List<String> exported = new ArrayList<>();
        for (final String line : Files.readAllLines(export))
        {
            exported.add(canonical(parse(line)));
        }
        final List<String> expected = new ArrayList<>(rowsByTable.getOrDefault(table, List.of()));
        expected.sort(null);
        exported.sort(null);
        if (!expected.equals(exported))
        {
            wrong.add(table);
        }
    }

    boolean isMet()
    {
        return wrong.isEmpty();
    }

    /** Tables that differ. */
    List<String> wrong()
    {
        return wrong;
    }

    private static String canonical(final Map<String, String> row)
    {
        final Map<String, String> fields = new TreeMap<>(row);
        fields.keySet().removeAll(OF_A_RUN);
        return fields.toString();
    }

    /** Values within values are of no table; they are passed over. */
    private static Map<String, String> parse(final String line) throws IOException
    {
        final Map<String, String> fields = new TreeMap<>();
        try (JsonParser json = FACTORY.createParser(line))
        {
            while (json.nextToken() != null)
            {
                if (json.currentToken() == JsonToken.FIELD_NAME)
                {
                    final String name = json.currentName();
                    if (json.nextToken().isScalarValue())
                    {
                        fields.put(name, json.getText());
                    }
                    else
                    {
                        json.skipChildren();
                    }
                }
            }
        }
        return fields;
    }
}
