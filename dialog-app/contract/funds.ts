/** The contract between capabilities that need funds and those that add them. */
import type { Chain } from '@latchkey/protocol/chains'
import type { Rpc } from '../chains/rpc.ts'
import type { CardHandle } from '../flow/flow.ts'

/** The funds that a transaction lacks. After they are added, the caller checks the balance again. */
export type NeededFunds = {
  address: string
  chain: Chain
  rpc: Rpc
  /** The missing amount in the smallest unit. */
  missing: bigint
  /** The balance on the chain that pays for the transaction. */
  untilBalance: bigint
}

/** Resolves when the balance suffices, or when the user goes back. */
export type AddFunds = (card: Pick<CardHandle, 'interrupt'>, needed: NeededFunds) => Promise<void>

/** A payment from an external wallet of the user. The caller verifies it on the chain. */
export type WalletPayment = {
  to: string
  chain: Chain
  /** The amount in the smallest unit of its coin. */
  value: bigint
  /** The formatted amount with its unit. */
  amount: string
}

/** Returns whether a wallet sent the payment or the user went back. Rejects if the user closes the card. */
export type PayFromWallet = (
  card: Pick<CardHandle, 'interrupt'>,
  payment: WalletPayment,
) => Promise<'sent' | 'left'>
