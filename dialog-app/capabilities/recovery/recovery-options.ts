import type { Settings } from '../../host/settings.ts'

/** Every recovery method, in the order in which the dialog offers them. */
const builtRecovery = ['passkey', 'google-drive', 'icloud', 'user-passcode'] as const
export type RecoveryOption = (typeof builtRecovery)[number]

/** Returns the methods that app and host allow and the browser supports. */
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

/** Returns whether the browser reports that passkeys can derive secrets. An authenticator may still not support it. */
async function browserHasPrf(): Promise<boolean> {
  const { PublicKeyCredential: passkeys } = globalThis
  // Some browsers with passkeys do not report their capabilities.
  if (typeof passkeys?.getClientCapabilities !== 'function') return false
  const { 'extension:prf': hasPrf } = await passkeys.getClientCapabilities()
  return hasPrf === true
}
