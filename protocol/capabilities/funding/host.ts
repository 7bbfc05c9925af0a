/** Funding of a wallet. */
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
  /** The last status that the provider reported. Null without a provider, for example for a received transfer. */
  fundWallet: v.object({ status: v.nullable(v.picklist(fundingStatuses)) }),
} as const

export const fundingDoc: HostCallDoc<typeof fundingCalls> = {
  fundWallet: {
    summary:
      'Opens the dialog in which the user buys coins by card for one of their wallets, or sees the address to send funds to. `not_supported` has the message `Fiat on-ramp is not enabled` or `Unsupported fund provider: {provider}`.',
    errors: [
      'must_be_authenticated',
      'not_supported',
      'invalid_data',
      'linked_account_not_found',
      'user_rejected_request',
    ],
  },
}
