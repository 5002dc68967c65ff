package io.tidemark.operator.spec;

/**
 * How clocks move (SEMANTICS.md section 3). All durations are nanoseconds, not negative.
 *
 * @param keyScoped   true for {@code scope: key}, where each key has clocks of its own.
 * @param delayNs     taken off the largest time of a partition's upserts.
 * @param idleAfterNs silence after which a partition is idle, or {@link #NEVER}.
 * @param maxAheadNs  how far a time may lie past its own arrival, or {@link #OFF}.
 * @param keySkewNs   how far a key may lag behind its stream's watermark; only for scope key.
 */
public record WatermarkSpec(boolean keyScoped, long delayNs, long idleAfterNs, long maxAheadNs, long keySkewNs)
{
    /** Partitions never become idle. */
    public static final long NEVER = Long.MAX_VALUE;

    /** Times may lie any length past their arrival. */
    public static final long OFF = Long.MAX_VALUE;

    /** One day, the default of {@code max_ahead}. */
    public static final long DEFAULT_MAX_AHEAD_NS = 86_400_000_000_000L;

    /** Scope partition, no delay, never idle, one day ahead. */
    public static final WatermarkSpec DEFAULT = new WatermarkSpec(false, 0, NEVER, DEFAULT_MAX_AHEAD_NS, 0);
}
