/** Ends sessions when their OpenID provider does (OpenID Connect Back-Channel Logout 1.0). */
import { createHash } from 'node:crypto'
import { serverLimits } from '@latchkey/protocol'
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
type Claims = v.InferOutput<typeof claimsSchema>

/** Returns the claims of a valid logout token, or undefined. */
async function readLogoutToken(
  context: ServerContext,
  { issuer, clientId, metadata }: Provider,
  token: string,
): Promise<Claims | undefined> {
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

/** Returns whether the token was used for the first time. */
async function endSessions(
  trx: Trx,
  context: ServerContext,
  { appId, provider }: { appId: string; provider: Provider },
  { jti, sub, sid }: Claims,
): Promise<boolean> {
  const { id, issuer } = provider
  const hash = createHash('sha256').update(`${appId}\n${issuer}\n${jti}`).digest('base64url')
  const keptSeconds = oidcLimits.logoutTokenSeconds + 2 * serverLimits.clockSkewSeconds
  if (!(await useLogoutToken(trx, { hash, expires_at: nowSeconds(context.clock) + keptSeconds })))
    return false
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
const refused = (description: string) =>
  Response.json({ error: 'invalid_request', error_description: description }, { status: 400, headers })

export const logoutCall: OpenCall = {
  method: 'POST',
  path: logoutPath('{appId}', '{provider}') as `/${string}`,
  paced: 'changes',
  async answer({ app, pace, c }, context) {
    await pace()
    const provider = await findProvider(context.db, app.id, c.req.param('provider') ?? '')
    if (!provider) return refused('The app has no such provider')
    const body = await readBody(c, 'application/x-www-form-urlencoded', oidcLimits.longestLogoutBody)
    const parsed = v.safeParse(form, Object.fromEntries(new URLSearchParams(body)))
    const claims = parsed.success && (await readLogoutToken(context, provider, parsed.output.logout_token))
    if (!claims) return refused('The logout token is invalid')
    const isFirst = await context.transaction((trx) =>
      endSessions(trx, context, { appId: app.id, provider }, claims),
    )
    return isFirst ? new Response(null, { headers }) : refused('The logout token was used before')
  },
}
