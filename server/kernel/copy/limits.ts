/** Limits of what is in memory while tables are copied, however large they are. */
export const copyLimits = {
  /** Rows that are read at once; fewer where they are long. */
  batchRows: 1_000,
  firstBatchRows: 50,
  /** What a batch should have, by the rows before it. A single row may have more. */
  batchBytes: 2 * 1_048_576,
  /** SQLite takes 32,766 values in one statement, PostgreSQL 65,535. */
  valuesOfStatement: 30_000,
  /** Another process may be writing to the SQLite file for a moment. */
  sqliteBusyMs: 5_000,
  /** A manifest names some sixty tables. */
  manifestBytes: 4 * 1_048_576,
} as const
