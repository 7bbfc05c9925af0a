import { type UserRecord, walletIsDue } from '@latchkey/protocol'
import type { Settings } from '../../core/settings.ts'

/**
 * Whether a wallet is made now without asking. A consent that is due comes first, and where the user says how the
 * wallet is kept, it is made with their choice. A setting of the host wins where both have it.
 */
export function isWalletDue({ app, config }: Settings, user: UserRecord): boolean {
  const ofHost = config.embeddedWallets ?? {}
  const ofApp = app.embeddedWalletConfig
  const termsAreDue =
    (config.legal?.requireUsersAcceptTerms ?? app.requireUsersAcceptTerms) && !user.hasAcceptedTerms
  const recoveryIsChosen =
    (ofHost.requireUserOwnedRecoveryOnCreate ?? ofApp.requireUserOwnedRecoveryOnCreate) === true ||
    ofApp.requireUserPasswordOnCreate === true
  return !termsAreDue && !recoveryIsChosen && walletIsDue(ofHost.createOnLogin ?? ofApp.createOnLogin, user)
}
