/** Requests that users confirm, and the signatures that came of them. */
import { product } from '@latchkey/protocol'
import { walletPurposes } from '@latchkey/protocol/wallet'
import type { WalletToken } from '../../kernel/context.ts'
import type { Trx } from '../../kernel/ports.ts'
import { afterCommit } from '../../kernel/telemetry/after-commit.ts'
import { counter } from '../../kernel/telemetry/instruments.ts'
import type { ConfirmationRow } from './tables.ts'

const confirmations = counter({
  name: `${product.key}.confirmations`,
  unit: '{confirmation}',
  description: 'Requests to confirm: `asked`, `approved` or `refused` on the page of the wallet, and `used`',
  attributes: ['kind', 'place', 'outcome'],
})
const signatures = counter({
  name: `${product.key}.signatures`,
  unit: '{signature}',
  description: 'Signatures that a share was released for, by what was signed and where it was approved',
  attributes: ['kind', 'place'],
})

type Asked = Pick<ConfirmationRow, 'kind' | 'place'>

export const countAsked = (trx: Trx, { kind, place }: Asked): void =>
  afterCommit(trx, () => confirmations.add({ kind, place, outcome: 'asked' }))

export const countDecision = ({ kind }: Pick<Asked, 'kind'>, outcome: 'approved' | 'refused'): void =>
  confirmations.add({ kind, place: 'page', outcome })

export const countUse = (trx: Trx, { kind, place }: Asked, { purpose }: WalletToken['step']): void =>
  afterCommit(trx, () => {
    confirmations.add({ kind, place, outcome: 'used' })
    if (walletPurposes[purpose].confirmed === 'signature') signatures.add({ kind, place })
  })
