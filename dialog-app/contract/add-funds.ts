/** Money for a transaction that its wallet can not pay: whoever shows one asks for it, and looks again afterwards. */
import type { Chain } from '@latchkey/protocol/chains'
import type { Rpc } from '../chains/rpc.ts'
import type { CardHandle } from '../flow/flow.ts'

export type NeededFunds = {
  readonly address: string
  readonly chain: Chain
  readonly rpc: Rpc
  /** In the smallest unit, likewise. */
  readonly missing: bigint
  /** The transaction can be paid with so much on the chain. */
  readonly untilBalance: bigint
}

/** Resolves when enough is there, or its user went back. */
export type AddFunds = (card: Pick<CardHandle, 'interrupt'>, needed: NeededFunds) => Promise<void>
