/** Limits of sponsored operations. */
export const sponsorServerLimits = {
  daySeconds: 86_400,
  /** Operations and quotes of one user. Test networks have no price, so dollars do not limit them. */
  operationsPerDay: 100,
  quotesPerDay: 500,
  /** Operations of one user that are in no block yet. */
  pendingPerUser: 5,
  /** Failed operations of a day after which a user gets no further ones. */
  failuresPerDay: 3,
  /** Validation of a signature and a nonce by the account contract and the entry point. */
  verificationGas: 100_000,
  /** Gas of the entry point and of the transaction itself. */
  overheadGas: 120_000,
  /** https://eips.ethereum.org/EIPS/eip-7623: a byte that is not zero. */
  gasPerByte: 40,
  /** https://eips.ethereum.org/EIPS/eip-7702 */
  authorizationGas: 25_000,
  /** The app's budget at which the server logs a warning. */
  warnAtShare: 0.8,
  /** How long a node may return a count of transactions that lacks the latest. */
  nodeLagSeconds: 120,
  pollMs: 2_000,
  /** How long one process follows an operation alone. */
  leaseMs: 20_000,
  followedAtOnce: 20,
  /** A transaction that is in no block after this time is replaced by one with a higher fee. */
  replaceAfterSeconds: 30,
  /** How long a bundler may take to include an operation. */
  bundlerSeconds: 600,
  /** When a Solana transaction without a trace counts as not sent. Its blockhash is valid for 150 slots, about a minute. */
  solanaSeconds: 180,
  /** Nodes accept a replacement that pays a tenth more. */
  replacementPercent: 1_125n,
  balanceIntervalMs: 60_000,
  /** The days of the Admin API: today and the six days before. */
  reportedDays: 7,
  keptSeconds: 8 * 86_400,
} as const
