import { sessionLimits } from '@latchkey/protocol'
import { sessionRoutes } from '@latchkey/protocol/api'
import type { ServerContext } from '../context.ts'
import { type Call, type Endpoint, endpoint, replayedEndpoint } from '../http/endpoint.ts'
import { grantAnswer, sessionAnswer } from '../users/users.ts'
import { dropRefreshCookie, keepRefreshCookie, refreshCookie, usesCookies } from './cookies.ts'
import { loggedOut } from './delivery.ts'
import { createSessionCode, forkSession, recoverFork, redeemSessionCode, sessionCodeOf } from './forks.ts'
import { refreshTokenOf, tokensOfGrant } from './grant.ts'
import { provenKeyOf } from './proven-call.ts'
import { invalidToken } from './refusals.ts'
import { logout, logoutCaller, refreshSession, revokeAllSessions } from './sessions.ts'

type TokenCall = Pick<Call, 'app' | 'http'> & { readonly body: { readonly refreshToken?: string | null } }

/** In cookie mode the cookie, and the body of a browser that has its session from before the app changed modes. */
const presentedTo = (call: TokenCall): string | undefined => {
  const cookie = usesCookies(call.app) ? refreshCookie(call) : undefined
  return cookie ?? call.body.refreshToken ?? undefined
}

const hasBearer = ({ http }: Pick<Call, 'http'>) => http.req.header('authorization') !== undefined

export const sessionEndpoints: readonly Endpoint[] = [
  endpoint(sessionRoutes.refreshSession, async (call, context) => {
    const refreshToken = presentedTo(call)
    if (refreshToken === undefined) {
      if (hasBearer(call)) throw invalidToken()
      return loggedOut(call)
    }
    const provenKey = provenKeyOf(call, context)
    const granted = await refreshSession(context, { appId: call.app.id, refreshToken, provenKey })
    return sessionAnswer(call, context, granted)
  }),

  replayedEndpoint(sessionRoutes.forkSession, {
    decide: (trx, call, context) => {
      const refreshToken = presentedTo(call)
      if (refreshToken === undefined) throw invalidToken()
      const provenKey = provenKeyOf(call, context)
      return forkSession(trx, context, call.caller, { appId: call.app.id, refreshToken, provenKey })
    },
    render: async (outcome, call, context) => {
      if (outcome.type === 'refused') throw invalidToken()
      const { tokens } = await tokensOfGrant(context.db, context, outcome.caller, provenKeyOf(call, context))
      const inCookie = usesCookies(call.app)
      if (inCookie) keepRefreshCookie(call, tokens.refreshToken)
      return {
        token: tokens.token,
        refreshToken: await refreshTokenOf(context.db, context, outcome.fork),
        newSessionRefreshToken: inCookie ? null : tokens.refreshToken,
      }
    },
  }),

  replayedEndpoint(sessionRoutes.recoverFork, {
    decide: (trx, call, context) => {
      const { refreshToken } = call.body
      return recoverFork(trx, context, {
        appId: call.app.id,
        refreshToken,
        provenKey: provenKeyOf(call, context),
      })
    },
    render: (grant, call, context) => grantAnswer(call, context, grant),
  }),

  endpoint(sessionRoutes.logout, async (call, context) => {
    const refreshToken = presentedTo(call)
    if (usesCookies(call.app)) dropRefreshCookie(call)
    if (refreshToken !== undefined) await logout(context, call.app.id, refreshToken)
    else await logoutBearer(call, context)
    return { success: true }
  }),

  endpoint(sessionRoutes.revokeAllSessions, async (call, context) => {
    await revokeAllSessions(context, call.caller)
    if (usesCookies(call.app)) dropRefreshCookie(call)
    return { success: true }
  }),

  replayedEndpoint(sessionRoutes.createSessionCode, {
    decide: (trx, call, context) => createSessionCode(trx, context, call.caller, provenKeyOf(call, context)),
    render: (seed, _call, context) => ({
      code: sessionCodeOf(context, seed),
      expiresInSeconds: sessionLimits.oneUseCodeSeconds,
    }),
  }),

  replayedEndpoint(sessionRoutes.redeemSessionCode, {
    decide: (trx, call, context) =>
      redeemSessionCode(trx, context, {
        appId: call.app.id,
        code: call.body.code,
        provenKey: provenKeyOf(call, context),
      }),
    render: (grant, call, context) => grantAnswer(call, context, grant),
  }),
]

/** A browser that lost its refresh token may still end its session, with a token that acts for the user. */
async function logoutBearer(call: Pick<Call, 'app' | 'http'>, context: ServerContext): Promise<void> {
  const [, token] = /^Bearer (\S+)$/i.exec(call.http.req.header('authorization') ?? '') ?? []
  const caller = token === undefined ? undefined : await context.verifyToken(token)
  if (caller?.scope === 'dialog' && caller.appId === call.app.id) await logoutCaller(context, caller)
}
