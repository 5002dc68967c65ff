package io.tidemark.sink;

import java.util.function.BiConsumer;

/**
 * What has become of late events by now (SEMANTICS.md section 8). Asked by a sink that shows it.
 */
public interface LateStates
{
    /**
     * Changes when repair may have done something about late events.
     *
     * @return 0 as long as nothing has been done about any of them, then any other number.
     */
    long version();

    /**
     * How far back late events can be repaired: those that are older and still open have expired. Cheap to ask; only
     * {@link #forEach} is exact.
     *
     * @return nanoseconds since the epoch, {@link Long#MIN_VALUE} while that is not known.
     */
    long oldestRepairableTime();

    /**
     * Tells the state of every late event, as far as it knows them: those of the last moments may be missing.
     *
     * @param consumer of the position of each, and its state in one word.
     */
    void forEach(BiConsumer<Long, String> consumer);
}
