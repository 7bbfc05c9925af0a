export const importLimits = {
  /** Records of a chunk, which is imported in one transaction. */
  chunkRecords: 500,
  /** A chunk of long records ends earlier, so that its transaction stays short. */
  chunkBytes: 1_048_576,
  /** Chunks of an import before another import has its turn. */
  chunksPerTurn: 20,
  /** Longer than the transaction of a chunk, so that no other process repeats a running one. */
  leaseMs: 60_000,
  pollMs: 1_000,
  /** After this many failures in a row, an import waits for the operator. */
  mostFailures: 5,
  /** Rows per read of a report. */
  reportBatchRows: 1_000,
  /** An import that was not started is deleted after this time. */
  openSeconds: 7 * 86_400,
  /** Longer than an import is open and runs. */
  recordsKeptSeconds: 14 * 86_400,
  /** Longer than an upload takes. Afterwards, chunks without a part are deleted. */
  uploadSeconds: 3_600,
  /** Reports are kept for this long. */
  keptSeconds: 30 * 86_400,
} as const
