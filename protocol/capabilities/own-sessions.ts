/** How users see and end their sessions. Apart from `sessions.ts`, which the core of the dialog contains. */
import * as v from 'valibot'
import { id, text } from '../entities/primitives.ts'
import type { Routes, RoutesDoc } from '../rows/route.ts'

const ownSession = v.object({
  id,
  /** Names by the user agent, for display. Null after 90 days. */
  browser: v.nullable(text),
  system: v.nullable(text),
  createdAt: v.number(),
  /** Rounded to the hour. */
  lastUsedAt: v.number(),
  isCurrent: v.boolean(),
  /** The session has a device key, so its browser can sign. */
  opensWallets: v.boolean(),
})
export type OwnSession = v.InferOutput<typeof ownSession>

export const ownSessionRoutes = {
  listOwnSessions: {
    method: 'GET',
    path: '/users/me/sessions',
    auth: 'dialog',
    forks: false,
    effect: 'reads',
    appHeader: true,
    output: v.object({ sessions: v.array(ownSession) }),
  },
  endOwnSession: {
    method: 'POST',
    path: '/users/me/sessions/end',
    auth: 'dialog',
    forks: false,
    effect: 'changes',
    appHeader: true,
    body: v.object({ id }),
    output: v.object({ success: v.literal(true) }),
  },
  endOtherSessions: {
    method: 'POST',
    path: '/users/me/sessions/end_others',
    auth: 'dialog',
    forks: false,
    effect: 'changes',
    appHeader: true,
    body: v.object({}),
    output: v.object({ ended: v.number() }),
  },
} as const satisfies Routes

export const ownSessionDoc: RoutesDoc<typeof ownSessionRoutes> = {
  listOwnSessions: {
    summary:
      'Lists the sessions of the user, newest first: the browser, when it was last used, and whether it can open wallets. Forks count as their parent session.',
    errors: ['must_be_authenticated', 'insufficient_scope'],
  },
  endOwnSession: {
    summary: 'Ends a session of the user with its forks.',
    errors: ['must_be_authenticated', 'insufficient_scope', 'not_found'],
  },
  endOtherSessions: {
    summary: 'Ends all other sessions of the user. Forks of this session stay.',
    errors: ['must_be_authenticated', 'insufficient_scope'],
  },
}
