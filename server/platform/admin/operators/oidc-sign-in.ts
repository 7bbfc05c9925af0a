/** Signs operators in by the OpenID provider: authorization code with PKCE, nonce and the issuer's exact name. */
import { hash } from 'node:crypto'
import { emailAddress, serverLimits } from '@latchkey/protocol'
import { oidcReturnPath } from '@latchkey/protocol/admin'
import * as v from 'valibot'
import {
  type ChallengeKey,
  consumeChallenge,
  findChallenge,
  putChallenge,
} from '../../../kernel/challenges/challenges.ts'
import type { ServerContext } from '../../../kernel/context.ts'
import { AdminError } from '../../../kernel/http/admin-endpoint.ts'
import { randomId } from '../../../kernel/ids.ts'
import { subjectLimits } from '../../../kernel/limits.ts'
import { type Clock, nowSeconds, type Trx } from '../../../kernel/ports.ts'
import type { Profile } from '../../../login/oauth/oauth.ts'
import {
  consumeLogoutToken,
  createKeyCache,
  createOidcClient,
  hashProviderSession,
  type LogoutClaims,
} from '../../../login/oidc/oidc.ts'
import { operatorLimits } from './limits.ts'
import { type findGrant, findOperatorOidc, type OperatorOidc } from './oidc-settings.ts'
import { findOperator, hashSecret, type Operator, randomSecret, recordOperator } from './operators.ts'
import type { ProviderSession } from './session.ts'
import { withOperatorTables } from './tables.ts'

/** An operator at the provider. */
export type OidcIdentity = ProviderSession & {
  issuer: string
  subject: string
  email: string
  groups: string[]
}

export async function requireOperatorOidc({ db }: Pick<ServerContext, 'db'>): Promise<OperatorOidc> {
  const provider = await findOperatorOidc(db)
  if (provider === undefined) {
    throw new AdminError('oidc_not_configured', 'Set one: latchkey operator oidc set')
  }
  return provider
}

const signInFailed = (detail = 'Try again') => new AdminError('oidc_sign_in_failed', detail)

const getReturnUri = ({ config: { adminOrigin = '' } }: Pick<ServerContext, 'config'>) =>
  adminOrigin + oidcReturnPath

/** The state is bound to the browser by the secret of its cookie. */
const toKey = (state: string, browserSecret: string): ChallengeKey => ({
  appId: '',
  purpose: 'operator/oidc',
  id: hashSecret(state),
  userId: '',
  binding: hashSecret(browserSecret),
})

const attemptSchema = v.object({ verifier: v.string(), nonce: v.string(), recent: v.boolean() })

const keysAt = createKeyCache()

/** Sign-ins ask for `auth_time`. A recent one asks the provider to authenticate the operator again. */
const createClient = ({ kms }: ServerContext, provider: OperatorOidc, recent: boolean) =>
  createOidcClient(provider, () => provider.readSecret(kms), keysAt, {
    scopes: provider.scopes,
    parameters: recent
      ? { prompt: 'login', max_age: '0' }
      : { max_age: String(operatorLimits.sessionSeconds) },
    profile: {
      from: 'id token',
      jwks: provider.metadata.jwks,
      read: (claims) => readClaims(provider, claims),
    },
  })

const claimText = v.pipe(v.string(), v.nonEmpty(), v.maxLength(subjectLimits.maxLength))
const groupsSchema = v.pipe(
  v.union([
    v.array(v.string()),
    v.pipe(
      v.string(),
      v.transform((group) => [group]),
    ),
  ]),
  v.maxLength(operatorLimits.mostGroups),
)
const claimsSchema = v.object({
  sub: claimText,
  sid: v.optional(claimText),
  email: emailAddress,
  // Providers of one company often leave it out. Only an address that is known to be unverified is refused.
  email_verified: v.optional(v.literal(true)),
  auth_time: v.optional(v.pipe(v.number(), v.integer())),
})
const fieldsSchema = v.object({
  email: v.string(),
  groups: v.array(v.string()),
  authenticatedAt: v.optional(v.number()),
})

function readClaims({ issuer, groupsClaim }: OperatorOidc, claims: unknown): Profile {
  const { sub, sid, email, auth_time: authenticatedAt } = v.parse(claimsSchema, claims)
  const groups = v.parse(v.optional(groupsSchema, []), Reflect.get(Object(claims), groupsClaim))
  const fields: v.InferInput<typeof fieldsSchema> = { email, groups, authenticatedAt }
  return {
    issuer,
    subject: sub,
    fields,
    providerSession: sid === undefined ? undefined : hashProviderSession(issuer, sid),
  }
}

/** Returns the address at the provider, and the secret for the cookie of this browser. */
export async function beginOidcSignIn(
  context: ServerContext,
  recent: boolean,
): Promise<{ url: string; browserSecret: string }> {
  const provider = await requireOperatorOidc(context)
  const [state, nonce, verifier, browserSecret] = [
    randomSecret(),
    randomSecret(),
    randomSecret(),
    randomSecret(),
  ]
  const life = { nowSeconds: nowSeconds(context.clock), seconds: operatorLimits.oidcSignInSeconds }
  await context.transaction((trx) =>
    putChallenge(trx, toKey(state, browserSecret), life, { verifier, nonce, recent }),
  )
  const challenge = hash('sha256', verifier, 'base64url')
  const url = createClient(context, provider, recent).authorizationUrl(getReturnUri(context), {
    state,
    nonce,
    challenge,
  })
  return { url, browserSecret }
}

/** Verifies the redirect of the provider, once, and exchanges its code. */
export async function finishOidcSignIn(
  context: ServerContext,
  query: string,
  browserSecret: string,
): Promise<{ provider: OperatorOidc; identity: OidcIdentity; recent: boolean }> {
  const returned = new URLSearchParams(query)
  const state = returned.get('state') ?? ''
  const key = toKey(state, browserSecret)
  const livingAt = nowSeconds(context.clock)
  const attempt = await context.transaction(async (trx) => {
    const challenge = await findChallenge(trx, key, livingAt)
    return challenge && (await consumeChallenge(trx, key, { livingAt })) ? challenge : undefined
  })
  if (attempt === undefined) throw signInFailed('The sign-in has expired, or began in another browser')
  const { verifier, nonce, recent } = v.parse(attemptSchema, JSON.parse(attempt.data))
  const provider = await requireOperatorOidc(context)
  const client = createClient(context, provider, recent)
  const redirect = client.read(returned, state)
  const exchanged =
    redirect.type === 'code'
      ? await client
          .exchange(
            returned,
            getReturnUri(context),
            { state, verifier, nonce },
            AbortSignal.timeout(operatorLimits.oidcExchangeMs),
          )
          .catch((cause: unknown) => throwUnreachable(context, cause))
      : redirect
  if (exchanged.type !== 'proven') {
    context.log.warn({ ...exchanged, issuer: provider.issuer }, 'An operator was not signed in')
    throw signInFailed(exchanged.type === 'denied' ? 'The sign-in was cancelled' : undefined)
  }
  const { subject, providerSession, fields } = exchanged.profile
  const identity = {
    issuer: provider.issuer,
    subject,
    providerSession,
    authenticatedAt: undefined,
    ...v.parse(fieldsSchema, fields),
  }
  assertAuthenticated(identity, recent ? attempt.createdAt : livingAt - operatorLimits.sessionSeconds, recent)
  return { provider, identity, recent }
}

function throwUnreachable({ log }: ServerContext, err: unknown): never {
  log.error({ err }, 'The OpenID provider of operators did not answer')
  throw signInFailed('The provider did not answer')
}

/** Checks that the provider honored `max_age`, if it tells. It must tell for a recent sign-in. */
function assertAuthenticated(
  { authenticatedAt }: OidcIdentity,
  earliest: number,
  isStatementRequired: boolean,
): void {
  if (authenticatedAt === undefined) {
    if (isStatementRequired) throw signInFailed('The provider does not state auth_time')
  } else if (authenticatedAt < earliest - serverLimits.clockSkewSeconds) {
    throw signInFailed('The provider did not ask you to sign in again')
  }
}

/**
 * Returns the operator of an identity, with the role of their group. Creates them at their first sign-in. The e-mail
 * address is that of the first sign-in, so that one person cannot agree to an own proposal under two addresses.
 */
export async function admitIdentity(
  trx: Trx,
  clock: Clock,
  { issuer, subject, email }: OidcIdentity,
  { role, appId }: NonNullable<ReturnType<typeof findGrant>>,
): Promise<{ operator: Operator; isNew: boolean }> {
  const existing = await findBySubject(trx, { issuer, subject })
  if (existing && existing.revoked_at !== null) {
    throw new AdminError('operator_revoked', `To undo this: latchkey operator admit ${existing.id}`)
  }
  const db = withOperatorTables(trx)
  if (existing) {
    await db.updateTable('operators').set({ role, app_id: appId }).where('id', '=', existing.id).execute()
    return { operator: { ...existing, role, app_id: appId }, isNew: false }
  }
  const operator = await db
    .insertInto('operators')
    .values({
      id: randomId(),
      email,
      role,
      app_id: appId,
      created_at: nowSeconds(clock),
      revoked_at: null,
      last_sign_in_at: null,
      issuer,
      subject,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()
  if (operator) return { operator, isNew: true }
  throw new AdminError('operator_exists', 'Revoke that one first: latchkey operator list')
}

const findBySubject = (
  trx: Trx,
  { issuer, subject }: Pick<OidcIdentity, 'issuer' | 'subject'>,
): Promise<Operator | undefined> =>
  withOperatorTables(trx)
    .selectFrom('operators')
    .selectAll()
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst()

/** Refuses an identity without a role, and ends its sessions from an earlier role. */
export async function refuseWithoutRole(
  context: ServerContext,
  identity: OidcIdentity,
  entry: { requestId: string; address: string | undefined },
): Promise<never> {
  await context.transaction(async (trx) => {
    const operator = await findBySubject(trx, identity)
    if (operator === undefined || operator.revoked_at !== null) return
    await withOperatorTables(trx)
      .deleteFrom('operator_sessions')
      .where('operator_id', '=', operator.id)
      .execute()
    await recordOperator(trx, context.clock, operator, { operation: 'operator.role_lost', ...entry })
  })
  throw new AdminError('oidc_no_role', 'Ask who manages the groups at the provider')
}

/** Ends the sessions that a logout token names. Returns whether the token was used for the first time. */
export async function endSessionsByLogout(
  trx: Trx,
  context: ServerContext,
  { issuer }: Pick<OperatorOidc, 'issuer'>,
  { jti, sub, sid }: LogoutClaims,
): Promise<boolean> {
  if (!(await consumeLogoutToken(trx, context, { appId: '', issuer, jti }))) return false
  const db = withOperatorTables(trx)
  let ended = db.deleteFrom('operator_sessions').where('operator_id', 'in', (query) => {
    const operators = query.selectFrom('operators').select('id').where('issuer', '=', issuer)
    return sub === undefined ? operators : operators.where('subject', '=', sub)
  })
  if (sid !== undefined) {
    const providerSession = hashProviderSession(issuer, sid)
    ended =
      sub === undefined
        ? ended.where('provider_session', '=', providerSession)
        : ended.where((row) =>
            row.or([row('provider_session', '=', providerSession), row('provider_session', 'is', null)]),
          )
  }
  const rows = await ended.returning('operator_id').execute()
  for (const id of new Set(rows.map(({ operator_id }) => operator_id))) {
    const operator = await findOperator(trx, id)
    if (operator) {
      await recordOperator(trx, context.clock, operator, { operation: 'operator.signed_out_by_provider' })
    }
  }
  return true
}
