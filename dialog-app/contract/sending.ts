/** What capabilities know of each other's sent transactions. */

/** After these nobody knows whether a transaction is carried out still: a node may have it all the same. */
export const undecidedProblems = ['NETWORK_ERROR', 'TIMEOUT', 'TRANSACTION_DROPPED', 'UNKNOWN_ERROR'] as const
