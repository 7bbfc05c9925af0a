/** Results of sent transactions that several capabilities share. */

/** Errors after which the transaction may still be included, because a node may have accepted it. */
export const undecidedProblems = ['NETWORK_ERROR', 'TIMEOUT', 'TRANSACTION_DROPPED', 'UNKNOWN_ERROR'] as const
