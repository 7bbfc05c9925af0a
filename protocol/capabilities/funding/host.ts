/** Money for a wallet of the user. */
import * as v from 'valibot'
import { text } from '../../entities/primitives.ts'
import type { HostCallDoc, HostCallRows } from '../../rows/host-call.ts'
import { fundingConfigSchema, fundingStatuses } from './api.ts'

export const fundingCalls = {
  fundWallet: {
    policy: 'needs-user',
    input: v.object({
      address: text,
      provider: v.exactOptional(text, 'moonpay'),
      config: v.exactOptional(fundingConfigSchema, {}),
    }),
  },
} as const satisfies HostCallRows

export const fundingAnswers = {
  /** As the provider said it last; null where it was not asked, as where something was received. */
  fundWallet: v.object({ status: v.nullable(v.picklist(fundingStatuses)) }),
} as const

export const fundingDoc: HostCallDoc<typeof fundingCalls> = {
  fundWallet: {
    summary:
      'Opens the dialog in which the user buys with a card for one of their wallets, or sees where to send something to. `not_supported` says `Fiat on-ramp is not enabled` or `Unsupported fund provider: {provider}`.',
    errors: [
      'must_be_authenticated',
      'not_supported',
      'invalid_data',
      'linked_account_not_found',
      'user_rejected_request',
    ],
  },
}
