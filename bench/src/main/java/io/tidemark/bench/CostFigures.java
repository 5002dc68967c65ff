package io.tidemark.bench;

/**
 * What one event costs beside so much state.
 *
 * @param rule       type of the rule.
 * @param rows       in state when measuring began.
 * @param keys       that they belong to.
 * @param measure    of events that insert, revise and withdraw rows among them.
 * @param stateBytes of its pages.
 */
record CostFigures(String rule, int rows, int keys, Measure measure, long stateBytes)
{
}
