import type { Settings } from '../../core/settings.ts'

/** The ways to keep a wallet, in the order in which they are offered. */
const builtRecovery = ['google-drive', 'icloud', 'user-passcode'] as const
export type RecoveryOption = (typeof builtRecovery)[number]

/** What the user may choose from: the host may leave some of the app's out. */
export const recoveryOptions = ({ app: { embeddedWalletConfig: ofApp }, config }: Settings) =>
  builtRecovery.filter((option) => {
    const isOfHost = config.embeddedWallets?.userOwnedRecoveryOptions?.includes(option) ?? true
    const isRequired = option === 'user-passcode' && ofApp.requireUserPasswordOnCreate === true
    return isRequired || (isOfHost && ofApp.userOwnedRecoveryOptions?.includes(option) === true)
  })
