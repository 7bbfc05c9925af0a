/** Security notices that could not be sent to any contact of the user. The dialog shows them at the next login. */
import * as v from 'valibot'
import { epochSeconds, id, text } from '../entities/primitives.ts'
import type { Routes, RoutesDoc } from '../rows/route.ts'

const dialogRoute = { auth: 'dialog', forks: false, appHeader: true } as const

const loginNotice = v.object({
  id,
  /** The wallet was recovered on a new device, or a login method or a second factor was added. */
  kind: v.picklist(['recovered', 'account', 'factor']),
  /** The added method as its user knows it. Null for a recovery. */
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
    ...dialogRoute,
    method: 'GET',
    path: '/users/me/notices',
    effect: 'reads',
    /** Oldest first. */
    output: v.object({ notices: v.array(loginNotice) }),
  },
  answerNotice: {
    ...dialogRoute,
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
      'Lists security events that could not be sent to any contact of the user: wallet recoveries, new login methods and new second factors. Not for the session that caused the event, nor for a session that is new or whose login method is newer than the event. Notices stay until they are answered, for up to a year.',
    errors: ['must_be_authenticated'],
  },
  answerNotice: {
    summary:
      'Records whether the user caused the event. If not, the added method is removed and all sessions of the user end, including this one. `last_way_in` and `address_of_another`: the sessions ended, but the method could not be removed.',
    errors: ['must_be_authenticated'],
  },
}
