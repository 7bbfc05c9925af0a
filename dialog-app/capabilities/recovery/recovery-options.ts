import type { Settings } from '../../core/settings.ts'

/** What of the ways to keep a wallet this dialog has. */
const builtRecovery = ['user-passcode'] as const
export type RecoveryOption = (typeof builtRecovery)[number]

/** What the user may choose from: the host may leave some of the app's out. */
export const recoveryOptions = ({ app: { embeddedWalletConfig: ofApp }, config }: Settings) =>
  builtRecovery.filter((option) => {
    const isOfHost = config.embeddedWallets?.userOwnedRecoveryOptions?.includes(option) ?? true
    return (isOfHost && ofApp.userOwnedRecoveryOptions?.includes(option)) || ofApp.requireUserPasswordOnCreate
  })
