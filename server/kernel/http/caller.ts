/** Authentication of calls: the bearer token and its session proof. */
import { LatchkeyError } from '@latchkey/protocol'
import type { Route } from '@latchkey/protocol/api'
import type { Context } from 'hono'
import * as v from 'valibot'
import type { ServerConfig } from '../config.ts'
import type { DialogToken, ServerContext, VerifiedToken } from '../context.ts'
import { type App, nowSeconds } from '../ports.ts'
import type { Site } from './addresses/sites.ts'
import type { GetProof } from './endpoint.ts'
import { assertProofOfToken, type Proof, proofHeader, proofRefused, readProof } from './proof/proof.ts'

/** Returns the unverified token of the `authorization` header. */
export const getBearerToken = (c: Context): string | undefined =>
  /^Bearer ([^\s,]+)$/i.exec(c.req.header('authorization') ?? '')?.[1]

/** The token scopes that each kind of route accepts. The host token only reads identity data. */
const acceptedScopes = {
  identity: ['dialog', 'host'],
  dialog: ['dialog'],
  wallet: ['wallet'],
  'dialog or wallet': ['dialog', 'wallet'],
} as const satisfies Record<Exclude<Route['auth'], 'none'>, readonly VerifiedToken['scope'][]>

/**
 * Verifies the token and returns the caller, if the route accepts tokens of this kind. Whether a session is a fork
 * never changes, so it is checked here. Whether the session still lives may change; calls that would outlast it check
 * again in their transaction.
 */
export async function authenticate(
  c: Context,
  route: Route,
  app: App | undefined,
  context: ServerContext,
): Promise<VerifiedToken | undefined> {
  if (route.auth === 'none') return undefined
  if (c.req.header('authorization') === undefined) {
    throw new LatchkeyError('must_be_authenticated', 'Log in first')
  }
  const token = getBearerToken(c)
  const caller =
    token === undefined
      ? undefined
      : await context.verifyToken(token, route.endsSession ? 'any session' : 'living session')
  if (!caller || caller.appId !== app?.id) {
    throw new LatchkeyError('missing_or_invalid_token', 'The token is not valid')
  }
  const scopes: readonly string[] = acceptedScopes[route.auth]
  if (!scopes.includes(caller.scope) || !servesPurpose(route, caller)) {
    throw new LatchkeyError('insufficient_scope', 'A token of this kind cannot authorize this call')
  }
  if (caller.isFork && !route.forks) {
    throw new LatchkeyError('insufficient_scope', 'A forked session cannot do this')
  }
  return caller
}

export type PublicCall = {
  c: Context
  route: Route
  app: App | undefined
  body: unknown
  proof: GetProof
}

/**
 * Returns the logged-in user of a public call, or undefined without a token. An invalid token fails the call, so that
 * the browser renews it.
 */
export async function loggedInCaller(
  { c, route, app, body, proof }: PublicCall,
  context: ServerContext,
): Promise<DialogToken | undefined> {
  if (getBearerToken(c) === undefined) return undefined
  const caller = await authenticate(c, { ...route, auth: 'dialog' }, app, context)
  if (caller?.scope !== 'dialog') return undefined
  assertProven(caller, c, body, proof)
  return caller
}

const servesPurpose = ({ purposes = [] }: Route, caller: VerifiedToken) =>
  caller.scope !== 'wallet' || purposes.includes(caller.step.purpose)

export type ProofInput = {
  c: Context
  site: Site
  route: Route
  app: App | undefined
  text: string
  requestId: string | undefined
}

/** Returns a function that reads and verifies the session proof of the call on first use. */
export function createProofReader(call: ProofInput, { config, clock }: ServerContext): GetProof {
  const { c, site, route, app, text, requestId } = call
  let proof: Proof | undefined
  return (token) => {
    proof ??= readProof(c.req.header(proofHeader), {
      method: c.req.method,
      url: getCalledOrigin(site, app, config) + c.req.path,
      body: text,
      requestId: route.effect === 'reads' ? 'any' : { mustBe: requestId },
      nowSeconds: nowSeconds(clock),
    })
    if (token !== undefined) assertProofOfToken(proof, token)
    return proof
  }
}

/** Returns the origin that the browser called. Behind a proxy the server sees the hostname, but not the scheme. */
function getCalledOrigin(site: Site, app: App | undefined, config: ServerConfig): string {
  switch (site) {
    case 'dialog':
      return config.dialogOrigin
    case 'wallet':
      return config.walletOrigin
    case 'elsewhere': {
      const own = app?.config.customApiUrl
      return own ? new URL(own).origin : ''
    }
    default:
      return site satisfies never
  }
}

const withRefreshToken = v.object({ refreshToken: v.string() })

/**
 * Requires the proof of possession: a dialog token needs a proof by its own key, a wallet token one by the session's
 * device key. If the call has a refresh token, the proof must name that token, so that it is invalid for the successor.
 */
export function assertProven(caller: VerifiedToken, c: Context, body: unknown, proofOf: GetProof): void {
  if (caller.scope === 'host') return
  const token = v.is(withRefreshToken, body) ? body.refreshToken : getBearerToken(c)
  if (proofOf(token).key !== caller.keyThumbprint) throw proofRefused('proof_of_another_key')
}
