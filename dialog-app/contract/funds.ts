/** Money for a wallet: capabilities ask each other for it. */
import type { Chain } from '@latchkey/protocol/chains'
import type { Rpc } from '../chains/rpc.ts'
import type { CardHandle } from '../flow/flow.ts'

/** A transaction that its wallet can not pay: whoever shows it asks for the money, and looks again afterwards. */
export type NeededFunds = {
  address: string
  chain: Chain
  rpc: Rpc
  /** In the smallest unit, likewise. */
  missing: bigint
  /** The transaction can be paid with so much on the chain. */
  untilBalance: bigint
}

/** Resolves when enough is there, or its user went back. */
export type AddFunds = (card: Pick<CardHandle, 'interrupt'>, needed: NeededFunds) => Promise<void>

/** An amount to an address, paid by a wallet that the user brings: whoever needs it asks for it, and looks for it on the chain. */
export type WalletPayment = {
  to: string
  chain: Chain
  /** The amount in the smallest unit of its coin. */
  value: bigint
  /** As it is shown, with its unit. */
  amount: string
}

/** Whether a wallet has sent it, or its user went back. Rejects where they closed the card. */
export type PayFromWallet = (
  card: Pick<CardHandle, 'interrupt'>,
  payment: WalletPayment,
) => Promise<'sent' | 'left'>
