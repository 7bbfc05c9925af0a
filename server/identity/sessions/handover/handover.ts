/**
 * Hands over a login from the dialog's window to the wallet page (`protocol/capabilities/handover.ts`).
 *
 * The secret of a login response is used once: to bind a device or to create a code. Both write the same column in one
 * statement that requires it to be empty. Redeeming the code within a minute starts a session with the same key as
 * session key and device key. The dialog's session ends in the same transaction. Until the new session is used, the
 * same key can redeem the code again, because a response may be lost.
 */
import { sessionLimits } from '@latchkey/protocol'
import { crossAppLimits } from '@latchkey/protocol/api'
import type { DialogToken, ServerContext } from '../../../kernel/context.ts'
import { nowSeconds, type Trx } from '../../../kernel/ports.ts'
import { auditSession } from '../audit.ts'
import { deviceNotBound, isDeviceSecret } from '../device.ts'
import { type Grant, requireLivingSession } from '../grant.ts'
import { newSession } from '../new-session.ts'
import { parsePresentedToken } from '../presented-token.ts'
import { invalidToken } from '../refusals.ts'
import { findSession, revoke, type Session, setDevice } from '../store.ts'
import { type CodeSeed, createCode, deriveCode, type RedeemedCode, redeemCode } from './one-use-codes.ts'

/** A placeholder in the device column. It is not a thumbprint, so no key matches it. */
const handedOverMarker = 'handed-over'

export const deriveHandoverCode = (context: Pick<ServerContext, 'keyring'>, seed: CodeSeed): string =>
  deriveCode(context, 'session-handover', seed)

export async function createHandover(
  trx: Trx,
  context: ServerContext,
  { sessionId }: DialogToken,
  secret: string,
): Promise<CodeSeed> {
  const session = await requireLivingSession(trx, context, sessionId)
  if (!isDeviceSecret(context, session, secret)) throw deviceNotBound()
  const createdAfter = nowSeconds(context.clock) - sessionLimits.deviceBindingSeconds
  if (!(await setDevice(trx, { id: session.id, device: handedOverMarker, createdAfter })))
    throw deviceNotBound()
  const code = { maker: session, seconds: crossAppLimits.handoverSeconds }
  const seed = await createCode(trx, context, 'session-handover', code)
  await auditSession(trx, context, session, 'session.handover_created')
  return seed
}

export const redeemHandover = (trx: Trx, context: ServerContext, redeemed: RedeemedCode): Promise<Grant> =>
  redeemCode(trx, context, 'session-handover', redeemed, {
    createSession: (maker) => newHandedOverSession(context, maker, redeemed.provenKey),
    async onStarted(session, maker) {
      await revoke(trx, { type: 'family', familyId: maker.family_id }, nowSeconds(context.clock))
      await auditSession(trx, context, session, 'session.handed_over', { by: maker.id })
    },
  })

function newHandedOverSession(context: ServerContext, maker: Session, provenKey: string): Session {
  const {
    app_id: appId,
    user_id: userId,
    account_id: id,
    account_linked_at: linkedAt,
    provider_session: providerSession,
  } = maker
  const account = id === null || linkedAt === null ? undefined : { id, linkedAt, providerSession }
  return newSession(context, { appId, userId }, { kind: 'login', key: provenKey, device: provenKey, account })
}

/** Throws unless the session was handed over. Only in handed-over sessions are session key and device key the same. */
export async function requireHandedOver(context: ServerContext, refreshToken: string): Promise<void> {
  const session = await findSession(context.db, parsePresentedToken(refreshToken).sessionId)
  if (session === undefined || session.device === null) throw invalidToken()
  if (session.device !== session.key_thumbprint) throw invalidToken()
}
