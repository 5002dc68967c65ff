package io.tidemark.sink;

/**
 * Is told the records of the late log, in order.
 */
public interface LateHandler
{
    /**
     * An event came too late; it waits.
     *
     * @param entry the event.
     */
    void onLate(LateEntry entry);

    /**
     * What has become of an event that was late.
     *
     * @param position of the event.
     * @param state    {@code waiting}, {@code repaired}, {@code no-change}, {@code failed} or {@code expired}.
     */
    void onState(long position, String state);
}
