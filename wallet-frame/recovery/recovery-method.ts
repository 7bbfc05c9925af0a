/**
 * The interface of a recovery method. Each has a folder next to this file and a row in `recovery/index.ts`.
 */
import type { CallInput } from '@latchkey/protocol/channel'
import type {
  CloudSignIn,
  RecoveryPasskeyAnswer,
  SealedShare,
  ShareContext,
  WalletFrameCalls,
} from '@latchkey/protocol/wallet'
import type { StepCall, WalletPorts } from '../shares/ports.ts'
import type { OperationKind, VaultInput } from '../vault/contract.ts'

/**
 * Inputs that a recovery method may need from a window of this origin: a secret sealed to the vault's step,
 * or a cloud's sign-in result.
 */
export type RecoveryInputs = Pick<CallInput<WalletFrameCalls['wallet:recover']>, 'recoveryPin'> & {
  recoveryPassword?: SealedShare
  recoveryPasskey?: RecoveryPasskeyAnswer
  recoveryCloud?: CloudSignIn
}
export type RecoveryInputName = keyof RecoveryInputs

/** The user's storage for a file that the vault created. */
export type RecoveryFiles = {
  /** Resolves after the file was read back from the storage. */
  store: (of: FileOf, text: string) => Promise<void>
  remove: (of: FileOf) => Promise<void>
}
export type FileOf = Pick<ShareContext, 'address' | 'generation'>

/** How the vault stores the recovery share if the server does not hold it in an openable form. */
export type RecoveryStorage = NonNullable<VaultInput<'create'>['recoveryStorage']>

export type RecoveryMethodPart = {
  /** The inputs that the method requires; a call without them is refused. */
  asks: readonly RecoveryInputName[]
  /**
   * The kinds of the vault's operations. Rows in `operationKinds` name their requests. A method without
   * `set` cannot be set.
   */
  operations: {
    create: OperationKind
    import: OperationKind
    recover: OperationKind
    set?: OperationKind
  }
  storageFor?: (inputs: RecoveryInputs) => RecoveryStorage
  /** Opens the user's files, for a method that stores one. */
  openFiles?: (ports: WalletPorts, call: StepCall, inputs: RecoveryInputs) => Promise<RecoveryFiles>
  /**
   * Obtains both shares from the server, and restores this device's share in the vault. Returns the address.
   */
  recover: (
    ports: WalletPorts,
    call: StepCall,
    wanted: { address: string; inputs: RecoveryInputs },
  ) => Promise<string>
}
