/** Whoever sets a recovery is given this, whichever recovery it is. */
import type { RecoveryMethod } from '@latchkey/protocol'
import type { CapabilityPorts } from '../../contract/capability.ts'
import type { CardHandle } from '../../flow/flow.ts'
import type { OwnRecovery } from '../../wallet/own-recovery.ts'
import type { RecoveryOutside } from './outside.ts'
import type { RecoveryOption } from './recovery-options.ts'

/** The user began it, and may end it; else there is nothing to cancel, and it closes by itself. */
export type ByUser = { cancel: () => void; close: () => void }

export type Choosing = {
  options: readonly RecoveryOption[]
  /** How the wallet that is there is kept now. */
  present: RecoveryMethod | undefined
  /** The address of the wallet; null where one is to be made. */
  address: () => string | null
  byUser: ByUser | undefined
  save: (own: OwnRecovery) => Promise<void>
}
export type Setting = Omit<Choosing, 'options'> & {
  /** Puts the first screen on the card: it stands alone, or back leads from it. */
  show: CardHandle['go']
  outside: RecoveryOutside
}
/** Resolves when it is set, and where nobody closes it, when that was seen. */
export type SetRecovery = (ports: CapabilityPorts, card: CardHandle, setting: Setting) => Promise<void>
