package io.tidemark.ops.config;

import java.util.Collection;

import io.tidemark.ingest.feed.NearestName;

/**
 * Says what somebody may have meant to write.
 */
public final class Suggestion
{
    private Suggestion()
    {
    }

    /**
     * A clause to append to a message.
     *
     * @param written what was written.
     * @param known   what could have been meant.
     * @return {@code "; did you mean 'x'?"} where one is near, otherwise a list of what there is.
     */
    public static String of(final String written, final Collection<String> known)
    {
        final String nearest = NearestName.of(written, known);
        return nearest != null ? "; did you mean '" + nearest + "'?" : "; known here: " + String.join(", ", known);
    }
}
