package io.tidemark.sink.verify;

import java.util.List;

/**
 * One thing that was checked.
 *
 * @param what        is compared.
 * @param summary     how much of it there is.
 * @param differences the first differences in words; empty when it holds.
 * @param different   how many differences there are in all.
 */
public record Check(String what, String summary, List<String> differences, long different)
{
    /**
     * Whether the check holds.
     *
     * @return true without a difference.
     */
    public boolean holds()
    {
        return different == 0;
    }
}
