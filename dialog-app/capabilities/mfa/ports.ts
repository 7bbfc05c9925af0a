/** The flows of this capability run on these ports. */
import type { CapabilityPorts } from '../../contract/capability.ts'
import type { CardHandle } from '../../flow/flow.ts'
import type { CallWallet } from '../../wallet/wallet-obstacles.ts'
import type { Authenticator } from '../../webauthn/authenticator.ts'

export type MfaPorts = CapabilityPorts & {
  /** Its code loads with the first passkey that is asked for. */
  authenticator: (card: Pick<CardHandle, 'interrupt'>) => Promise<Authenticator>
  callWallet: CallWallet
  /** The app is on the device that shows the dialog. */
  isPhone: boolean
}
