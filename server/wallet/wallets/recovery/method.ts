/** What a way to recover is to a wallet: a folder here, and a line in `methods.ts`. */
import { LatchkeyError } from '@latchkey/protocol'
import type {
  OwnRecovery,
  ShareContext,
  StoredOwnRecovery,
  StoredRecoveryShare,
} from '@latchkey/protocol/wallet'
import type { ServerContext } from '../../../kernel/context.ts'
import type { SealingKey } from '../../../kernel/keys/keys.ts'
import type { App } from '../../../kernel/ports.ts'
import type { SealedFor } from '../sealing.ts'
import type { Wallet } from '../store.ts'

export type RecoveryName = StoredRecoveryShare['method']
export type OwnRecoveryName = OwnRecovery['method']

/** What a vault gives for it. */
export type GivenRecoveries = {
  [Name in RecoveryName]: StoredRecoveryShare & { method: Name }
}

export type StoredRecovery = Pick<Wallet, 'recovery_access'> & { recovery_share: string }
export type WalletSettings = App['config']['embeddedWalletConfig']

export type RecoveryMethod<Name extends RecoveryName> = {
  /** Whether the app has it on, for a wallet that is made or for one that is there. */
  isAllowed: (settings: WalletSettings, isNew: boolean) => boolean
  /** `share` says of which generation the recovery has to be. */
  store: (
    context: ServerContext,
    key: SealingKey,
    share: ShareContext,
    given: GivenRecoveries[Name],
  ) => Promise<StoredRecovery>
  /** `open`: it leaves together with the wallet's other share. `proven`: its user shows first that they have what opens it. */
  release: 'open' | 'proven'
}

/** One that its user keeps: the vault that set it tries it before it counts. */
export type OwnRecoveryMethod<Name extends OwnRecoveryName> = RecoveryMethod<Name> & {
  readBack: (
    context: ServerContext,
    step: SealedFor,
    stored: string,
    share: ShareContext,
  ) => Promise<StoredOwnRecovery>
}

export const isOffered = (settings: WalletSettings, name: OwnRecoveryName): boolean =>
  settings.userOwnedRecoveryOptions?.includes(name) === true

export const recoveryNotAllowed = () =>
  new LatchkeyError('disallowed_recovery_method', 'This app does not have this recovery')
