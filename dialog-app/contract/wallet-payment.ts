/** An amount to an address, paid by a wallet that the user brings: whoever needs it asks for it, and looks for it on the chain. */
import type { Chain } from '@latchkey/protocol/chains'
import type { CardHandle } from '../flow/flow.ts'

export type WalletPayment = {
  readonly to: string
  readonly chain: Chain
  /** The amount in the smallest unit of its coin. */
  readonly value: bigint
  /** As it is shown, with its unit. */
  readonly amount: string
}

/** Whether a wallet has sent it, or its user went back. Rejects where they closed the card. */
export type PayFromWallet = (
  card: Pick<CardHandle, 'interrupt'>,
  payment: WalletPayment,
) => Promise<'sent' | 'left'>
