/** Limits of wallet operations, loaded with the wallet. */
export const walletLimits = {
  frameReadyMs: 30_000,
  frameReadyImperativeMs: 15_000,
  createMs: 10_000,
  callMs: 20_000,
  /** Minimum display time of the creation screen, so that it does not flash. */
  creatingScreenMs: 500,
  createdScreenCloseMs: 2_500,
  signSuccessCloseMs: 1_400,
  signResetMs: 200,
  /** Timeout of one RPC node, before falling back to the next. */
  rpcTimeoutMs: 5_000,
  /** Interval between polls for a transaction receipt. */
  receiptPollMs: 2_000,
  /** Polls in a row without any node knowing the transaction, after which it counts as dropped. */
  looksUntilDropped: 5,
  /** If the chain has not returned its data fee by then, the review warns of higher fees. */
  l1FeeTimeoutMs: 3_000,
  /** After this time, the screen reports that the transaction is still unconfirmed and keeps it. */
  confirmationMs: 10 * 60_000,
  /** After this time, the call of a sent Solana transaction ends. A blockhash is valid for about a minute. */
  solanaConfirmationMs: 2 * 60_000,
  beforeExportMs: 1_000,
  vaultIdleMs: 60_000,
  walletTokenSeconds: 60,
  /** A wallet token with less time left is replaced. */
  walletTokenLeftSeconds: 10,
  /** A token that waits for the user is renewed after this time, so that it is valid when they press. */
  walletTokenRenewSeconds: 40,
  /** An operation may wait for the user. Its key pair expires after this time. */
  operationMs: 10 * 60_000,
  /** How long the vault stays alive for a device key that the browser did not store. */
  unfiledDeviceMs: 24 * 60 * 60_000,
} as const
