/** A wallet for the page, by whichever way its user likes. */
import * as v from 'valibot'
import type { ConnectedWallet } from '../entities/linked-account.ts'
import type { MoreRows } from '../rows/host-call.ts'
import { type Loosely, looseWallet } from '../rows/lenient.ts'

export const landingCalls = {
  connectOrCreateWallet: { policy: 'needs-user', input: v.object({}) },
} as const satisfies MoreRows

export const landingAnswers = {
  connectOrCreateWallet: v.object({ wallet: looseWallet }) as unknown as Loosely<{ wallet: ConnectedWallet }>,
} as const
