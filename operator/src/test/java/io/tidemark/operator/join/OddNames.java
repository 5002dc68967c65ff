package io.tidemark.operator.join;

/**
 * Names for keys and ids, each number another: of 1 to 255 bytes, prefixes of one another, with what row ids encode,
 * with control characters of both kinds and characters of two to four bytes.
 */
final class OddNames
{
    private static final String[] PARTS = {
        "a", "|", "@", "%", "%7C", "\u0001", "\u007F", "\u0080", "\u009F", "\u00A0", "\u00C2", "\u0082b", "é",
        "\u2028", "\uFFE6", "\uD83D\uDE00", "\u0000", "~", "@1", "|left|"};
    private static final int LONGEST = 255;

    private OddNames()
    {
    }

    static String name(final int number)
    {
        return switch (number % 5)
        {
            // a chain in which each is a prefix of the next
            case 0 -> number / 5 < LONGEST ? "p".repeat(number / 5 + 1) : "q" + number;
            // odd parts, the number written in them
            case 1 -> inParts(number);
            // as long as can be
            case 2 -> "x".repeat(LONGEST - 7) + String.format("%07d", number);
            default -> "e" + number;
        };
    }

    private static String inParts(final int number)
    {
        final StringBuilder name = new StringBuilder();
        for (int rest = number; rest > 0; rest /= PARTS.length)
        {
            name.append(PARTS[rest % PARTS.length]).append(number % 3 == 0 ? "" : "-");
        }
        return name.append('=').append(number).toString();
    }
}
