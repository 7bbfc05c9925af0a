/**
 * Authorization requests that wait for their user. The page of the wallet decides and gets a secret; the secret counts
 * once, and only in the browser that began the request. So nobody's consent ends up in somebody else's request.
 */
import { createHash, createHmac } from 'node:crypto'
import { type CrossAppScope, isSameAddress, LatchkeyError, product } from '@latchkey/protocol'
import type { AdapterPayload } from 'oidc-provider'
import * as v from 'valibot'
import { lockUser, requireUser } from '../../identity/users/users.ts'
import type { DialogToken, ServerContext } from '../../kernel/context.ts'
import { addPepperName, getPepperName } from '../../kernel/keys/keys.ts'
import { isLanguage, type Language } from '../../kernel/languages.ts'
import { nowSeconds, type Reader, type Trx } from '../../kernel/ports.ts'
import { browserHash, randomSecret } from '../../login/window/window.ts'
import { allow, scopesIn, type Terms } from './connections.ts'
import { providerLimits } from './limits.ts'
import { findRecord, putRecord } from './openid/records.ts'
import { requesterOf } from './requesters.ts'
import { type AuthorizationRow, providerTables } from './tables.ts'

/** The text is that of the specification. */
const denied = 'User denied confirmation during cross-app auth flow'

const hashOf = (what: string, text: string) =>
  createHash('sha256').update(`${product.key}/${what}\n${text}`).digest('base64url')
const rowId = (appId: string, interaction: string) => hashOf('authorization', `${appId}\n${interaction}`)

type Begun = {
  appId: string
  interaction: string
  clientId: string
  scopes: readonly string[]
}

/** The secret is for the cookie of the browser that began. */
export async function beginAuthorization(
  { db, clock }: Pick<ServerContext, 'db' | 'clock'>,
  { appId, interaction, clientId, scopes }: Begun,
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
 * The page of the wallet alone decides: in a session whose tokens are proved by the key of its device. The dialog has a
 * key of its own, so a script in it cannot.
 */
export function assertOfWalletPage({ device, keyThumbprint }: DialogToken): void {
  if (device === keyThumbprint) return
  throw new LatchkeyError('insufficient_scope', 'This is decided on the page of the wallet')
}

/** Who asks, and for what. Who decided already is the only one who is told. */
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
  const requester = await requesterOf(reader, { appId, clientId: row.client_id })
  if (!requester) throw over()
  return { row, requester, scopes: scopesIn(row.scopes), expiresInSeconds: row.expires_at - now }
}

const over = () => new LatchkeyError('not_found', 'This request is over')

export type Decision = { decision: 'deny' } | ({ decision: 'allow' } & Terms)

/** What the outcome of the call keeps; the secret is made of it each time. */
export type DecisionSeed = { seed: string }
export const decisionSecretOf = (
  { keyring }: Pick<ServerContext, 'keyring'>,
  { seed }: DecisionSeed,
): string =>
  createHmac('sha256', keyring.pepper('provider/decision', getPepperName(seed)))
    .update(seed)
    .digest('base64url')

/** The same user may decide anew, for the page that died before it went on: the decision before counts no more. */
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
      secret_hash: hashOf('authorization-secret', decisionSecretOf(context, seed)),
    })
    .where('id', '=', row.id)
    .where('finished_at', 'is', null)
    .where('expires_at', '>', nowSeconds(clock))
    .where(({ eb, or }) => or([eb('user_id', 'is', null), eb('user_id', '=', userId)]))
    .returning('id')
    .executeTakeFirst()
  if (!decided) throw new LatchkeyError('token_already_used', 'This request was answered before')
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
  if (more !== undefined) throw invalid('scopes', `${more} was not asked for`)
  if (allowed.includes('wallet.send') !== (dailyUsd !== null)) {
    throw invalid('daily_usd', 'An amount a day is said where something may be sent, and only there')
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
  /** Where the browser goes on. */
  resumeAt: string
  /** Who is told that there is a new one. */
  told?: {
    userId: string
    sessionId: string
    language: Language
    requester: { name: string; origin: string }
    scopes: readonly CrossAppScope[]
  }
}

/** Once. Undefined where it is over, or was of another browser or another decision. */
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
  const requester = await requesterOf(trx, { appId, clientId: row.client_id })
  if (!requester) return undefined
  const decision = storedDecision(row.decision)
  const go = async (result: NonNullable<AdapterPayload['result']>) => {
    await putRecord(trx, context, name, { ...waiting, result }, row.expires_at - nowSeconds(context.clock))
    return { resumeAt: waiting.returnTo ?? '' }
  }
  if (decision.decision === 'deny') return go({ error: 'access_denied', error_description: denied })
  const party = { appId, userId: row.user_id, clientId: row.client_id }
  const { sessionId, language, scopes } = decision
  await lockUser(trx, party)
  const isMore = await allow(trx, context.clock, { ...party, sessionId }, decision)
  const grantId = await grant(trx, context, party, row, scopes)
  const gone = await go({ login: { accountId: party.userId, remember: false }, consent: { grantId } })
  return isMore ? { ...gone, told: { userId: party.userId, sessionId, language, requester, scopes } } : gone
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
    .where('secret_hash', '=', hashOf('authorization-secret', secret))
    .where('finished_at', 'is', null)
    .where('expires_at', '>', nowSeconds(clock))
    .returningAll()
    .executeTakeFirst()

/** A grant is written as `oidc-provider` keeps one, so that it comes with the connection or not at all. */
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
