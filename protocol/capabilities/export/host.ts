/** The user takes their wallet elsewhere. */
import * as v from 'valibot'
import type { MoreRows } from '../../rows/host-call.ts'

export const exportCalls = {
  exportWallet: { policy: 'needs-user', input: v.object({}) },
} as const satisfies MoreRows

export const exportAnswers = { exportWallet: v.object({}) } as const
