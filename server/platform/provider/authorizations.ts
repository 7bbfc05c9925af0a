/**
 * Stores authorization requests that wait for consent. The wallet page decides and receives a secret. The secret is
 * valid once, in the browser that began the request. So an attacker cannot attach a user's consent to their own request.
 */
import { createHash, createHmac } from 'node:crypto'
import { isSameAddress, LatchkeyError, product } from '@latchkey/protocol'
import type { CrossAppScope } from '@latchkey/protocol/api'
import type { AdapterPayload } from 'oidc-provider'
import * as v from 'valibot'
import { lockUser, requireUser } from '../../identity/users/users.ts'
import type { DialogToken, ServerContext } from '../../kernel/context.ts'
import { addPepperName, getPepperName } from '../../kernel/keys/keys.ts'
import { isLanguage, type Language } from '../../kernel/languages.ts'
import { nowSeconds, type Reader, type Trx } from '../../kernel/ports.ts'
import { browserHash, randomSecret } from '../../login/window/window.ts'
import { allow, parseScopes, type Terms } from './connections.ts'
import { providerLimits } from './limits.ts'
import { findRecord, putRecord } from './openid/records.ts'
import { findRequester } from './requesters.ts'
import { type AuthorizationRow, providerTables } from './tables.ts'

/** The exact text of the specification. */
const denied = 'User denied confirmation during cross-app auth flow'

const hash = (what: string, text: string) =>
  createHash('sha256').update(`${product.key}/${what}\n${text}`).digest('base64url')
const rowId = (appId: string, interaction: string) => hash('authorization', `${appId}\n${interaction}`)

type AuthorizationStart = {
  appId: string
  interaction: string
  clientId: string
  scopes: readonly string[]
}

/** Stores the request and returns the secret for the browser's cookie. */
export async function beginAuthorization(
  { db, clock }: Pick<ServerContext, 'db' | 'clock'>,
  { appId, interaction, clientId, scopes }: AuthorizationStart,
): Promise<string> {
  const secret = randomSecret()
  await providerTables(db)
    .insertInto('openid_authorizations')
    .values({
      id: rowId(appId, interaction),
      app_id: appId,
      client_id: clientId,
      scopes: scopes.join(' '),
      browser_hash: browserHash(secret),
      user_id: null,
      decision: null,
      secret_hash: null,
      finished_at: null,
      expires_at: nowSeconds(clock) + providerLimits.interactionSeconds,
    })
    .execute()
  return secret
}

/**
 * Throws unless the wallet page calls. Its tokens are bound to the device key. The dialog has another key, so a script
 * in the dialog cannot decide.
 */
export function assertCalledByWalletPage({ device, keyThumbprint }: DialogToken): void {
  if (device === keyThumbprint) return
  throw new LatchkeyError('insufficient_scope', 'Only the wallet page can decide this')
}

/** Returns the requester and scopes of a pending request. After a decision only the deciding user can read it. */
export async function waitingAuthorization(
  reader: Reader,
  { clock }: Pick<ServerContext, 'clock'>,
  { appId, userId }: Pick<DialogToken, 'appId' | 'userId'>,
  interaction: string,
) {
  const now = nowSeconds(clock)
  const row = await providerTables(reader)
    .selectFrom('openid_authorizations')
    .selectAll()
    .where('id', '=', rowId(appId, interaction))
    .where('expires_at', '>', now)
    .executeTakeFirst()
  if (!row || (row.user_id !== null && row.user_id !== userId)) throw over()
  const requester = await findRequester(reader, { appId, clientId: row.client_id })
  if (!requester) throw over()
  return { row, requester, scopes: parseScopes(row.scopes), expiresInSeconds: row.expires_at - now }
}

const over = () => new LatchkeyError('not_found', 'This request has expired')

export type Decision = { decision: 'deny' } | ({ decision: 'allow' } & Terms)

/** Stored as the outcome of the call. Each repetition derives the secret from it. */
export type DecisionSeed = { seed: string }
export const deriveDecisionSecret = (
  { keyring }: Pick<ServerContext, 'keyring'>,
  { seed }: DecisionSeed,
): string =>
  createHmac('sha256', keyring.pepper('provider/decision', getPepperName(seed)))
    .update(seed)
    .digest('base64url')

/** Stores the decision. The same user may decide again if the page closed early, which replaces the decision. */
export async function decide(
  trx: Trx,
  context: ServerContext,
  caller: DialogToken,
  interaction: string,
  language: Language,
  decision: Decision,
): Promise<DecisionSeed> {
  const { row, scopes: asked } = await waitingAuthorization(trx, context, caller, interaction)
  const stored = decision.decision === 'allow' ? await checkedTerms(trx, caller, asked, decision) : decision
  const { keyring, clock } = context
  const seed = { seed: addPepperName(keyring.pepperInUse(), randomSecret()) }
  const { sessionId, userId } = caller
  const decided = await providerTables(trx)
    .updateTable('openid_authorizations')
    .set({
      user_id: userId,
      decision: JSON.stringify({ ...stored, sessionId, language }),
      secret_hash: hash('authorization-secret', deriveDecisionSecret(context, seed)),
    })
    .where('id', '=', row.id)
    .where('finished_at', 'is', null)
    .where('expires_at', '>', nowSeconds(clock))
    .where(({ eb, or }) => or([eb('user_id', 'is', null), eb('user_id', '=', userId)]))
    .returning('id')
    .executeTakeFirst()
  if (!decided) throw new LatchkeyError('token_already_used', 'This request was already decided')
  return seed
}

async function checkedTerms(
  trx: Trx,
  { appId, userId }: DialogToken,
  asked: readonly CrossAppScope[],
  { scopes, address, dailyUsd }: Terms,
): Promise<Decision> {
  const allowed = asked.filter((scope) => scope === 'openid' || scopes.includes(scope))
  const more = scopes.find((scope) => !asked.includes(scope))
  if (more !== undefined) throw invalid('scopes', `The scope ${more} was not requested`)
  if (allowed.includes('wallet.send') !== (dailyUsd !== null)) {
    throw invalid('daily_usd', 'A daily limit is required with wallet.send, and only then')
  }
  const { linkedAccounts } = await requireUser(trx, appId, userId)
  const wallet = linkedAccounts.find(
    (account) =>
      account.type === 'wallet' &&
      account.connectorType === 'embedded' &&
      isSameAddress(account.address, address),
  )
  if (wallet?.type !== 'wallet') {
    throw new LatchkeyError('embedded_wallet_not_found', 'The user has no such wallet')
  }
  return { decision: 'allow', scopes: allowed, address: wallet.address, dailyUsd }
}

const invalid = (path: string, message: string) =>
  new LatchkeyError('invalid_data', message, { details: { path } })

const scope = v.picklist(['openid', 'profile', 'wallet.read', 'wallet.sign', 'wallet.send'])
const by = { sessionId: v.string(), language: v.pipe(v.string(), v.check(isLanguage)) }
const storedDecision = v.parser(
  v.pipe(
    v.string(),
    v.parseJson(),
    v.variant('decision', [
      v.object({ ...by, decision: v.literal('deny') }),
      v.object({
        ...by,
        decision: v.literal('allow'),
        scopes: v.array(scope),
        address: v.string(),
        dailyUsd: v.nullable(v.number()),
      }),
    ]),
  ),
)

type Finishing = {
  appId: string
  interaction: string
  browser: string
  secret: string
}
export type Finished = {
  /** The URL at which the browser continues. */
  resumeAt: string
  /** The notification about a new or extended connection. */
  told?: {
    userId: string
    sessionId: string
    language: Language
    requester: { name: string; origin: string }
    scopes: readonly CrossAppScope[]
  }
}

/** Finishes the authorization once. Returns undefined if it expired or the browser or secret does not match. */
export async function finish(
  trx: Trx,
  context: ServerContext,
  { appId, interaction, browser, secret }: Finishing,
): Promise<Finished | undefined> {
  const row = await useDecision(trx, context, { appId, interaction, browser, secret })
  const name = { appId, kind: 'Interaction', id: interaction }
  const waiting = row && (await findRecord(trx, context, name))
  if (!row || row.user_id === null || row.decision === null || waiting?.returnTo === undefined)
    return undefined
  const requester = await findRequester(trx, { appId, clientId: row.client_id })
  if (!requester) return undefined
  const decision = storedDecision(row.decision)
  const resume = async (result: NonNullable<AdapterPayload['result']>) => {
    await putRecord(trx, context, name, { ...waiting, result }, row.expires_at - nowSeconds(context.clock))
    return { resumeAt: waiting.returnTo ?? '' }
  }
  if (decision.decision === 'deny') return resume({ error: 'access_denied', error_description: denied })
  const party = { appId, userId: row.user_id, clientId: row.client_id }
  const { sessionId, language, scopes } = decision
  await lockUser(trx, party)
  const isMore = await allow(trx, context.clock, { ...party, sessionId }, decision)
  const grantId = await grant(trx, context, party, row, scopes)
  const resumed = await resume({ login: { accountId: party.userId, remember: false }, consent: { grantId } })
  return isMore
    ? { ...resumed, told: { userId: party.userId, sessionId, language, requester, scopes } }
    : resumed
}

const useDecision = (
  trx: Trx,
  { clock }: Pick<ServerContext, 'clock'>,
  { appId, interaction, browser, secret }: Finishing,
): Promise<AuthorizationRow | undefined> =>
  providerTables(trx)
    .updateTable('openid_authorizations')
    .set({ finished_at: nowSeconds(clock) })
    .where('id', '=', rowId(appId, interaction))
    .where('browser_hash', '=', browserHash(browser))
    .where('secret_hash', '=', hash('authorization-secret', secret))
    .where('finished_at', 'is', null)
    .where('expires_at', '>', nowSeconds(clock))
    .returningAll()
    .executeTakeFirst()

/** Stores a grant in the format of `oidc-provider`, in the same transaction as the connection. */
async function grant(
  trx: Trx,
  context: ServerContext,
  { appId, userId, clientId }: { appId: string; userId: string; clientId: string },
  { scopes: asked }: AuthorizationRow,
  scopes: readonly CrossAppScope[],
): Promise<string> {
  const { grantSeconds, refreshTokenSeconds } = providerLimits
  const now = nowSeconds(context.clock)
  const jti = randomSecret()
  const rejected = asked.split(' ').filter((each) => !scopes.some((allowed) => allowed === each))
  await putRecord(
    trx,
    context,
    { appId, kind: 'Grant', id: jti },
    {
      kind: 'Grant',
      jti,
      iat: now,
      exp: now + grantSeconds,
      accountId: userId,
      clientId,
      ...{ openid: { scope: scopes.join(' ') } },
      ...(rejected.length > 0 && { rejected: { openid: { scope: rejected.join(' ') } } }),
    },
    refreshTokenSeconds,
  )
  return jti
}
