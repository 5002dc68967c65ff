package io.tidemark.ops.command;

/**
 * Exit codes of every command.
 */
final class ExitCode
{
    /** All was done. */
    static final int DONE = 0;
    /** The work failed. */
    static final int FAILED = 1;
    /** Wrong usage or configuration. */
    static final int WRONG_USAGE = 2;
    /** All was done, but input was rejected or a check did not hold. */
    static final int DONE_WITH_COMPLAINTS = 3;

    private ExitCode()
    {
    }
}
