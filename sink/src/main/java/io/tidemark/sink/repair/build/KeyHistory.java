package io.tidemark.sink.repair.build;

import java.util.Collection;
import java.util.List;
import java.util.Set;

import io.tidemark.sink.ResultRow;
import io.tidemark.sink.Utf8;

/**
 * All that a builder needs to know of a key, as of one position.
 *
 * @param key    the key.
 * @param events valid upserts and retractions whose times are near a late one, rejected ones left out, in order.
 * @param table  current rows near them.
 * @param due    positions of the late events that are to be repaired.
 */
public record KeyHistory(Utf8 key, List<RawEvent> events, Collection<ResultRow> table, Set<Long> due)
{
}
