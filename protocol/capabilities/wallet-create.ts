/** The user's own wallet is made. */
import * as v from 'valibot'
import type { MoreRows } from '../rows/host-call.ts'
import { looseWallet } from '../rows/lenient.ts'

export const walletCreateCalls = {
  createWallet: { policy: 'headless', input: v.object({}) },
} as const satisfies MoreRows

export const walletCreateAnswers = { createWallet: v.object({ wallet: looseWallet }) } as const
