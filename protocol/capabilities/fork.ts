/** A session of another page of the app, which ends with this one. */
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
      'Creates a one-use code, valid for 60 s, that starts a session on another page of the app. That session ends with this one. It can sign if the device has its share, but cannot recover, create, export, link, delete or revoke.',
    errors: ['must_be_authenticated', 'insufficient_scope'],
  },
}
