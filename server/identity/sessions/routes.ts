import { serverLimits } from '@latchkey/protocol'
import { ownSessionRoutes, sessionRoutes } from '@latchkey/protocol/api'
import type { ServerContext } from '../../kernel/context.ts'
import { assertProven, getBearerToken } from '../../kernel/http/caller.ts'
import { type Call, type Endpoint, endpoint, replayedEndpoint } from '../../kernel/http/endpoint.ts'
import { proofRefused } from '../../kernel/http/proof/proof.ts'
import { readSessionContent, renderGrant, renderSession } from './answers.ts'
import { clearRefreshCookie, getRefreshCookie, setRefreshCookie, usesCookies } from './cookies.ts'
import { clearSession } from './delivery.ts'
import { bindDevice, deviceNotBound } from './device.ts'
import { createGrantTokens, recreateRefreshToken } from './grant.ts'
import {
  createSessionCode,
  deriveSessionCode,
  forkSession,
  recoverFork,
  redeemSessionCode,
} from './handover/forks.ts'
import { endOtherSessions, endOwnSession, listOwnSessions } from './own-sessions.ts'
import { type Presented, parsePresentedToken } from './presented-token.ts'
import { invalidToken } from './refusals.ts'
import { logout, logoutCaller, refreshSession, revokeAllSessions } from './sessions.ts'

type TokenCall = Pick<Call, 'app' | 'c' | 'proof'> & {
  body: { refreshToken?: string | null }
}

/**
 * Reads the refresh token from the cookie, or from the body. In cookie mode, the body is used by browsers whose session
 * is older than the app's change of modes.
 */
function getPresentedToken(call: TokenCall): Presented | undefined {
  const appId = call.app.id
  const { refreshToken } = call.body
  if (refreshToken) return { appId, refreshToken, provenKey: call.proof(refreshToken).key }
  const cookie = getRefreshCookie(call)
  if (cookie === undefined) return undefined
  const { key, refreshCounter } = call.proof()
  const { counter } = parsePresentedToken(cookie)
  // The dialog can not read the marker cookie of an API on another hostname, so the error contains the counter.
  if (refreshCounter !== counter) throw proofRefused('proof_of_another_token', { refreshCounter: counter })
  return { appId, refreshToken: cookie, provenKey: key }
}

export const sessionEndpoints: readonly Endpoint[] = [
  endpoint(sessionRoutes.refreshSession, async (call, context) => {
    const presented = getPresentedToken(call)
    if (presented === undefined) {
      if (call.c.req.header('authorization') !== undefined) throw invalidToken()
      return clearSession(call)
    }
    const content = await refreshSession(context, presented, (reader, granted) =>
      readSessionContent(call, context, reader, granted),
    )
    return renderSession(call, content)
  }),

  replayedEndpoint(sessionRoutes.forkSession, {
    decide: (trx, call, context) => {
      const presented = getPresentedToken(call)
      if (presented === undefined) throw invalidToken()
      return forkSession(trx, context, call.caller, presented)
    },
    render: async (outcome, call, context) => {
      if (outcome.type === 'refused') throw invalidToken()
      const { tokens } = await createGrantTokens(context.db, context, outcome.caller, call.proof().key)
      const inCookie = usesCookies(call.app)
      if (inCookie) setRefreshCookie(call, tokens)
      return {
        token: tokens.token,
        refreshToken: await recreateRefreshToken(context.db, context, outcome.fork),
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
    render: (grant, call, context) => renderGrant(call, context, grant),
  }),

  endpoint(sessionRoutes.logout, async (call, context) => {
    const refreshToken = getRefreshCookie(call) ?? call.body.refreshToken
    clearRefreshCookie(call)
    if (refreshToken) await logout(context, call.app.id, refreshToken)
    else await logoutBearer(call, context)
    return { success: true }
  }),

  endpoint(sessionRoutes.revokeAllSessions, async (call, context) => {
    await revokeAllSessions(context, call.caller)
    clearRefreshCookie(call)
    return { success: true }
  }),

  endpoint(ownSessionRoutes.listOwnSessions, async ({ caller }, context) => ({
    sessions: await listOwnSessions(context, caller),
  })),

  endpoint(ownSessionRoutes.endOwnSession, async ({ caller, body }, context) => {
    await endOwnSession(context, caller, body.id)
    return { success: true }
  }),

  endpoint(ownSessionRoutes.endOtherSessions, async ({ caller }, context) => ({
    ended: await endOtherSessions(context, caller),
  })),

  endpoint(sessionRoutes.bindDevice, async ({ caller, body, browser }, context) => {
    const { device } = browser()
    if (device === null) throw deviceNotBound()
    await bindDevice(context, caller, { secret: body.secret, device })
    return { success: true }
  }),

  replayedEndpoint(sessionRoutes.createSessionCode, {
    decide: (trx, call, context) => createSessionCode(trx, context, call.caller),
    render: (seed, _call, context) => ({
      code: deriveSessionCode(context, seed),
      expiresInSeconds: serverLimits.oneUseCodeSeconds,
    }),
  }),

  replayedEndpoint(sessionRoutes.redeemSessionCode, {
    decide: (trx, call, context) => {
      const provenKey = call.proof().key
      return redeemSessionCode(trx, context, { appId: call.app.id, code: call.body.code, provenKey })
    },
    render: (grant, call, context) => renderGrant(call, context, grant),
  }),
]

/** Ends the session of a browser that lost its refresh token, by its dialog token. */
async function logoutBearer(call: Pick<Call, 'app' | 'c' | 'proof'>, context: ServerContext) {
  const token = getBearerToken(call.c)
  const caller = token === undefined ? undefined : await context.verifyToken(token)
  if (caller?.scope !== 'dialog' || caller.appId !== call.app.id) return
  assertProven(caller, call.c, undefined, call.proof)
  await logoutCaller(context, caller)
}
