/** Money for a wallet of the user. */
import * as v from 'valibot'
import { text } from '../../entities/primitives.ts'
import type { MoreRows } from '../../rows/host-call.ts'
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
} as const satisfies MoreRows

export const fundingAnswers = {
  /** As the provider said it last; null where it was not asked, as where something was received. */
  fundWallet: v.object({ status: v.nullable(v.picklist(fundingStatuses)) }),
} as const
