/** A recovery that the user keeps is chosen by whoever brings one, and put to use by whoever asks for it. */
import type { WalletAccount } from '@latchkey/protocol'
import type { CardHandle } from './flow.ts'

/** `save` is given the password that was chosen, and may fail; then it is offered again. Resolves when it is seen. */
export type ChooseRecovery = (card: CardHandle, save: (password: string) => Promise<void>) => Promise<void>

/** A new wallet, kept by this password. */
export type MakeWallet = (password: string) => Promise<WalletAccount>
