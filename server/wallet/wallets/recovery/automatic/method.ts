import { rewrap } from '../../custody.ts'
import type { RecoveryMethod } from '../method.ts'

/** Automatic recovery: the server stores the recovery share itself. */
export const automatic: RecoveryMethod<'latchkey'> = {
  release: 'open',
  // Only for new wallets. A wallet never returns to automatic recovery.
  isAllowed: (settings, isNew) =>
    isNew && !settings.requireUserOwnedRecoveryOnCreate && !settings.requireUserPasswordOnCreate,
  store: async (context, key, share, given) => ({
    recovery_share: await rewrap(context, key, share, 'recovery', given.share),
    recovery_access: null,
  }),
}
