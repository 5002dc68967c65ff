package io.tidemark.sink;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

import org.agrona.ExpandableArrayBuffer;

/**
 * Takes a row id apart (INTERFACE.md, "Row ids"). Exact: keys and ids come out byte for byte.
 */
public final class RowIdParser
{
    private final List<String> fields = new ArrayList<>();
    private final ExpandableArrayBuffer decoded = new ExpandableArrayBuffer();

    /** Creates a parser that holds no row id. */
    public RowIdParser()
    {
    }

    /**
     * Takes a row id.
     *
     * @param rowId as tables and exports show it.
     * @return this.
     * @throws IllegalArgumentException when it is none.
     */
    public RowIdParser parse(final String rowId)
    {
        fields.clear();
        int from = 0;
        for (int bar = rowId.indexOf('|'); bar >= 0; bar = rowId.indexOf('|', from))
        {
            fields.add(rowId.substring(from, bar));
            from = bar + 1;
        }
        fields.add(rowId.substring(from));
        final int expected = switch (fields.get(0))
        {
            case "pair", "unmatched" -> 5;
            case "session" -> 4;
            default -> -1;
        };
        if (fields.size() != expected)
        {
            throw new IllegalArgumentException("not a row id: " + rowId);
        }
        return this;
    }

    /**
     * Version of the rule.
     *
     * @return the version.
     */
    public int rule()
    {
        return Integer.parseUnsignedInt(fields.get(1));
    }

    /**
     * The key.
     *
     * @return its bytes.
     */
    public Utf8 key()
    {
        return decode(fields.get(2));
    }

    /**
     * Side of an unmatched row.
     *
     * @return 0 left, 1 right.
     */
    public int side()
    {
        return fields.get(3).equals("left") ? 0 : 1;
    }

    /**
     * Id of a row: the left one of a pair is 3, the right one 4; that of an unmatched row is 4.
     *
     * @param field which.
     * @return its bytes.
     */
    public Utf8 id(final int field)
    {
        final String text = fields.get(field);
        return decode(text.substring(0, text.indexOf('@')));
    }

    /**
     * Revision of a row.
     *
     * @param field as for {@link #id}.
     * @return the revision.
     */
    public int revision(final int field)
    {
        final String text = fields.get(field);
        return Integer.parseInt(text.substring(text.indexOf('@') + 1));
    }

    /**
     * Start of a session.
     *
     * @return nanoseconds.
     */
    public long start()
    {
        return Long.parseLong(fields.get(3));
    }

    private Utf8 decode(final String text)
    {
        final byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        int length = 0;
        for (int i = 0; i < bytes.length; i++)
        {
            if (bytes[i] == '%')
            {
                decoded.putByte(length++, (byte)Integer.parseInt(
                    new String(bytes, i + 1, 2, StandardCharsets.US_ASCII), 16));
                i += 2;
            }
            else
            {
                decoded.putByte(length++, bytes[i]);
            }
        }
        return Utf8.of(decoded, 0, length);
    }
}
