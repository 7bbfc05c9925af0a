import type { RoutesDoc } from '../rows/route.ts'
import type { noticeRoutes } from './notices.ts'

export const noticeDoc: RoutesDoc<typeof noticeRoutes> = {
  loginNotices: {
    says: 'What happened to the account that its user could be told at none of their contacts: recoveries of the wallet, new login methods and new methods of verification. Not for the session that did it, nor for one whose login is newer than what it would be asked about, or new itself. Each is there until it is answered, for a year at most.',
    errors: ['must_be_authenticated'],
  },
  answerNotice: {
    says: 'The user says whether it was them. Where it was not, what came is taken back, and every session of the user ends, this one too. `last_way_in` and `address_of_another`: the sessions have ended, but what came is still there.',
    errors: ['must_be_authenticated'],
  },
}
