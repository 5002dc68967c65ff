package io.tidemark.sink.verify;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.tidemark.sink.ResultRow;
import io.tidemark.sink.RowId;

/**
 * What should have come of one key's events: fates, current rows and what state still holds.
 */
final class KeyOutcome
{
    /**
     * A late event as the late log should have it.
     *
     * @param event  the event.
     * @param clock  the acceptance clock that refused it.
     * @param reason in the words of the late log.
     */
    record Late(LoggedEvent event, long clock, String reason)
    {
    }

    static final String BEFORE_CLOCK = "before the acceptance clock";
    static final String NOT_OPEN = "its row is no longer open";
    static final String MOVED_TOO_EARLY = "moved to a time before the acceptance clock";

    final Map<RowId, ResultRow> rows = new HashMap<>();
    final List<Late> late = new ArrayList<>();
    final List<LoggedEvent> rejected = new ArrayList<>();
    long accepted;
    long duplicates;
    long conflicts;
    long open;
    long ghosts;
    long records;
    long tombstones;
    long sessions;
    long keyClocks;
}
