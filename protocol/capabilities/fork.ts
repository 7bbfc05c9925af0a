/** A session of another page that ends with this one. */
import * as v from 'valibot'
import type { MoreRows } from '../rows/host-call.ts'

export const forkCalls = {
  forkSession: { policy: 'headless', input: v.object({}) },
} as const satisfies MoreRows

export const forkAnswers = {
  forkSession: v.object({ code: v.string(), expiresInSeconds: v.number() }),
} as const
