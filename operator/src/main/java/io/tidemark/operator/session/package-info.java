/**
 * Sessions on paged state (SEMANTICS.md section 7).
 *
 * <pre>
 *   SessionEngine       the steps of one event: reject, duplicate, late, apply, advance
 *     SessionPolicy       all arithmetic of the rule
 *     Members             members and tombstones, found by id
 *     SessionChanges      what an event makes of the sessions of its key: extend, bridge, split
 *     DirectPublication   the change-set of that (ordinal 0)
 *     Finality            what the clock brings about: final sessions (ordinals 1, 2, ..) and clean-up
 *       Sweeper             takes what is gone out of a key's trees
 *   Trees               a key's three trees: members by time, sessions by start, tombstones by largest time
 *   MemberDescriptor, SessionDescriptor   layouts
 *   SessionImages, FinalSessions          sorted scratch lists off heap
 * </pre>
 *
 * <p><b>Aggregates.</b> A session keeps count, sum, smallest and largest of its members, so a member that comes is
 * added in constant time. When one goes that was the smallest or largest, or the session splits, these have to be had
 * from the members that are left, of which there may be a million. Two designs were weighed:
 *
 * <ul>
 * <li>a tree of partial aggregates beside that of the members, by time: independent of it, but each member would be in
 *     two trees, and equal times without number would have to be told apart once more;</li>
 * <li>aggregates in the inner nodes of the members' own tree ({@link io.tidemark.store.Aggregates}): an insert adds to
 *     one a level, any span is two paths, and small trees of one leaf keep none at all. Splits and merges move them
 *     along.</li>
 * </ul>
 *
 * <p>The second is what is here: it costs an inner node's fan-out (72 in place of 254) and nothing else.
 *
 * <p><b>Old members as sums.</b> With {@code members: aggregate} those that the clock has passed leave their tree for a
 * second aggregate of their session, its base. They can't be withdrawn any more, so the base only grows, and what is
 * left of a session is always base and tree together, whenever the sweep comes by.
 *
 * <p>What becomes of an event is decided by the clock, never by whether a sweep has been there already: a member whose
 * session is no more is not open, and no later session can reach back to it.
 */
package io.tidemark.operator.session;
