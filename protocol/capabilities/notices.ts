/** What a user could be told of at none of their contacts, and is asked at their next login. */
import * as v from 'valibot'
import { epochSeconds, id, text } from '../entities/primitives.ts'
import type { Routes } from '../rows/route.ts'

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
