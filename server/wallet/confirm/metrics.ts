/** Metrics of confirmations and signatures. */
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
  description: 'Confirmations: `asked`, `approved` or `refused` on the confirmation page, and `used`',
  attributes: ['kind', 'place', 'outcome'],
})
const signatures = counter({
  name: `${product.key}.signatures`,
  unit: '{signature}',
  description: 'Signatures with a released share, by request kind and approval surface',
  attributes: ['kind', 'place'],
})

type Labels = Pick<ConfirmationRow, 'kind' | 'place'>

export const countRequested = (trx: Trx, { kind, place }: Labels): void =>
  afterCommit(trx, () => confirmations.add({ kind, place, outcome: 'asked' }))

export const countDecision = ({ kind }: Pick<Labels, 'kind'>, outcome: 'approved' | 'refused'): void =>
  confirmations.add({ kind, place: 'page', outcome })

export const countConsumed = (trx: Trx, { kind, place }: Labels, { purpose }: WalletToken['step']): void =>
  afterCommit(trx, () => {
    confirmations.add({ kind, place, outcome: 'used' })
    if (walletPurposes[purpose].confirmed === 'signature') signatures.add({ kind, place })
  })
