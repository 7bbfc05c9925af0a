import { serverLimits } from '@latchkey/protocol'
import { sessionRoutes } from '@latchkey/protocol/api'
import type { ServerContext } from '../../kernel/context.ts'
import { assertProven, getBearerToken } from '../../kernel/http/caller.ts'
import { type Call, type Endpoint, endpoint, replayedEndpoint } from '../../kernel/http/endpoint.ts'
import { proofRefused } from '../../kernel/http/proof/proof.ts'
import { grantAnswer, sessionAnswer } from './answers.ts'
import { dropRefreshCookie, keepRefreshCookie, refreshCookie, usesCookies } from './cookies.ts'
import { loggedOut } from './delivery.ts'
import { bindDevice, deviceNotBound } from './device.ts'
import { refreshTokenOf, tokensOfGrant } from './grant.ts'
import {
  createSessionCode,
  forkSession,
  recoverFork,
  redeemSessionCode,
  sessionCodeOf,
} from './handover/forks.ts'
import { type Presented, parsedToken } from './presented-token.ts'
import { invalidToken } from './refusals.ts'
import { logout, logoutCaller, refreshSession, revokeAllSessions } from './sessions.ts'

type TokenCall = Pick<Call, 'app' | 'c' | 'proof'> & {
  body: { refreshToken?: string | null }
}

/**
 * The token is in the cookie in cookie mode, or in the body of a browser that has its session from before the app
 * changed modes.
 */
function presentedBy(call: TokenCall): Presented | undefined {
  const appId = call.app.id
  const { refreshToken } = call.body
  if (refreshToken) return { appId, refreshToken, provenKey: call.proof(refreshToken).key }
  const cookie = refreshCookie(call)
  if (cookie === undefined) return undefined
  const { key, refreshCounter } = call.proof()
  const { counter } = parsedToken(cookie)
  // Of an API with a hostname of its own the dialog can not read the marker, so it hears the number here.
  if (refreshCounter !== counter) throw proofRefused('proof_of_another_token', { refreshCounter: counter })
  return { appId, refreshToken: cookie, provenKey: key }
}

export const sessionEndpoints: readonly Endpoint[] = [
  endpoint(sessionRoutes.refreshSession, async (call, context) => {
    const presented = presentedBy(call)
    if (presented === undefined) {
      if (call.c.req.header('authorization') !== undefined) throw invalidToken()
      return loggedOut(call)
    }
    return refreshSession(context, presented, (reader, granted) => sessionAnswer(call, reader, granted))
  }),

  replayedEndpoint(sessionRoutes.forkSession, {
    decide: (trx, call, context) => {
      const presented = presentedBy(call)
      if (presented === undefined) throw invalidToken()
      return forkSession(trx, context, call.caller, presented)
    },
    render: async (outcome, call, context) => {
      if (outcome.type === 'refused') throw invalidToken()
      const { tokens } = await tokensOfGrant(context.db, context, outcome.caller, call.proof().key)
      const inCookie = usesCookies(call.app)
      if (inCookie) keepRefreshCookie(call, tokens)
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
      const provenKey = call.proof(refreshToken).key
      return recoverFork(trx, context, { appId: call.app.id, refreshToken, provenKey })
    },
    render: (grant, call, context) => grantAnswer(call, context, grant),
  }),

  endpoint(sessionRoutes.logout, async (call, context) => {
    const refreshToken = refreshCookie(call) ?? call.body.refreshToken
    dropRefreshCookie(call)
    if (refreshToken) await logout(context, call.app.id, refreshToken)
    else await logoutBearer(call, context)
    return { success: true }
  }),

  endpoint(sessionRoutes.revokeAllSessions, async (call, context) => {
    await revokeAllSessions(context, call.caller)
    dropRefreshCookie(call)
    return { success: true }
  }),

  endpoint(sessionRoutes.bindDevice, async ({ caller, body, browser }, context) => {
    const { device } = browser()
    if (device === null) throw deviceNotBound()
    await bindDevice(context, caller, { secret: body.secret, device })
    return { success: true }
  }),

  replayedEndpoint(sessionRoutes.createSessionCode, {
    decide: (trx, call, context) => createSessionCode(trx, context, call.caller),
    render: (seed, _call, context) => ({
      code: sessionCodeOf(context, seed),
      expiresInSeconds: serverLimits.oneUseCodeSeconds,
    }),
  }),

  replayedEndpoint(sessionRoutes.redeemSessionCode, {
    decide: (trx, call, context) => {
      const provenKey = call.proof().key
      return redeemSessionCode(trx, context, { appId: call.app.id, code: call.body.code, provenKey })
    },
    render: (grant, call, context) => grantAnswer(call, context, grant),
  }),
]

/** A browser that lost its refresh token may still end its session, with a token that acts for the user. */
async function logoutBearer(call: Pick<Call, 'app' | 'c' | 'proof'>, context: ServerContext) {
  const token = getBearerToken(call.c)
  const caller = token === undefined ? undefined : await context.verifyToken(token)
  if (caller?.scope !== 'dialog' || caller.appId !== call.app.id) return
  assertProven(caller, call.c, undefined, call.proof)
  await logoutCaller(context, caller)
}
