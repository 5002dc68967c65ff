package io.tidemark.operator.spec;

/**
 * When a join row without a current pair is published (SEMANTICS.md section 6).
 */
public enum Unmatched
{
    /** Never. */
    NONE,
    /** Once, when the row is no longer open and has no current pair. */
    FINAL,
    /** As soon as it is accepted without a partner, withdrawn and repeated as pairs come and go, then made final. */
    PROVISIONAL
}
