package io.tidemark.sink;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;

import org.junit.jupiter.api.Test;

class CurrentTableTest
{
    private static final Utf8 KEY = Utf8.of("k");

    private final CurrentTable table = new CurrentTable();
    private long position;

    @Test
    void shouldHoldWhatWasInsertedAndNotRetracted()
    {
        apply(insert(pair("P1", "S1", 5)), insert(pair("P1", "S2", 5)));
        apply(retract(pair("P1", "S1", 5)));

        assertEquals(List.of(new TableRow(pair("P1", "S2", 5), 1)), table.pairs());
    }

    @Test
    void shouldReplaceACurrentRowByAnInsertionOfItsId()
    {
        apply(insert(pair("P1", "S1", 5)));
        apply(insert(pair("P1", "S1", 6)));

        assertEquals(List.of(new TableRow(pair("P1", "S1", 6), 1)), table.pairs());
    }

    @Test
    void shouldRefuseARetractionThatDiffersAndNameBothRows()
    {
        apply(insert(pair("P1", "S1", 5)));

        final TableException e = assertThrows(TableException.class, () -> apply(retract(pair("P1", "S1", 6))));

        assertTrue(e.getMessage().contains("value=5") && e.getMessage().contains("value=6"), e.getMessage());
        assertTrue(e.getMessage().startsWith("change-set (2, 0, 0)"), e.getMessage());
    }

    @Test
    void shouldRefuseARetractionOfARowThatIsNotThere()
    {
        final TableException e = assertThrows(TableException.class, () -> apply(retract(pair("P1", "S1", 6))));

        assertTrue(e.getMessage().contains("retracts a row that is not current"), e.getMessage());
    }

    @Test
    void shouldSkipChangeSetsThatWereAppliedBefore()
    {
        apply(insert(pair("P1", "S1", 5)));
        position = 0;
        apply(insert(pair("P1", "S1", 7)));

        assertEquals(1, table.skipped());
        assertEquals(List.of(new TableRow(pair("P1", "S1", 5), 1)), table.pairs());
    }

    @Test
    void shouldOrderPairsByKeyTimesAndIds()
    {
        apply(insert(pair("P2", "S1", 5)), insert(pair("P1", "S\u00e9", 5)), insert(pair("P1", "Sz", 5)));

        assertEquals(List.of("P1 Sz", "P1 S\u00e9", "P2 S1"), table.pairs().stream()
            .map(row -> (PairRow)row.row()).map(row -> row.left().id() + " " + row.right().id()).toList());
    }

    private void apply(final Change... changes)
    {
        position++;
        table.apply(new ChangeSet(
            new ChangeSetIdentity(position, 0, 0), 1, 1, 0, 0, 0, KEY, List.of(changes)));
    }

    private static Change insert(final ResultRow row)
    {
        return new Change(true, row);
    }

    private static Change retract(final ResultRow row)
    {
        return new Change(false, row);
    }

    private static PairRow pair(final String left, final String right, final long value)
    {
        return new PairRow(1, KEY, new SourceRow(Utf8.of(left), 0, 1_000, value, 0, 1),
            new SourceRow(Utf8.of(right), 0, 2_000, 1, 0, 2));
    }
}
