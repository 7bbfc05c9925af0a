/** A recovery that the user keeps is chosen by whoever brings one, and put to use by whoever asks for it. */
import type { WalletAccount } from '@latchkey/protocol'
import type { CardHandle } from '../flow/flow.ts'
import type { OwnRecovery } from '../wallet/own-recovery.ts'

/** `save` is given what was chosen, and may fail; then it is offered again. Resolves when it is seen. */
export type ChooseRecovery = (card: CardHandle, save: (own: OwnRecovery) => Promise<void>) => Promise<void>

/** A new wallet, kept by this. */
export type MakeWallet = (own: OwnRecovery) => Promise<WalletAccount>
