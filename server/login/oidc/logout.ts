/** Ends sessions when their OpenID provider does (OpenID Connect Back-Channel Logout 1.0). */
import { createHash } from 'node:crypto'
import { serverLimits } from '@latchkey/protocol'
import type { Context } from 'hono'
import { jwtVerify } from 'jose'
import * as v from 'valibot'
import { endSessionsByProvider } from '../../identity/sessions/sessions.ts'
import { findAccountWithOwner } from '../../identity/users/users.ts'
import type { ServerContext } from '../../kernel/context.ts'
import { readBody } from '../../kernel/http/body.ts'
import type { OpenCall } from '../../kernel/http/open-calls.ts'
import { nowSeconds, type Trx } from '../../kernel/ports.ts'
import { registryKey } from '../../kernel/registry.ts'
import { ssrfSafeFetch } from '../../kernel/ssrf-safe-fetch.ts'
import { createKeySets, type KeySets } from '../custom-jwt/custom-jwt.ts'
import { toAccount } from '../oauth/oauth.ts'
import { oidcLimits } from './limits.ts'
import { findProvider, hashProviderSession, logoutPath, type Provider, toLoginMethod } from './providers.ts'
import { useLogoutToken } from './store.ts'

export const logoutKeySets = registryKey<KeySets>('the key sets of OpenID providers')

export const createLogoutKeySets = (): KeySets =>
  createKeySets((url, { headers, signal }) =>
    ssrfSafeFetch(url, { party: 'oidc', headers: Object.fromEntries(headers), signal }),
  )

const event = 'http://schemas.openid.net/event/backchannel-logout'
const claim = v.pipe(v.string(), v.nonEmpty(), v.maxLength(oidcLimits.longestAddress))
const claimsSchema = v.pipe(
  v.object({
    jti: claim,
    exp: v.number(),
    events: v.object({ [event]: v.looseObject({}) }),
    sub: v.optional(claim),
    sid: v.optional(claim),
    // A nonce marks an ID token, which must end no session.
    nonce: v.optional(v.never()),
  }),
  v.check(({ sub, sid }) => sub !== undefined || sid !== undefined),
)
export type LogoutClaims = v.InferOutput<typeof claimsSchema>

/** Returns the claims of a valid logout token, or undefined. */
async function readLogoutToken(
  context: ServerContext,
  { issuer, clientId, metadata }: Pick<Provider, 'issuer' | 'clientId' | 'metadata'>,
  token: string,
): Promise<LogoutClaims | undefined> {
  try {
    const { payload } = await jwtVerify(token, logoutKeySets.get(context.ports).at(metadata.jwks), {
      algorithms: metadata.algorithms,
      issuer,
      audience: clientId,
      maxTokenAge: oidcLimits.logoutTokenSeconds,
      clockTolerance: serverLimits.clockSkewSeconds,
      currentDate: new Date(context.clock.nowMs()),
    })
    const claims = v.safeParse(claimsSchema, payload)
    return claims.success ? claims.output : undefined
  } catch (err) {
    context.log.warn({ issuer, err }, 'A logout token could not be verified')
    return undefined
  }
}

/** Returns whether the token was used for the first time. `appId` is empty for the provider of operators. */
export function consumeLogoutToken(
  trx: Trx,
  { clock }: Pick<ServerContext, 'clock'>,
  { appId, issuer, jti }: { appId: string; issuer: string; jti: string },
): Promise<boolean> {
  const hash = createHash('sha256').update(`${appId}\n${issuer}\n${jti}`).digest('base64url')
  const keptSeconds = oidcLimits.logoutTokenSeconds + 2 * serverLimits.clockSkewSeconds
  return useLogoutToken(trx, { hash, expires_at: nowSeconds(clock) + keptSeconds })
}

/** Returns whether the token was used for the first time. */
async function endSessions(
  trx: Trx,
  context: ServerContext,
  { appId, provider }: { appId: string; provider: Provider },
  { jti, sub, sid }: LogoutClaims,
): Promise<boolean> {
  const { id, issuer } = provider
  if (!(await consumeLogoutToken(trx, context, { appId, issuer, jti }))) return false
  const account =
    sub === undefined
      ? undefined
      : await findAccountWithOwner(trx, appId, toAccount(toLoginMethod(id), { issuer, subject: sub }))
  // A subject without an account has no session here.
  if (sub !== undefined && account === undefined) return true
  await endSessionsByProvider(trx, context, {
    appId,
    ...(account && { account }),
    ...(sid !== undefined && { providerSession: hashProviderSession(issuer, sid) }),
  })
  return true
}

const form = v.object({ logout_token: v.pipe(v.string(), v.nonEmpty()) })
const headers = { 'cache-control': 'no-store' }
export const refuseLogout = (description: string) =>
  Response.json({ error: 'invalid_request', error_description: description }, { status: 400, headers })

/** Answers a back-channel logout request. `end` returns whether the token was used for the first time. */
export async function answerLogout(
  c: Context,
  context: ServerContext,
  provider: Parameters<typeof readLogoutToken>[1],
  end: (trx: Trx, claims: LogoutClaims) => Promise<boolean>,
): Promise<Response> {
  const body = await readBody(c, 'application/x-www-form-urlencoded', oidcLimits.longestLogoutBody)
  const parsed = v.safeParse(form, Object.fromEntries(new URLSearchParams(body)))
  const claims = parsed.success && (await readLogoutToken(context, provider, parsed.output.logout_token))
  if (!claims) return refuseLogout('The logout token is invalid')
  const isFirst = await context.transaction((trx) => end(trx, claims))
  return isFirst ? new Response(null, { headers }) : refuseLogout('The logout token was used before')
}

export const logoutCall: OpenCall = {
  method: 'POST',
  path: logoutPath('{appId}', '{provider}') as `/${string}`,
  paced: 'changes',
  async answer({ app, pace, c }, context) {
    await pace()
    const provider = await findProvider(context.db, app.id, c.req.param('provider') ?? '')
    if (!provider) return refuseLogout('The app has no such provider')
    return answerLogout(c, context, provider, (trx, claims) =>
      endSessions(trx, context, { appId: app.id, provider }, claims),
    )
  },
}
