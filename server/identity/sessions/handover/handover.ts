/**
 * A login in a window of its own, which goes over to the page of the wallet (`protocol/capabilities/handover.ts`).
 *
 * The secret of a login's answer serves once: it binds a device, or it buys a code. So both write the same column, in
 * the one statement that sees that it is empty. Whoever brings the code within a minute starts a session whose key and
 * device are one, and the session of the dialog ends in that transaction. For that key the code gives the same session
 * again, as long as nobody went on with it: an answer may be lost.
 */
import { sessionLimits } from '@latchkey/protocol'
import { crossAppLimits } from '@latchkey/protocol/api'
import type { DialogToken, ServerContext } from '../../../kernel/context.ts'
import { nowSeconds, type Trx } from '../../../kernel/ports.ts'
import { auditSession } from '../audit.ts'
import { deviceNotBound, isDeviceSecret } from '../device.ts'
import { type Grant, livingSession } from '../grant.ts'
import { newSession } from '../new-session.ts'
import { parsedToken } from '../presented-token.ts'
import { invalidToken } from '../refusals.ts'
import { findSession, revoke, type Session, setDevice } from '../store.ts'
import { type CodeSeed, codeOf, makeCode, type RedeemedCode, redeemCode } from './one-use-codes.ts'

/** Stands where a device would: it is no thumbprint, so no key is ever taken for it. */
const givenAway = 'handed-over'

export const handoverCodeOf = (context: Pick<ServerContext, 'keyring'>, seed: CodeSeed): string =>
  codeOf(context, 'session-handover', seed)

export async function createHandover(
  trx: Trx,
  context: ServerContext,
  { sessionId }: DialogToken,
  secret: string,
): Promise<CodeSeed> {
  const session = await livingSession(trx, context, sessionId)
  if (!isDeviceSecret(context, session, secret)) throw deviceNotBound()
  const createdAfter = nowSeconds(context.clock) - sessionLimits.deviceBindingSeconds
  if (!(await setDevice(trx, { id: session.id, device: givenAway, createdAfter }))) throw deviceNotBound()
  const code = { maker: session, seconds: crossAppLimits.handoverSeconds }
  const seed = await makeCode(trx, context, 'session-handover', code)
  await auditSession(trx, context, session, 'session.handover_created')
  return seed
}

export const redeemHandover = (trx: Trx, context: ServerContext, redeemed: RedeemedCode): Promise<Grant> =>
  redeemCode(trx, context, 'session-handover', redeemed, {
    sessionFrom: (maker) => handedOver(context, maker, redeemed.provenKey),
    async started(session, maker) {
      await revoke(trx, { what: 'family', familyId: maker.family_id }, nowSeconds(context.clock))
      await auditSession(trx, context, session, 'session.handed_over', { by: maker.id })
    },
  })

function handedOver(context: ServerContext, maker: Session, provenKey: string): Session {
  const { app_id: appId, user_id: userId, account_id: id, account_linked_at: linkedAt } = maker
  const account = id === null || linkedAt === null ? undefined : { id, linkedAt }
  return newSession(context, { appId, userId }, { kind: 'login', key: provenKey, device: provenKey, account })
}

/**
 * Throws for a session that was not handed over: only in a session that was, the tokens are bound to the key of the
 * device.
 */
export async function requireHandedOver(context: ServerContext, refreshToken: string): Promise<void> {
  const session = await findSession(context.db, parsedToken(refreshToken).sessionId)
  if (session === undefined || session.device === null) throw invalidToken()
  if (session.device !== session.key_thumbprint) throw invalidToken()
}
