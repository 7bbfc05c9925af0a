export const confirmServerLimits = {
  /** The total size of the open requests of one session. */
  openBytesPerSession: 8 * 1_048_576,
  /** How long an expired request stays distinguishable from an unknown one. */
  keptSeconds: 600,
  spendingSeconds: 86_400,
  /** The user is waiting. After this deadline the fee is counted without its L1 part. */
  l1FeeDeadlineMs: 2_000,
  /** After this deadline the page shows no simulation. */
  simulationDeadlineMs: 2_000,
  /** After this deadline the page shows no accounts of lookup tables. */
  lookupTablesDeadlineMs: 2_000,
  /** A call that changes more balances is shown without a simulation. */
  maxSimulatedChanges: 50,
} as const
