/**
 * The answer once more, from the raw source logs and the order log alone, by brute force and with none of the engine's
 * code, to be compared with the current table and the late and reject logs.
 *
 * <pre>
 *   order log + source logs --> ValidityRules, ClockModel --> ClockHistory          (first pass: clocks by position)
 *                           --> by key: KeyModel + KeyClocks --> KeyOutcome         (then: key after key)
 *   change, late and reject logs -----------------------------> Verification        (compare, report in words)
 * </pre>
 */
package io.tidemark.sink.verify;
