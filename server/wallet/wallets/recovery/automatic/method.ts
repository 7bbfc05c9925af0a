import { rewrap } from '../../custody.ts'
import type { RecoveryMethod } from '../method.ts'

/** The server keeps the share itself. */
export const automatic: RecoveryMethod<'latchkey'> = {
  release: 'open',
  // The user says how a new wallet is kept; who has one already has said it.
  isAllowed: (settings, isNew) =>
    isNew && !settings.requireUserOwnedRecoveryOnCreate && !settings.requireUserPasswordOnCreate,
  store: async (context, key, share, given) => ({
    recovery_share: await rewrap(context, key, share, 'recovery', given.share),
    recovery_access: null,
  }),
}
