/**
 * A passkey's ceremony in a window of its own, where the browser lets no frame of another site ask for one. The dialog
 * puts what is to be asked under a handle, the page of that handle asks the device, and its answer comes back to
 * whoever has the secret. Nothing is verified on the way: the answer goes on as if the dialog had asked.
 */
import * as v from 'valibot'
import { text } from '../../entities/primitives.ts'
import type { Routes, RoutesDoc } from '../../rows/route.ts'
import { oneUse, relay, relayKey } from '../../windows/relay.ts'
import { assertion, assertionOptions, attestation, attestationOptions } from './api.ts'
import { passkeyLimits } from './limits.ts'

export const passkeyCeremony = v.variant('type', [
  v.object({ type: v.literal('get'), options: assertionOptions }),
  v.object({ type: v.literal('create'), options: attestationOptions }),
])
export type PasskeyCeremony = v.InferOutput<typeof passkeyCeremony>

/** `refused`: its user wants none of it. */
export const passkeyAnswer = v.variant('type', [
  v.object({ type: v.literal('get'), assertion }),
  v.object({ type: v.literal('create'), attestation }),
  v.object({ type: v.literal('refused') }),
])
export type PasskeyAnswer = v.InferOutput<typeof passkeyAnswer>

const ofAnybody = { method: 'POST', auth: 'none', forks: true, appHeader: true } as const

export const passkeyWindowRoutes = {
  beginPasskeyWindow: {
    ...ofAnybody,
    path: '/passkeys/window',
    effect: 'changes, replayed',
    maxBodyBytes: passkeyLimits.maxWindowCeremonyBytes,
    body: v.object({ ceremony: passkeyCeremony, relay }),
    output: v.object({}),
  },
  passkeyWindowStatus: {
    ...ofAnybody,
    path: '/passkeys/window/status',
    effect: 'reads',
    body: relayKey,
    output: v.object({ status: v.picklist(['pending', 'answered']) }),
  },
  takePasskeyAnswer: {
    ...ofAnybody,
    path: '/passkeys/window/answer/take',
    effect: 'changes, replayed',
    body: relayKey,
    output: passkeyAnswer,
  },
  closePasskeyWindow: {
    ...ofAnybody,
    path: '/passkeys/window/close',
    effect: 'changes, replayed',
    body: relayKey,
    output: v.object({}),
  },
} as const satisfies Routes

/**
 * What the page asks: it is top-level, has the handle, and neither a session nor the secret. Only the browser whose
 * start page proved that the dialog opened it is answered; it is known by a cookie of the dialog's origin.
 */
export const passkeyPageRoutes = {
  readPasskeyCeremony: {
    ...ofAnybody,
    path: '/passkeys/window/read',
    effect: 'reads',
    body: v.object({ handle: oneUse }),
    output: v.variant('status', [
      v.object({
        status: v.literal('open'),
        ceremony: passkeyCeremony,
        /** The origin of the page whose dialog asks; null where the dialog stands alone. */
        origin: v.nullable(text),
      }),
      v.object({ status: v.literal('answered') }),
    ]),
  },
  answerPasskeyCeremony: {
    ...ofAnybody,
    path: '/passkeys/window/answer',
    effect: 'changes, replayed',
    maxBodyBytes: passkeyLimits.maxWindowAnswerBytes,
    body: v.object({ handle: oneUse, answer: passkeyAnswer }),
    output: v.object({}),
  },
} as const satisfies Routes

export const passkeyWindowDoc: RoutesDoc<typeof passkeyWindowRoutes> = {
  beginPasskeyWindow: {
    summary:
      'Puts what a passkey is to be asked under a handle of the dialog, for five minutes, where the browser lets no frame ask. The page of the handle may have been opened already.',
    errors: ['invalid_data'],
  },
  passkeyWindowStatus: {
    summary:
      'Whether the page of this handle has answered, for the browser that began and has the secret. Waits a little for it.',
    errors: ['not_found'],
  },
  takePasskeyAnswer: {
    summary:
      'What the page of this handle answered, once, for the browser that began and has the secret. It proves nothing by itself: it is what a login, a link or a verification then brings.',
    errors: ['not_found'],
  },
  closePasskeyWindow: {
    summary: 'Nobody waits for the page of this handle any more: what is answered there comes too late.',
    errors: ['not_found'],
  },
}

export const passkeyPageDoc: RoutesDoc<typeof passkeyPageRoutes> = {
  readPasskeyCeremony: {
    summary:
      'What is to be asked, for the page that has the handle. Waits a little for the call that puts it.',
    errors: ['not_found'],
  },
  answerPasskeyCeremony: {
    summary:
      'Keeps what the device answered to the page of this handle, or that its user wants none of it: the first answer counts.',
    errors: ['not_found', 'invalid_data'],
  },
}
