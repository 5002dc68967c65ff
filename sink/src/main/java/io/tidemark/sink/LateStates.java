package io.tidemark.sink;

import java.util.function.BiConsumer;

/**
 * Tells what has become of late events (SEMANTICS.md section 8), for sinks that show it. Asked by the sink's thread.
 */
public interface LateStates
{
    /**
     * Changes when the states may have changed; asked for every second or so.
     *
     * @return 0 as long as nothing has been done about any of them, then any other number.
     */
    long version();

    /**
     * Tells the state of every late event.
     *
     * @param consumer of the position of each, and its state in one word.
     */
    void forEach(BiConsumer<Long, String> consumer);
}
