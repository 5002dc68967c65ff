package io.tidemark.bench;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The same work measured several times. */
final class Rounds
{
    private final List<Measure> measures = new ArrayList<>();

    void add(final Measure measure)
    {
        measures.add(measure);
    }

    int count()
    {
        return measures.size();
    }

    List<Measure> all()
    {
        return List.copyOf(measures);
    }

    /** The round in the middle by thread time; of an even number the faster of the two. */
    Measure median()
    {
        final List<Measure> sorted =
            measures.stream().sorted(Comparator.comparingDouble(Measure::cpuNsPerEvent)).toList();
        return sorted.get((sorted.size() - 1) / 2);
    }

    double leastCpuNsPerEvent()
    {
        return measures.stream().mapToDouble(Measure::cpuNsPerEvent).min().orElseThrow();
    }
}
