/** What a user could be told of at none of their contacts, and is asked at their next login. */
import * as v from 'valibot'
import { epochSeconds, id, text } from '../entities/primitives.ts'
import type { Routes, RoutesDoc } from '../rows/route.ts'

const ofDialog = { auth: 'dialog', forks: false, appHeader: true } as const

const loginNotice = v.object({
  id,
  /** Their wallet was opened on a new device; or a way to log in came, or a method that verifies them. */
  kind: v.picklist(['recovered', 'account', 'factor']),
  /** What came, as its user knows it; null of a recovery. */
  name: v.nullable(text),
  at: epochSeconds,
})
export type LoginNotice = v.InferOutput<typeof loginNotice>

export const noticeOutcomes = [
  'acknowledged',
  'logged_out',
  'taken_back',
  'last_way_in',
  'address_of_another',
] as const

export const noticeRoutes = {
  loginNotices: {
    ...ofDialog,
    method: 'GET',
    path: '/users/me/notices',
    effect: 'reads',
    /** The oldest first. */
    output: v.object({ notices: v.array(loginNotice) }),
  },
  answerNotice: {
    ...ofDialog,
    method: 'POST',
    path: '/users/me/notices/answer',
    effect: 'changes',
    body: v.object({ id, isMine: v.boolean() }),
    output: v.object({ outcome: v.picklist(noticeOutcomes) }),
  },
} as const satisfies Routes

export const noticeDoc: RoutesDoc<typeof noticeRoutes> = {
  loginNotices: {
    summary:
      'What happened to the account that its user could be told at none of their contacts: recoveries of the wallet, new login methods and new methods of verification. Not for the session that did it, nor for one whose login is newer than what it would be asked about, or new itself. Each is there until it is answered, for a year at most.',
    errors: ['must_be_authenticated'],
  },
  answerNotice: {
    summary:
      'The user says whether it was them. Where it was not, what came is taken back, and every session of the user ends, this one too. `last_way_in` and `address_of_another`: the sessions have ended, but what came is still there.',
    errors: ['must_be_authenticated'],
  },
}
