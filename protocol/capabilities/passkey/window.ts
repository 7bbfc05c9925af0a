/**
 * A passkey ceremony in a separate window, for browsers that do not allow WebAuthn in a cross-site frame. The dialog
 * stores the options under a handle, the window's page runs the ceremony, and the holder of the secret fetches the
 * answer. The relay verifies nothing: the dialog uses the answer as if it had run the ceremony itself.
 */
import * as v from 'valibot'
import { text } from '../../entities/primitives.ts'
import type { Routes, RoutesDoc } from '../../rows/route.ts'
import { oneUse, relay, relayKey } from '../../windows/relay.ts'
import { assertion, assertionOptions, attestation, attestationOptions } from './credentials.ts'
import { passkeyLimits } from './limits.ts'

export const passkeyCeremony = v.variant('type', [
  v.object({ type: v.literal('get'), options: assertionOptions }),
  v.object({ type: v.literal('create'), options: attestationOptions }),
])
export type PasskeyCeremony = v.InferOutput<typeof passkeyCeremony>

/** `refused`: the user cancelled. */
export const passkeyAnswer = v.variant('type', [
  v.object({ type: v.literal('get'), assertion }),
  v.object({ type: v.literal('create'), attestation }),
  v.object({ type: v.literal('refused') }),
])
export type PasskeyAnswer = v.InferOutput<typeof passkeyAnswer>

const publicRoute = { method: 'POST', auth: 'none', forks: true, appHeader: true } as const

export const passkeyWindowRoutes = {
  beginPasskeyWindow: {
    ...publicRoute,
    path: '/passkeys/window',
    effect: 'changes, replayed',
    maxBodyBytes: passkeyLimits.maxWindowCeremonyBytes,
    body: v.object({ ceremony: passkeyCeremony, relay }),
    output: v.object({}),
  },
  passkeyWindowStatus: {
    ...publicRoute,
    path: '/passkeys/window/status',
    effect: 'reads',
    body: relayKey,
    output: v.object({ status: v.picklist(['pending', 'answered']) }),
  },
  takePasskeyAnswer: {
    ...publicRoute,
    path: '/passkeys/window/answer/take',
    effect: 'changes, replayed',
    body: relayKey,
    output: passkeyAnswer,
  },
  closePasskeyWindow: {
    ...publicRoute,
    path: '/passkeys/window/close',
    effect: 'changes, replayed',
    body: relayKey,
    output: v.object({}),
  },
} as const satisfies Routes

/**
 * Calls of the window's page. It is top-level and has the handle, but no session and no secret. The server only answers
 * the browser whose start page proved that the dialog opened it, identified by a cookie of the dialog origin.
 */
export const passkeyPageRoutes = {
  readPasskeyCeremony: {
    ...publicRoute,
    path: '/passkeys/window/read',
    effect: 'reads',
    body: v.object({ handle: oneUse }),
    output: v.variant('status', [
      v.object({
        status: v.literal('open'),
        ceremony: passkeyCeremony,
        /** The origin of the host page, or null for a standalone dialog. */
        origin: v.nullable(text),
      }),
      v.object({ status: v.literal('answered') }),
    ]),
  },
  answerPasskeyCeremony: {
    ...publicRoute,
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
      'Stores a passkey ceremony under a handle for five minutes, for browsers that do not allow it in a frame. The page of the handle may already be open.',
    errors: ['invalid_data'],
  },
  passkeyWindowStatus: {
    summary:
      'Returns whether the page of this handle has answered. Requires the browser that started the ceremony and its secret. Waits briefly for the answer.',
    errors: ['not_found'],
  },
  takePasskeyAnswer: {
    summary:
      "Returns the page's answer once. Requires the browser that started the ceremony and its secret. The answer proves nothing by itself: a login, link or verification then submits it.",
    errors: ['not_found'],
  },
  closePasskeyWindow: {
    summary: 'Closes the handle. Later answers of its page are rejected.',
    errors: ['not_found'],
  },
}

export const passkeyPageDoc: RoutesDoc<typeof passkeyPageRoutes> = {
  readPasskeyCeremony: {
    summary: 'Returns the ceremony of the handle to its page. Waits briefly for the call that stores it.',
    errors: ['not_found'],
  },
  answerPasskeyCeremony: {
    summary: "Stores the authenticator's answer or the user's cancellation. Only the first answer counts.",
    errors: ['not_found', 'invalid_data'],
  },
}
