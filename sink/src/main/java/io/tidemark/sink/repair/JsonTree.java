package io.tidemark.sink.repair;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;

/**
 * A piece of JSON with access by name, for small files of our own. Whatever is missing or of another type is an error
 * that names it.
 */
final class JsonTree
{
    private static final JsonFactory FACTORY = new JsonFactory();

    private final Map<String, Object> fields;

    private JsonTree(final Map<String, Object> fields)
    {
        this.fields = fields;
    }

    static JsonTree parse(final byte[] json) throws IOException
    {
        try (JsonParser parser = FACTORY.createParser(json))
        {
            if (parser.nextToken() != JsonToken.START_OBJECT)
            {
                throw new IOException("it does not begin with an object");
            }
            return object(parser);
        }
    }

    long number(final String name) throws IOException
    {
        return get(name, Number.class).longValue();
    }

    String text(final String name) throws IOException
    {
        return get(name, String.class);
    }

    boolean flag(final String name) throws IOException
    {
        return get(name, Boolean.class);
    }

    boolean has(final String name)
    {
        return fields.containsKey(name);
    }

    JsonTree object(final String name) throws IOException
    {
        return get(name, JsonTree.class);
    }

    List<Object> list(final String name) throws IOException
    {
        final List<?> list = get(name, List.class);
        return new ArrayList<>(list);
    }

    List<JsonTree> objects(final String name) throws IOException
    {
        return list(name).stream().map(JsonTree.class::cast).toList();
    }

    private <T> T get(final String name, final Class<T> type) throws IOException
    {
        final Object value = fields.get(name);
        if (!type.isInstance(value))
        {
            throw new IOException("'" + name + "' is missing, or not what it should be");
        }
        return type.cast(value);
    }

    private static JsonTree object(final JsonParser parser) throws IOException
    {
        final Map<String, Object> fields = new LinkedHashMap<>();
        while (parser.nextToken() == JsonToken.FIELD_NAME)
        {
            final String name = parser.currentName();
            parser.nextToken();
            fields.put(name, value(parser));
        }
        return new JsonTree(fields);
    }

    private static Object value(final JsonParser parser) throws IOException
    {
        return switch (parser.currentToken())
        {
            case START_OBJECT -> object(parser);
            case START_ARRAY ->
            {
                final List<Object> list = new ArrayList<>();
                while (parser.nextToken() != JsonToken.END_ARRAY)
                {
                    list.add(value(parser));
                }
                yield list;
            }
            case VALUE_NUMBER_INT -> parser.getNumberValue();
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            case VALUE_STRING -> parser.getText();
            default -> throw new IOException("it ends in the middle, or holds what is not ours");
        };
    }
}
