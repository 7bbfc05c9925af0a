/** Accepts the wallet that the frame returned: a new one, or one that already existed. */
import type { UserRecord } from '@latchkey/protocol'
import { isReusable, type OwnRecovery } from './own-recovery.ts'

type CreatedWallet = {
  onDevice: boolean
  /** The user with the new wallet, or null if the wallet already existed. */
  user: UserRecord | null
}

/** Updates the session for a new wallet. Recovers an existing wallet, and rejects if `own` does not recover it. */
export async function acceptCreated(
  { onDevice, user }: CreatedWallet,
  own: OwnRecovery | undefined,
  session: { replaceUser: (user: UserRecord) => void },
  recover: (own: OwnRecovery | undefined) => Promise<void>,
): Promise<void> {
  if (user) session.replaceUser(user)
  if (own && !user) await (await import('./lazy/own-in-force.ts')).requireInForce(own, recover)
  else if (!onDevice && isReusable(own)) await recover(own)
}
