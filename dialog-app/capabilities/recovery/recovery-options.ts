import type { Settings } from '../../host/settings.ts'

/** The ways to keep a wallet, in the order in which they are offered. */
const builtRecovery = ['passkey', 'google-drive', 'icloud', 'user-passcode'] as const
export type RecoveryOption = (typeof builtRecovery)[number]

/** What the user may choose from: the host may leave some of the app's out, and the browser may lack what one needs. */
export async function recoveryOptions(
  settings: Settings,
  hasPrf: () => Promise<boolean> = browserHasPrf,
): Promise<readonly RecoveryOption[]> {
  const options = allowedOptions(settings)
  if (!options.includes('passkey')) return options
  const isSupported = await hasPrf().catch(() => false)
  return options.filter((option) => option !== 'passkey' || isSupported)
}

const allowedOptions = ({ app: { embeddedWalletConfig: ofApp }, config }: Settings) =>
  builtRecovery.filter((option) => {
    const isOfHost = config.embeddedWallets?.userOwnedRecoveryOptions?.includes(option) ?? true
    const isRequired = option === 'user-passcode' && ofApp.requireUserPasswordOnCreate === true
    return isRequired || (isOfHost && ofApp.userOwnedRecoveryOptions?.includes(option) === true)
  })

/** Whether this browser says of itself that passkeys give it a secret. An authenticator may still give none. */
async function browserHasPrf(): Promise<boolean> {
  const { PublicKeyCredential: passkeys } = globalThis
  // Not every browser that has passkeys can say this of itself.
  if (typeof passkeys?.getClientCapabilities !== 'function') return false
  const { 'extension:prf': hasPrf } = await passkeys.getClientCapabilities()
  return hasPrf === true
}
