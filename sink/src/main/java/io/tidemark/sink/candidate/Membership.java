package io.tidemark.sink.candidate;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.SortedMap;
import java.util.SortedSet;

import io.tidemark.sink.Utf8;

/**
 * Who belongs to which session, in one number: results say how many members a session has, not which.
 */
public final class Membership
{
    /** Of results that have no members. */
    public static final String NONE = "";

    private Membership()
    {
    }

    /**
     * Digests memberships.
     *
     * @param members ids of the members by the start of their session.
     * @return hexadecimal digits, equal for equal memberships.
     */
    public static String digest(final SortedMap<Long, ? extends SortedSet<Utf8>> members)
    {
        final MessageDigest digest;
        try
        {
            digest = MessageDigest.getInstance("SHA-256");
        }
        catch (final NoSuchAlgorithmException ex)
        {
            throw new IllegalStateException("every Java platform has SHA-256", ex);
        }
        members.forEach((start, ids) ->
        {
            digest.update((start + " " + ids.size() + "\n").getBytes(StandardCharsets.UTF_8));
            for (final Utf8 id : ids)
            {
                digest.update((byte)id.bytes().length);
                digest.update(id.bytes());
            }
        });
        return HexFormat.of().formatHex(digest.digest());
    }
}
