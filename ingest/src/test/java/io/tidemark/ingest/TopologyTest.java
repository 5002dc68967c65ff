package io.tidemark.ingest;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

class TopologyTest
{
    private final Topology topology = Topology.of(List.of(
        new StreamSpec("payments", 2), new StreamSpec("signals", 1), new StreamSpec("audit", 3)));

    @Test
    void shouldNumberSourcesStreamByStream()
    {
        assertEquals(6, topology.sources());
        int source = 0;
        for (int stream = 0; stream < topology.streams(); stream++)
        {
            for (int partition = 0; partition < topology.partitions(stream); partition++)
            {
                assertEquals(source, topology.sourceOf(stream, partition));
                assertEquals(stream, topology.streamOf(source));
                assertEquals(partition, topology.partitionOf(source));
                source++;
            }
        }
        assertEquals("signals-0", topology.sourceName(2));
        assertEquals("audit-2", topology.sourceName(5));
    }

    @Test
    void shouldKnowStreamsByName()
    {
        assertEquals(1, topology.streamIndex("signals"));
        assertEquals(-1, topology.streamIndex("signal"));
        assertEquals("audit", topology.streamName(2));
    }

    @Test
    void shouldRefusePartitionsThatAreNot()
    {
        assertThrows(IllegalArgumentException.class, () -> topology.sourceOf(0, 2));
        assertThrows(IllegalArgumentException.class, () -> topology.sourceOf(2, -1));
    }

    @Test
    void shouldRefuseStreamsThatCannotBe()
    {
        assertThrows(IllegalArgumentException.class, () -> Topology.of(List.of()));
        assertThrows(IllegalArgumentException.class, () -> new StreamSpec("a", 0));
        assertThrows(IllegalArgumentException.class,
            () -> Topology.of(List.of(new StreamSpec("a", 1), new StreamSpec("a", 2))));
        assertThrows(IllegalArgumentException.class, () -> Topology.of(List.of(new StreamSpec("a", 65_536))));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ".", "..", "a/b", "a b", "ä"})
    void shouldRefuseNamesThatAreNoDirectories(final String name)
    {
        assertThrows(IllegalArgumentException.class, () -> new StreamSpec(name, 1));
    }
}
