/**
 * State by key, as every operator has it: keys in slots, the clocks that keys have of their own, and what is due when.
 *
 * <pre>
 *   KeyedEngine    the frame of every operator: clocks, order, and what is asked of joins and sessions
 *   KeyedEvent     the event at hand, and where its key is
 *   KeyTouch       fetches the keys of a batch before they are needed
 *   KeyHash        a key's slot, for ever
 *   Keys           finding, making and freeing keys
 *   KeyClocks      the clocks of keys in scope key
 *   Agenda         what keys have to do with a clock
 *     Calendar     what is due when, in lists of buckets of time (BucketLists, RipeKeys) and a heap (DueHeap)
 *   KeyDescriptor, SlotDescriptor   layouts
 *   NativeRecords  sorted scratch lists off heap: KeyRefs and others
 *   Memory         comparison of bytes
 * </pre>
 */
package io.tidemark.operator.keyed;
