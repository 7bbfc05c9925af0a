/** Memory limits for copying tables of any size. */
export const copyLimits = {
  /** Maximum rows per read; fewer if rows are long. */
  batchRows: 1_000,
  firstBatchRows: 50,
  /** Target size of a batch, estimated from the previous one. A single row may exceed it. */
  batchBytes: 2 * 1_048_576,
  /** SQLite accepts 32,766 parameters in one statement, PostgreSQL 65,535. */
  valuesOfStatement: 30_000,
  /** Another process may briefly be writing to the SQLite file. */
  sqliteBusyMs: 5_000,
  /** A manifest lists about sixty tables. */
  manifestBytes: 4 * 1_048_576,
} as const
