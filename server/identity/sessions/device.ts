/**
 * The device of a session: the key of the one vault that may state steps for it (`protocol/vault/device.ts`). It is
 * bound by the login itself where its vault was ready, or once within a minute by the secret of that login's answer,
 * which the dialog keeps in its memory alone, and which may buy a handover instead (handover.ts). It never changes:
 * whoever lost it logs in again. A fork has none.
 */
import { createHmac, createSecretKey } from 'node:crypto'
import { LatchkeyError, product, sessionLimits } from '@latchkey/protocol'
import type { DialogToken, ServerContext } from '../../kernel/context.ts'
import { equalsInConstantTime } from '../../kernel/keys/keys.ts'
import { nowSeconds } from '../../kernel/ports.ts'
import { recordAudit } from '../audit/audit.ts'
import { livingSession } from './grant.ts'
import { type Session, setDevice } from './store.ts'
import { tokenKeyOf } from './tokens/token-key.ts'

export const deviceNotBound = () =>
  new LatchkeyError('device_not_bound', 'Log in again to use the wallet on this device')

/** The secret is not stored: it is derived from the key that the session's refresh tokens are derived from. */
export const deviceSecretOf = (context: Pick<ServerContext, 'keyring'>, session: Session): string =>
  createHmac('sha256', createSecretKey(tokenKeyOf(context, session)))
    .update(`${product.key}/device-secret/1\n${session.id}`)
    .digest('base64url')

/** A fork has none, whoever knows what it would be. */
export const isDeviceSecret = (
  context: Pick<ServerContext, 'keyring'>,
  session: Session,
  secret: string,
): boolean => session.kind !== 'fork' && equalsInConstantTime(deviceSecretOf(context, session), secret)

type Binding = { secret: string; device: string }

/** A second call with the same device succeeds: the first answer may have been lost. */
export async function bindDevice(
  context: ServerContext,
  { sessionId }: DialogToken,
  { secret, device }: Binding,
): Promise<void> {
  const session = await livingSession(context.db, context, sessionId)
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
