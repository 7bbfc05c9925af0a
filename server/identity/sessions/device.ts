/**
 * The device key of a session: the key of the only vault that may sign statements for it (`protocol/vault/device.ts`).
 * A login binds it if its vault was ready. Otherwise `bindDevice` binds it once within a minute, with the secret from
 * the login response. The dialog keeps this secret in memory only, and may use it for a handover instead (handover.ts).
 * A binding never changes: a user who loses the key logs in again. A fork has no device.
 */
import { createHmac, createSecretKey } from 'node:crypto'
import { LatchkeyError, product, sessionLimits } from '@latchkey/protocol'
import type { DialogToken, ServerContext } from '../../kernel/context.ts'
import { equalsInConstantTime } from '../../kernel/keys/keys.ts'
import { nowSeconds } from '../../kernel/ports.ts'
import { recordAudit } from '../audit/audit.ts'
import { requireLivingSession } from './grant.ts'
import { type Session, setDevice } from './store.ts'
import { getTokenKey } from './tokens/token-key.ts'

export const deviceNotBound = () =>
  new LatchkeyError('device_not_bound', 'Log in again to use the wallet on this device')

/** Derives the device secret from the session's token key, so it is not stored. */
export const deriveDeviceSecret = (context: Pick<ServerContext, 'keyring'>, session: Session): string =>
  createHmac('sha256', createSecretKey(getTokenKey(context, session)))
    .update(`${product.key}/device-secret/1\n${session.id}`)
    .digest('base64url')

/** Returns whether the secret is the session's. Always false for a fork. */
export const isDeviceSecret = (
  context: Pick<ServerContext, 'keyring'>,
  session: Session,
  secret: string,
): boolean => session.kind !== 'fork' && equalsInConstantTime(deriveDeviceSecret(context, session), secret)

type Binding = { secret: string; device: string }

/** Binds the device key to the session. Idempotent, because the first response may be lost. */
export async function bindDevice(
  context: ServerContext,
  { sessionId }: DialogToken,
  { secret, device }: Binding,
): Promise<void> {
  const session = await requireLivingSession(context.db, context, sessionId)
  if (!isDeviceSecret(context, session, secret)) throw deviceNotBound()
  const createdAfter = nowSeconds(context.clock) - sessionLimits.deviceBindingSeconds
  const isBound = await context.transaction(async (trx) => {
    if (!(await setDevice(trx, { id: session.id, device, createdAfter }))) return false
    const { app_id: appId, user_id: userId } = session
    await recordAudit(trx, context.clock, {
      event: 'session.device_bound',
      appId,
      userId,
      sessionId,
      details: {},
    })
    return true
  })
  if (isBound || session.device === device) return
  throw deviceNotBound()
}
