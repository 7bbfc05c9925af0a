/** The interface of a recovery method. Each method has a folder here and a line in `methods.ts`. */
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
import type { SealTarget } from '../sealing.ts'
import type { Wallet } from '../store.ts'

export type RecoveryName = StoredRecoveryShare['method']
export type OwnRecoveryName = OwnRecovery['method']

/** The input that the vault sends for each recovery method. */
export type RecoveryInputs = {
  [Name in RecoveryName]: StoredRecoveryShare & { method: Name }
}

export type StoredRecovery = Pick<Wallet, 'recovery_access'> & { recovery_share: string }
export type WalletSettings = App['config']['embeddedWalletConfig']

export type RecoveryMethod<Name extends RecoveryName> = {
  /** Whether the app allows the method, for a new or an existing wallet. */
  isAllowed: (settings: WalletSettings, isNew: boolean) => boolean
  /** Returns the columns to store. `share` names the generation that the recovery must have. */
  store: (
    context: ServerContext,
    key: SealingKey,
    share: ShareContext,
    input: RecoveryInputs[Name],
  ) => Promise<StoredRecovery>
  /** `open`: released together with the auth share. `proven`: the user first proves the password or passkey. */
  release: 'open' | 'proven'
}

/** A recovery method with a secret of the user. The vault tests the stored share before it is committed. */
export type OwnRecoveryMethod<Name extends OwnRecoveryName> = RecoveryMethod<Name> & {
  readBack: (
    context: ServerContext,
    step: SealTarget,
    stored: string,
    share: ShareContext,
  ) => Promise<StoredOwnRecovery>
}

export const isOffered = (settings: WalletSettings, name: OwnRecoveryName): boolean =>
  settings.userOwnedRecoveryOptions?.includes(name) === true

export const recoveryNotAllowed = () =>
  new LatchkeyError('disallowed_recovery_method', 'This app does not allow this recovery method')
