package io.tidemark.operator.change;

import static io.tidemark.operator.change.ChangeSetDescriptor.DIGEST_LENGTH;
import static io.tidemark.operator.change.ChangeSetDescriptor.DIGEST_OFFSET;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.List;

/** The digest of a candidate: of all its records as they are encoded, with nothing where the digest goes. */
final class RepairDigest
{
    private RepairDigest()
    {
    }

    static byte[] of(final List<byte[]> parts)
    {
        final MessageDigest digest = sha256();
        for (final byte[] part : parts)
        {
            digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(0, part.length));
            digest.update(part, 0, DIGEST_OFFSET);
            digest.update(new byte[DIGEST_LENGTH]);
            digest.update(part, DIGEST_OFFSET + DIGEST_LENGTH, part.length - DIGEST_OFFSET - DIGEST_LENGTH);
        }
        return digest.digest();
    }

    /** Whether every record names the digest of all. */
    static boolean holds(final List<byte[]> parts)
    {
        final byte[] right = of(parts);
        return parts.stream().allMatch(part -> Arrays.equals(
            right, Arrays.copyOfRange(part, DIGEST_OFFSET, DIGEST_OFFSET + DIGEST_LENGTH)));
    }

    private static MessageDigest sha256()
    {
        try
        {
            return MessageDigest.getInstance("SHA-256");
        }
        catch (final NoSuchAlgorithmException ex)
        {
            throw new IllegalStateException("every Java platform has SHA-256", ex);
        }
    }
}
