/** Wallets that were made, and how often their shares leave. */
import type { ChainType } from '@latchkey/protocol'
import { product } from '@latchkey/protocol'
import type { ShareKind, WalletPurpose } from '@latchkey/protocol/wallet'
import type { Trx } from '../../kernel/ports.ts'
import { afterCommit } from '../../kernel/telemetry/after-commit.ts'
import { counter } from '../../kernel/telemetry/instruments.ts'

const created = counter({
  name: `${product.key}.wallets.created`,
  unit: '{wallet}',
  description: 'Wallets that were created or imported, by chain',
  attributes: ['chain', 'origin'],
})
const releases = counter({
  name: `${product.key}.wallets.releases`,
  unit: '{release}',
  description: 'Shares that were released, by what for: signatures, recoveries, exports and so on',
  attributes: ['purpose'],
})

export const countWallet = (trx: Trx, chain: ChainType, kind: ShareKind): void =>
  afterCommit(trx, () => created.add({ chain, origin: kind === 'entropy' ? 'created' : 'imported' }))

export const countReleased = (trx: Trx, purpose: WalletPurpose): void =>
  afterCommit(trx, () => releases.add({ purpose }))
