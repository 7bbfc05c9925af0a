/** Sessions of operators, in a cookie that only the dashboard's own pages send. */
import { product } from '@latchkey/protocol'
import { type OperatorSession, scopesOfRole } from '@latchkey/protocol/admin'
import type { Context } from 'hono'
import { getCookie, setCookie } from 'hono/cookie'
import type { ServerContext } from '../../../kernel/context.ts'
import { AdminError } from '../../../kernel/http/admin-endpoint.ts'
import { type Clock, nowSeconds, type Reader, type Trx } from '../../../kernel/ports.ts'
import { formatTime } from '../pages.ts'
import { operatorLimits } from './limits.ts'
import { getSignIn, hashSecret, type Operator, randomSecret } from './operators.ts'
import { withOperatorTables } from './tables.ts'

const cookieName = `__Host-${product.key}-operator`
const attributes = { path: '/', secure: true, httpOnly: true, sameSite: 'Strict' } as const

export type LivingSession = {
  tokenHash: string
  operator: Operator
  expiresAt: number
  /** The time of the authentication at the OpenID provider, if it tells. */
  authenticatedAt: number | null
}

/** The statements of the OpenID provider about a sign-in. */
export type ProviderSession = { providerSession: string | undefined; authenticatedAt: number | undefined }

export const getSessionToken = (c: Context): string | undefined => getCookie(c, cookieName) || undefined

/** Creates a session. Returns it with the token for the cookie, which is stored nowhere. */
export async function createSession(
  trx: Trx,
  clock: Clock,
  operator: Operator,
  { providerSession, authenticatedAt }: Partial<ProviderSession> = {},
): Promise<{ session: LivingSession; token: string }> {
  const now = nowSeconds(clock)
  const token = randomSecret()
  const session = {
    tokenHash: hashSecret(token),
    operator,
    expiresAt: now + operatorLimits.sessionSeconds,
    authenticatedAt: authenticatedAt ?? null,
  }
  const db = withOperatorTables(trx)
  await db
    .insertInto('operator_sessions')
    .values({
      token_hash: session.tokenHash,
      operator_id: operator.id,
      created_at: now,
      expires_at: session.expiresAt,
      provider_session: providerSession ?? null,
      authenticated_at: session.authenticatedAt,
    })
    .execute()
  await db.updateTable('operators').set({ last_sign_in_at: now }).where('id', '=', operator.id).execute()
  return { session, token }
}

export const setSessionCookie = (c: Context, token: string) =>
  setCookie(c, cookieName, token, { ...attributes, maxAge: operatorLimits.sessionSeconds })

export const clearSessionCookie = (c: Context) => setCookie(c, cookieName, '', { ...attributes, maxAge: 0 })

/** Binds a sign-in at the OpenID provider to the browser in which it began. */
const browserCookieName = `__Host-${product.key}-operator-oidc`

export const setBrowserSecret = (c: Context, secret: string) =>
  setCookie(c, browserCookieName, secret, { ...attributes, maxAge: operatorLimits.oidcSignInSeconds })

export const getBrowserSecret = (c: Context): string => getCookie(c, browserCookieName) ?? ''

export const clearBrowserSecret = (c: Context) =>
  setCookie(c, browserCookieName, '', { ...attributes, maxAge: 0 })

/** Returns the session of the cookie unless it ended or its operator was revoked. */
export async function findSession(
  reader: Reader,
  clock: Clock,
  token: string,
): Promise<LivingSession | undefined> {
  const row = await withOperatorTables(reader)
    .selectFrom('operator_sessions')
    .innerJoin('operators', 'operators.id', 'operator_sessions.operator_id')
    .selectAll('operators')
    .select(['token_hash', 'expires_at', 'authenticated_at'])
    .where('token_hash', '=', hashSecret(token))
    .where('expires_at', '>', nowSeconds(clock))
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
  if (row === undefined) return undefined
  const { token_hash: tokenHash, expires_at: expiresAt, authenticated_at: authenticatedAt, ...operator } = row
  return { tokenHash, operator, expiresAt, authenticatedAt }
}

export async function endSession(trx: Trx, { tokenHash }: LivingSession): Promise<void> {
  await withOperatorTables(trx).deleteFrom('operator_sessions').where('token_hash', '=', tokenHash).execute()
}

/**
 * Refuses requests that the dashboard's own page did not send. `SameSite` does not cover sibling subdomains and other
 * ports, so browsers' own headers are checked. Every supported browser sends both with a request that changes something.
 */
export function assertFromDashboard(c: Context, { config }: Pick<ServerContext, 'config'>): void {
  const isRead = c.req.method === 'GET'
  const origin = c.req.header('origin')
  const isOurs = isRead && origin === undefined ? true : origin === config.adminOrigin
  if (config.adminOrigin !== undefined && isOurs && c.req.header('sec-fetch-site') === 'same-origin') return
  throw new AdminError('cross_site_request', 'Use the dashboard at ADMIN_ORIGIN')
}

export const requireSession = async (c: Context, { db, clock }: ServerContext): Promise<LivingSession> => {
  const token = getSessionToken(c)
  const session = token === undefined ? undefined : await findSession(db, clock, token)
  if (session === undefined) throw new AdminError('session_expired', 'Sign in to the dashboard')
  return session
}

export const describeSession = ({ operator, expiresAt }: LivingSession): OperatorSession => ({
  operatorId: operator.id,
  email: operator.email,
  signIn: getSignIn(operator),
  role: operator.role,
  scopes: scopesOfRole(operator.role),
  appId: operator.app_id,
  expiresAt: formatTime(expiresAt),
})
