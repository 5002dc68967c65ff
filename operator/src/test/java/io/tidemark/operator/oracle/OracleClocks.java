package io.tidemark.operator.oracle;

import static io.tidemark.operator.oracle.OracleTime.MINUS_INFINITY;
import static io.tidemark.operator.oracle.OracleTime.minus;
import static io.tidemark.operator.oracle.OracleTime.plus;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

import io.tidemark.ingest.fixture.Settings;

/**
 * Section 3, as it is written. Sides are 0 and 1, sources are ordinals in the configuration.
 */
final class OracleClocks
{
    private final Settings settings;
    private final List<int[]> sourcesOfSide;
    private final long[] upserts;
    private final long[] promises;
    private final long[] lastArrival;
    private final boolean[] active;
    private final long[] w = {MINUS_INFINITY, MINUS_INFINITY};
    private final long[] v = {MINUS_INFINITY, MINUS_INFINITY};
    private final List<Map<String, KeyClock>> keys = List.of(new HashMap<>(), new HashMap<>());
    private boolean started;
    private long arrivalNow = MINUS_INFINITY;

    /** The clocks of one key on one side: W_k and, per source, the accepted upserts of the key less the delay. */
    private static final class KeyClock
    {
        private long w;
        private final Map<Integer, Long> upserts = new HashMap<>();

        KeyClock(final long w)
        {
            this.w = w;
        }
    }

    OracleClocks(final Settings settings)
    {
        this.settings = settings;
        final int sources = settings.sources();
        sourcesOfSide = List.of(
            IntStream.range(0, sources).filter(p -> settings.sideOf(p) == 0).toArray(),
            IntStream.range(0, sources).filter(p -> settings.sideOf(p) == 1).toArray());
        upserts = filled(sources, MINUS_INFINITY);
        promises = filled(sources, MINUS_INFINITY);
        lastArrival = filled(sources, MINUS_INFINITY);
        active = new boolean[sources];
        Arrays.fill(active, true);
    }

    /** Before an event is looked at: the deadlines up to its arrival, then its partition is active. */
    void beforeEvent(final int source, final long arrival)
    {
        tick(arrival);
        if (!started)
        {
            started = true;
            Arrays.fill(lastArrival, arrivalNow);
        }
        lastArrival[source] = arrivalNow;
        active[source] = true;
        update();
    }

    /** The deadlines up to a clock of the sequencer, in order of time, equal ones together. */
    void tick(final long now)
    {
        arrivalNow = Math.max(arrivalNow, now);
        while (started && settings.idleAfterNs() != Settings.NEVER)
        {
            final long next = LongStream.concat(LongStream.of(OracleTime.PLUS_INFINITY),
                IntStream.range(0, active.length).filter(p -> active[p]).mapToLong(this::deadline)).min().getAsLong();
            if (next > arrivalNow)
            {
                return;
            }
            for (int p = 0; p < active.length; p++)
            {
                active[p] &= deadline(p) != next;
            }
            update();
        }
    }

    private long deadline(final int source)
    {
        return plus(plus(lastArrival[source], settings.idleAfterNs()), 1);
    }

    /** Step 5 of a valid upsert. */
    void afterValidUpsert(final int source, final long time)
    {
        upserts[source] = Math.max(upserts[source], minus(time, settings.delayNs()));
        update();
    }

    /** Step 5 of an accepted, therefore valid, upsert. */
    void afterAcceptedUpsert(final int source, final long time, final String key)
    {
        if (settings.keyScope())
        {
            final int side = settings.sideOf(source);
            keys.get(side).computeIfAbsent(key, k -> new KeyClock(fallback(side)))
                .upserts.merge(source, minus(time, settings.delayNs()), Math::max);
        }
        afterValidUpsert(source, time);
    }

    /** Step 5 of a watermark event. */
    void afterPromise(final int source, final long time)
    {
        promises[source] = Math.max(promises[source], time);
        update();
    }

    private void update()
    {
        final long[] before = w.clone();
        for (int side = 0; side < 2; side++)
        {
            if (!allIdle(side))
            {
                final LongStream ofActive = activeOf(side).mapToLong(this::partitionClock);
                w[side] = Math.max(before[side], ofActive.min().orElse(MINUS_INFINITY));
            }
        }
        for (int side = 0; side < 2; side++)
        {
            if (allIdle(side))
            {
                final long largest = Arrays.stream(sourcesOfSide.get(side)).mapToLong(this::partitionClock)
                    .max().orElse(MINUS_INFINITY);
                final long other = allIdle(1 - side) ? MINUS_INFINITY : w[1 - side];
                w[side] = Math.max(before[side], Math.max(largest, other));
            }
            v[side] = Math.max(v[side], activeOf(side).mapToLong(p -> promises[p]).min().orElse(MINUS_INFINITY));
        }
        for (int side = 0; side < 2; side++)
        {
            updateKeys(side);
        }
    }

    private void updateKeys(final int side)
    {
        final long fallback = fallback(side);
        keys.get(side).values().removeIf(key ->
        {
            final long least = activeOf(side).filter(key.upserts::containsKey)
                .mapToLong(p -> Math.max(key.upserts.get(p), promises[p])).min().orElse(MINUS_INFINITY);
            key.w = Math.max(key.w, least);
            return fallback >= key.w;
        });
    }

    private boolean allIdle(final int side)
    {
        return activeOf(side).findAny().isEmpty();
    }

    private IntStream activeOf(final int side)
    {
        return Arrays.stream(sourcesOfSide.get(side)).filter(p -> active[p]);
    }

    /** P(s,p). */
    long partitionClock(final int source)
    {
        return Math.max(upserts[source], promises[source]);
    }

    /** W(s). */
    long watermark(final int side)
    {
        return w[side];
    }

    /** A(s) in scope partition. */
    long acceptance(final int side)
    {
        return isJoint() ? Math.min(w[0], w[1]) : w[side];
    }

    /** A(s), or in scope key A_k(s). */
    long acceptance(final int side, final String key)
    {
        if (!settings.keyScope())
        {
            return acceptance(side);
        }
        return isJoint() ? Math.min(keyWatermark(0, key), keyWatermark(1, key)) : keyWatermark(side, key);
    }

    /** One input has nothing to be joint with. */
    private boolean isJoint()
    {
        return settings.joint() && settings.inputs() == 2;
    }

    /** How many keys have clocks of their own, each side counted. */
    long keyClocks()
    {
        return (long)keys.get(0).size() + keys.get(1).size();
    }

    private long keyWatermark(final int side, final String key)
    {
        final KeyClock clock = keys.get(side).get(key);
        return clock == null ? fallback(side) : clock.w;
    }

    private long fallback(final int side)
    {
        return Math.max(minus(w[side], settings.keySkewNs()), v[side]);
    }

    private static long[] filled(final int length, final long value)
    {
        final long[] array = new long[length];
        Arrays.fill(array, value);
        return array;
    }
}
