/** Apart from what is known of a wallet without it, so that it comes with the wallet. */
export const walletLimits = {
  frameReadyMs: 30_000,
  frameReadyImperativeMs: 15_000,
  createMs: 10_000,
  callMs: 20_000,
  /** Shortest time of the creation screen, so that it does not flash. */
  creatingScreenMs: 500,
  createdScreenCloseMs: 2_500,
  signSuccessCloseMs: 1_400,
  signResetMs: 200,
  /** One address of a chain is given up for the next after this time. */
  rpcTimeoutMs: 5_000,
  /** The time from one look for the receipt of a transaction to the next. */
  receiptPollMs: 2_000,
  /** A transaction that no node knows at so many looks in a row was dropped. */
  looksUntilDropped: 5,
  /** Where a chain does not say by then what it charges for data, the review says that the fees may be higher. */
  l1FeeTimeoutMs: 3_000,
  /** What is not confirmed by then is told so, and stays where it is. */
  confirmationMs: 10 * 60_000,
  beforeExportMs: 1_000,
  vaultIdleMs: 60_000,
  walletTokenSeconds: 60,
  /** A wallet token with less left than this is asked for anew. */
  walletTokenLeftSeconds: 10,
  /** One that waits for a person is renewed after this time, so that it is fresh when they press. */
  walletTokenRenewSeconds: 40,
  /** An operation may wait for a person; its key pair then dies by itself. */
  operationMs: 10 * 60_000,
  /** A device key that the browser did not store keeps the vault alive. */
  unfiledDeviceMs: 24 * 60 * 60_000,
} as const
