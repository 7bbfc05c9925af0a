/** The services of this capability. */
import type { CapabilityPorts } from '../../contract/capability.ts'
import type { CardHandle } from '../../flow/flow.ts'
import type { CallWallet } from '../../wallet/wallet-obstacles.ts'
import type { Authenticator } from '../../webauthn/authenticator.ts'

export type MfaPorts = CapabilityPorts & {
  /** Loads with the first passkey prompt. */
  authenticator: (card: Pick<CardHandle, 'interrupt'>) => Promise<Authenticator>
  callWallet: CallWallet
  /** The dialog and the authenticator app share a device. */
  isPhone: boolean
}
