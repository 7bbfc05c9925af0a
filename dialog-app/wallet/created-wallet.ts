/** A wallet that the frame was asked for: made there, or one that filled its place before. */
import type { UserRecord } from '@latchkey/protocol'
import { canBeGivenAgain, type OwnRecovery } from './own-recovery.ts'

type CreatedWallet = {
  onDevice: boolean
  /** The user who created it; null where the wallet was there already. */
  user: UserRecord | null
}

/** The session takes over the user with it. One that was there is recovered, and unless `own` keeps it, refused. */
export async function acceptCreated(
  { onDevice, user }: CreatedWallet,
  own: OwnRecovery | undefined,
  session: { replaceUser: (user: UserRecord) => void },
  recover: (own: OwnRecovery | undefined) => Promise<void>,
): Promise<void> {
  if (user) session.replaceUser(user)
  if (own && !user) await (await import('./lazy/own-in-force.ts')).requireInForce(own, recover)
  else if (!onDevice && canBeGivenAgain(own)) await recover(own)
}
