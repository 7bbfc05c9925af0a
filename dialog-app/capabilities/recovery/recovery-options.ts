import type { Settings } from '../../core/settings.ts'
import { type PrfAuthenticator, prfAuthenticator } from '../../webauthn/prf-authenticator.ts'

/** The ways to keep a wallet, in the order in which they are offered. */
const builtRecovery = ['passkey', 'google-drive', 'icloud', 'user-passcode'] as const
export type RecoveryOption = (typeof builtRecovery)[number]

/** What the user may choose from: the host may leave some of the app's out, and the browser may lack what one needs. */
export async function recoveryOptions(
  settings: Settings,
  authenticator: PrfAuthenticator = prfAuthenticator,
): Promise<readonly RecoveryOption[]> {
  const options = allowedOptions(settings)
  if (!options.includes('passkey')) return options
  const isSupported = await authenticator.isSupported().catch(() => false)
  return options.filter((option) => option !== 'passkey' || isSupported)
}

const allowedOptions = ({ app: { embeddedWalletConfig: ofApp }, config }: Settings) =>
  builtRecovery.filter((option) => {
    const isOfHost = config.embeddedWallets?.userOwnedRecoveryOptions?.includes(option) ?? true
    const isRequired = option === 'user-passcode' && ofApp.requireUserPasswordOnCreate === true
    return isRequired || (isOfHost && ofApp.userOwnedRecoveryOptions?.includes(option) === true)
  })
