import type { RecoveryMethod } from '@latchkey/protocol'
import type { openOnCard } from '../../app/screen-stack.ts'
import type { DialogServices } from '../../app/services.ts'
import type { CardHandle } from '../../flow/flow.ts'
import type { OwnRecovery } from '../../wallet/own-recovery.ts'
import type { RecoveryOutside } from './outside.ts'

/** The context in which a recovery method is set. */
export type Setting = {
  /** The present recovery method of an existing wallet. */
  present: RecoveryMethod | undefined
  /** The address of the wallet, or null before the wallet is created. */
  address: () => string | null
  /** Ends a call that the user began. Undefined if the screens close by themselves. */
  leave: (() => void) | undefined
  save: (own: OwnRecovery) => Promise<void>
  outside: RecoveryOutside
}

/** Resolves when the method is set and, if the screens close by themselves, the success was shown. */
export type SetRecovery = (
  services: DialogServices,
  card: CardHandle,
  setting: Setting,
  /** Opens the first screen: alone, or above the selection. */
  openFirst: typeof openOnCard,
) => Promise<void>
