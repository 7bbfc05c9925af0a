/**
 * A login in a window of its own, which goes over to the page of the wallet (`protocol/api/handover.ts`).
 *
 * The secret of a login's answer serves once: it binds a device, or it buys a code. So both write the same column, in
 * the one statement that sees that it is empty. Whoever brings the code within a minute starts a session whose key and
 * device are one, and the session of the dialog ends in that transaction. For that key the code gives the same session
 * again, as long as nobody went on with it: an answer may be lost.
 */
import { createHash, createHmac, randomBytes } from 'node:crypto'
import { product, sessionLimits } from '@latchkey/protocol'
import { crossAppLimits } from '@latchkey/protocol/api'
import type { DialogToken, ServerContext } from '../context.ts'
import { namingPepper, pepperNamedBy } from '../keys/keys.ts'
import { nowSeconds, type Trx } from '../ports.ts'
import { auditSession } from './audit.ts'
import { deviceNotBound, isDeviceSecret } from './device.ts'
import { firstGrantAgain } from './forks.ts'
import { type Grant, livingSession } from './grant.ts'
import { newSession } from './new-session.ts'
import { parsedToken } from './presented-token.ts'
import { invalidToken } from './refusals.ts'
import {
  findSession,
  findSessionCode,
  insertSession,
  insertSessionCode,
  revoke,
  type Session,
  setDevice,
  useSessionCode,
} from './store.ts'

/** Stands where a device would: it is no thumbprint, so no key is ever taken for it. */
const givenAway = 'handed-over'

/** Outcomes of calls are kept without secrets: the code is made from it, each time the same. */
export type HandoverSeed = { readonly seed: string }

export const handoverCodeOf = (context: Pick<ServerContext, 'keyring'>, { seed }: HandoverSeed): string =>
  createHmac('sha256', context.keyring.pepper('session-handover', pepperNamedBy(seed)))
    .update(seed)
    .digest('base64url')

/** Under a tag of its own: in the table of other codes, neither is taken for one of them. */
const hashOfCode = (code: string) =>
  createHash('sha256').update(`${product.key}/session-handover\n${code}`).digest('base64url')

export async function createHandover(
  trx: Trx,
  context: ServerContext,
  { appId, sessionId }: DialogToken,
  secret: string,
): Promise<HandoverSeed> {
  const session = await livingSession(trx, context, sessionId)
  if (!isDeviceSecret(context, session, secret)) throw deviceNotBound()
  const now = nowSeconds(context.clock)
  const createdAfter = now - sessionLimits.deviceBindingSeconds
  if (!(await setDevice(trx, { id: session.id, device: givenAway, createdAfter }))) throw deviceNotBound()
  const pepper = context.keyring.pepperInUse()
  const seed = { seed: namingPepper(pepper, randomBytes(32).toString('base64url')) }
  await insertSessionCode(trx, {
    code_hash: hashOfCode(handoverCodeOf(context, seed)),
    app_id: appId,
    session_id: session.id,
    expires_at: now + crossAppLimits.handoverSeconds,
    started_session_id: null,
  })
  await auditSession(trx, context, session, 'session.handover_created')
  return seed
}

type RedeemedCode = { readonly appId: string; readonly code: string; readonly provenKey: string }

export async function redeemHandover(
  trx: Trx,
  context: ServerContext,
  { appId, code, provenKey }: RedeemedCode,
): Promise<Grant> {
  const codeHash = hashOfCode(code)
  const made = await findSessionCode(trx, appId, codeHash)
  if (made === undefined) throw invalidToken()
  if (made.started_session_id === null) {
    const maker = await livingSession(trx, context, made.session_id)
    const session = handedOver(context, maker, provenKey)
    const use = { codeHash, sessionId: session.id, nowSeconds: nowSeconds(context.clock) }
    if (await useSessionCode(trx, use)) {
      await insertSession(trx, session)
      await revoke(trx, { what: 'family', familyId: maker.family_id }, use.nowSeconds)
      await auditSession(trx, context, session, 'session.handed_over', { by: maker.id })
      return { sessionId: session.id, counter: session.counter }
    }
  }
  const used = await findSessionCode(trx, appId, codeHash)
  if (!used?.started_session_id) throw invalidToken()
  return firstGrantAgain(context, await livingSession(trx, context, used.started_session_id), provenKey)
}

function handedOver(context: ServerContext, maker: Session, provenKey: string): Session {
  const { app_id: appId, user_id: userId, account_id: id, account_linked_at: linkedAt } = maker
  const account = id === null || linkedAt === null ? undefined : { id, linkedAt }
  return newSession(context, { appId, userId }, { kind: 'login', key: provenKey, device: provenKey, account })
}

/** Only such a session has its device's key for its own. */
export async function requireHandedOver(context: ServerContext, refreshToken: string): Promise<void> {
  const session = await findSession(context.db, parsedToken(refreshToken).sessionId)
  if (session === undefined || session.device === null) throw invalidToken()
  if (session.device !== session.key_thumbprint) throw invalidToken()
}
