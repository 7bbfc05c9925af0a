import { type LoginNotice, noticeRoutes } from '@latchkey/protocol/api'
import { findVisibleNotices } from '../../identity/notices/notices.ts'
import type { Capability } from '../../kernel/capability.ts'
import { type Endpoint, endpoint } from '../../kernel/http/endpoint.ts'
import { answerNotice, toLoginNotice } from './at-login.ts'
import { takeBackPages } from './pages.ts'

const noticeEndpoints: readonly Endpoint[] = [
  endpoint(noticeRoutes.loginNotices, async ({ app, caller, language }, context) => {
    const { userId, sessionId } = caller
    const rows = await findVisibleNotices(context.db, context, { app, userId, sessionId })
    const notices = await Promise.all(rows.map((row) => toLoginNotice(context, language, row)))
    return { notices: notices.filter((notice): notice is LoginNotice => notice !== undefined) }
  }),
  endpoint(noticeRoutes.answerNotice, ({ app, caller, body }, context) =>
    answerNotice(context, { app, caller, ...body }),
  ),
]

export const takeBack: Capability = {
  name: 'take-back',
  endpoints: noticeEndpoints,
  pages: takeBackPages,
}
