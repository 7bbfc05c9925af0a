/** Login with a JWT from an issuer that the app's operator configured. Its subject identifies the user. */
import { LatchkeyError } from '@latchkey/protocol'
import * as v from 'valibot'
import type { App } from '../../identity/apps/apps.ts'
import type { ServerContext } from '../../kernel/context.ts'
import type { Reader } from '../../kernel/ports.ts'
import type { ProvenLogin } from '../proven.ts'
import { type Issuer, keySets, readToken, type TokenAnswer } from './issuer.ts'
import * as store from './store.ts'

export async function requireIssuer(trx: Reader, app: App): Promise<Issuer> {
  const issuer = await store.findIssuer(trx, app.id)
  if (issuer) return issuer
  throw new LatchkeyError('disallowed_login_method', 'This app has no issuer of its own', {
    details: { setting: 'custom-jwt' },
  })
}

export async function verifyToken(
  context: ServerContext,
  issuer: Issuer,
  token: string,
): Promise<TokenAnswer> {
  try {
    return await readToken(keySets.get(context.ports), issuer, token, context.clock.nowMs())
  } catch (cause) {
    throw new LatchkeyError('unavailable', 'The keys of the issuer could not be read. Please try again.', {
      cause,
    })
  }
}

/** Returns whether the token is valid and identifies this user. */
export async function confirmToken(
  context: ServerContext,
  app: App,
  userId: string,
  token: string,
): Promise<boolean> {
  const answer = await verifyToken(context, await requireIssuer(context.db, app), token)
  return answer.type === 'proven' && store.hasAccount(context.db, app.id, userId, answer.subject)
}

export const tokenRefusal = ({ reason, claim }: Extract<TokenAnswer, { type: 'refused' }>) =>
  new LatchkeyError('missing_or_invalid_token', 'The token is not one of the issuer of this app', {
    details: { reason, ...(claim !== undefined && { claim }) },
  })

export const toProvenLogin = (subject: string): ProvenLogin => ({
  method: 'custom_jwt',
  account: { type: 'custom_auth', identifier: subject, profile: { customUserId: subject } },
})

/** Accepts https, and http on localhost. */
const isSafe = (value: string) => /^(https:\/\/|http:\/\/(127\.0\.0\.1|localhost)[:/])/.test(value)
const text = v.pipe(v.string(), v.nonEmpty('must not be empty'))
const issuerSchema = v.object({
  jwks_url: v.pipe(text, v.url('must be a URL'), v.check(isSafe, 'must be https, except on this machine')),
  issuer: text,
  audience: text,
  claim: text,
})

/**
 * Stores the issuer of an app. Returns the validation errors, or an empty list. Accounts have the subject of the issuer
 * as their identifier, so another issuer, or another claim, could log in as users of the previous one. With
 * `hasSameUsers`, the operator confirms that both identify the same users.
 */
export async function setIssuer(
  reader: Reader,
  appId: string,
  issuer: Issuer,
  hasSameUsers = false,
): Promise<readonly string[]> {
  const parsed = v.safeParse(issuerSchema, issuer)
  if (!parsed.success) return parsed.issues.map((issue) => `${v.getDotPath(issue)} ${issue.message}`)
  const previous = await store.findIssuer(reader, appId)
  const isPrevious = previous?.issuer === issuer.issuer && previous.claim === issuer.claim
  if (!isPrevious && !hasSameUsers && (await store.hasAccounts(reader, appId))) {
    return ['The app has users of an issuer. If the subjects are the same, add --same-users.']
  }
  await store.putIssuer(reader, { app_id: appId, ...parsed.output })
  return []
}

export { createKeySets, type KeySets } from './issuer.ts'
export const findIssuer = store.findIssuer
export const dropIssuer = store.removeIssuer
