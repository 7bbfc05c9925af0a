/** The user's own wallet is made. */
import * as v from 'valibot'
import { looseWallet } from '../loosely.ts'
import type { MoreRows } from './row.ts'

export const walletCreateCalls = {
  createWallet: { policy: 'headless', input: v.object({}) },
} as const satisfies MoreRows

export const walletCreateAnswers = { createWallet: v.object({ wallet: looseWallet }) } as const
