/** A session of another page that ends with this one. */
import * as v from 'valibot'
import type { HostCallDoc, HostCallRows } from '../rows/host-call.ts'

export const forkCalls = {
  forkSession: { policy: 'headless', input: v.object({}) },
} as const satisfies HostCallRows

export const forkAnswers = {
  forkSession: v.object({ code: v.string(), expiresInSeconds: v.number() }),
} as const

export const forkDoc: HostCallDoc<typeof forkCalls> = {
  forkSession: {
    summary:
      'A one-use code of 60 s from which another page of the app starts a session that ends with this one. It signs where the device has its share, and may not recover, create, export, link, delete or revoke.',
    errors: ['must_be_authenticated', 'insufficient_scope'],
  },
}
