package io.tidemark.operator.worker;

/**
 * What a replay was compared with, and found the same.
 *
 * @param from        position of the checkpoint that it began with, 0 for the start of the logs.
 * @param to          last position.
 * @param records     of the change log, the late log and the rejects log that were the same.
 * @param beyond      records that it made and those logs do not hold yet.
 * @param checkpoints on the way whose registers and digests were the same.
 */
public record ReplayReport(long from, long to, long records, long beyond, int checkpoints)
{
}
