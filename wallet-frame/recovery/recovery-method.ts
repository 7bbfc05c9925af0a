/** What each way back to a wallet has: its folder beside this file, and a row in `recovery/index.ts`. */
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
 * What a user may have to give, in a window of this origin: a secret, sealed to the vault of the step, or what their cloud
 * said to that window.
 */
export type RecoveryInputs = Pick<CallInput<WalletFrameCalls['wallet:recover']>, 'recoveryPin'> & {
  recoveryPassword?: SealedShare
  recoveryPasskey?: RecoveryPasskeyAnswer
  recoveryCloud?: CloudSignIn
}
export type RecoveryInputName = keyof RecoveryInputs

/** The place where the user keeps a file that the vault made. */
export type RecoveryFiles = {
  /** Resolves when it was read again from where it lies: only that counts. */
  store: (of: FileOf, text: string) => Promise<void>
  remove: (of: FileOf) => Promise<void>
}
export type FileOf = Pick<ShareContext, 'address' | 'generation'>

/** How the vault stores the recovery share where the server does not have it. */
export type RecoveryStorage = NonNullable<VaultInput<'create'>['recoveryStorage']>

export type RecoveryMethodPart = {
  /** The answer that the method needs from the user; a call without it is refused. */
  asks: readonly RecoveryInputName[]
  /** The vault's operations: their rows in `operationKinds` say which requests do them. A method without `set` is never set. */
  operations: {
    create: OperationKind
    import: OperationKind
    recover: OperationKind
    set?: OperationKind
  }
  storageFor?: (inputs: RecoveryInputs) => RecoveryStorage
  /** Opens the files of the user, for a method that stores one. */
  openFiles?: (ports: WalletPorts, call: StepCall, inputs: RecoveryInputs) => Promise<RecoveryFiles>
  /** Sends what it needs to get both shares, and has the vault make this device's from them. Answers the address. */
  recover: (
    ports: WalletPorts,
    call: StepCall,
    wanted: { address: string; inputs: RecoveryInputs },
  ) => Promise<string>
}
