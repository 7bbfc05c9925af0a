/**
 * The vault: the only place where a key exists, for the duration of one call. Between calls it holds only the key
 * pairs of open operations, and two kinds of device keys: those of logins that the server has not answered yet, and
 * those that the browser could not store.
 */
import { LatchkeyError } from '@latchkey/protocol'
import { confirmedPurposes, type OwnRecovery } from '@latchkey/protocol/wallet'
import type { Clock } from '../clock.ts'
import type { vaultOutputs } from './contract.ts'
import { createDeviceKeys, signApproval, signProof, signStatement } from './device/keys.ts'
import { createDeviceStore, type DeviceDatabase, type DeviceOwner } from './device/store.ts'
import { useFarcasterSigner } from './farcaster-signer.ts'
import { generateEntropy } from './keys/entropy.ts'
import { type SecretBytes, withSecret } from './keys/secret-bytes.ts'
import {
  createOperations,
  type OperationKind,
  operationKinds,
  type SealedInputs,
} from './operations/operations.ts'
import type { PasswordHash } from './recovery/password.ts'
import {
  type StoreRecovery,
  storeOnServer,
  storeUnderFile,
  storeUnderPasskey,
  storeUnderPassword,
} from './recovery/recovery-storage.ts'
import { vaultInputs } from './requests.ts'
import { type Handlers, serveRequests, type VaultServer } from './serve.ts'
import {
  adopt,
  confirm,
  create,
  type OpenRecovery,
  openSealedWithKey,
  openWithFile,
  openWithKey,
  type Parsed,
  proveSolanaAddress,
  recover,
  recoverByPasskey,
  recoverUnlocked,
  reshare,
  sealForExport,
  sign,
  unlock,
} from './wallet.ts'

export type VaultPorts = {
  openDatabase: (owner: DeviceOwner) => DeviceDatabase
  clock: Clock
  randomEntropy?: () => SecretBytes
  hashPassword?: PasswordHash
}
export type Vault = VaultServer

export function createVault({
  openDatabase,
  clock,
  randomEntropy = generateEntropy,
  hashPassword,
}: VaultPorts): Vault {
  const operations = createOperations<OperationKind>(operationKinds, clock)
  const devices = createDeviceKeys(openDatabase)
  const openStore = ({ appId, userId }: DeviceOwner) => createDeviceStore(openDatabase({ appId, userId }))

  type RecoveryStorage = Parsed<'reshare'>['recoveryStorage']
  /** Calls `make` with the storage method, and adds the recovery file, if there is one, to the output. */
  async function withRecoveryStorage<Created extends { file?: string }>(
    recoveryStorage: RecoveryStorage,
    { openPassword, openPasskey, storeKey }: SealedInputs,
    make: (storeRecovery: StoreRecovery<OwnRecovery>) => Promise<Created>,
  ): Promise<Created> {
    switch (recoveryStorage.method) {
      case 'user-passcode':
        return make(storeUnderPassword(() => openPassword(recoveryStorage.password), storeKey, hashPassword))
      case 'passkey':
        return make(
          storeUnderPasskey(
            () => openPasskey(recoveryStorage.secret),
            recoveryStorage.credentialId,
            storeKey,
          ),
        )
      case 'google-drive':
      case 'icloud': {
        let file: string | undefined
        const storeRecovery = storeUnderFile(recoveryStorage.method, (text) => {
          file = text
        })
        const created = await make(storeRecovery)
        return { ...created, ...(file !== undefined && { file }) }
      }
      default:
        return recoveryStorage satisfies never
    }
  }

  const handlers: Handlers<typeof vaultInputs, typeof vaultOutputs> = {
    begin: () => operations.begin(),
    end: ({ operationId }) => {
      operations.end(operationId)
      devices.forget(operationId)
      return {}
    },
    async state({ userId, ...stated }) {
      const { appId, operation, purpose } = stated
      const vaultKey = operations.getPublicKey(operation.id)
      if ((userId === null) !== (purpose === 'login')) {
        throw new LatchkeyError('invalid_request_arguments', 'Only a statement for a login has no user')
      }
      const device =
        userId === null ? await devices.getPendingKey(operation.id) : await devices.getKey({ appId, userId })
      return { statement: await signStatement(device, { ...stated, vaultKey }) }
    },
    async stateExport({ userId, vaultKey, ...stated }) {
      const { appId, operation } = stated
      // The stated operation must be open in this vault.
      operations.getPublicKey(operation.id)
      const device = await devices.getKey({ appId, userId })
      return { statement: await signStatement(device, { ...stated, vaultKey }) }
    },
    fileDevice: async ({ operationId, appId, userId }) => {
      await devices.file(operationId, { appId, userId })
      return {}
    },
    approve: async ({ appId, userId, ...decided }) => ({
      statement: await signApproval(await devices.getKey({ appId, userId }), { appId, ...decided }),
    }),
    prove: async ({ appId, userId, ...call }) => ({
      proof: await signProof(await devices.getKey({ appId, userId }), call),
    }),
    enter: ({ operation, kind }) => operations.enter(operation, kind),
    create: (input, signal) => {
      const { operation, importedKey, recoveryStorage, line } = input
      const use = importedKey ? 'import' : 'create'
      const inputs = operations.getInputs(
        operation,
        recoveryStorage ? recoveryOperationKinds[use][recoveryStorage.method] : use,
        'create',
      )
      const secret = () => (importedKey ? inputs.openImported(importedKey) : randomEntropy())
      const make = (storeRecovery: StoreRecovery) =>
        withSecret(secret(), (bytes) => create(bytes, input, storeRecovery, openStore(line), signal))
      return recoveryStorage ? withRecoveryStorage(recoveryStorage, inputs, make) : make(storeOnServer)
    },
    adopt: (input) => adopt(input, openStore(input.wallet)),
    recover: (input, signal) => {
      const { openReleased } = operations.getInputs(input.operation, 'recover', 'recover')
      return recover(input, openReleased, openStore(input.wallet), signal)
    },
    unlock: (input) => {
      const { openPassword, storeKey } = operations.getInputs(
        input.operation,
        'recover-with-password',
        'unlock',
      )
      return unlock(input, openPassword(input.password), storeKey, hashPassword)
    },
    recoverUnlocked: (input, signal) => {
      const inputs = operations.getInputs(input.operation, 'recover-with-password', 'recoverUnlocked')
      return recoverUnlocked(input, inputs, openStore(input.wallet), signal)
    },
    recoverByPasskey: (input, signal) => {
      const inputs = operations.getInputs(input.operation, 'recover-with-passkey', 'recoverByPasskey')
      return recoverByPasskey(input, inputs, openStore(input.wallet), signal)
    },
    reshare: (input, signal) => {
      const { operation, wallet, recoveryStorage } = input
      const inputs = operations.getInputs(
        operation,
        recoveryOperationKinds.set[recoveryStorage.method],
        'reshare',
      )
      return withRecoveryStorage(recoveryStorage, inputs, (storeRecovery) =>
        reshare(input, inputs.openReleased, storeRecovery, openStore(wallet), signal),
      )
    },
    confirm: (input) => {
      const { operation, wallet, recovery, file } = input
      const kind = recoveryOperationKinds.set[recovery.method]
      const { openReleased, storedKey } = operations.getInputs(operation, kind, 'confirm')
      const openRecovery = (): OpenRecovery => {
        switch (recovery.method) {
          case 'user-passcode':
            return openWithKey(storedKey, recovery.envelope, wallet)
          case 'passkey':
            return openSealedWithKey(storedKey, recovery.envelope, wallet, openReleased)
          case 'google-drive':
          case 'icloud':
            return openWithFile(file ?? '', recovery.envelope, wallet, openReleased)
          default:
            return recovery satisfies never
        }
      }
      return confirm(input, openRecovery(), openReleased, openStore(wallet))
    },
    sign: (input, signal) => {
      // A share that was released to sign a message or a transaction opens for no change of the delegate.
      const kind = confirmedPurposes[input.request.method]
      const { openReleased } = operations.getInputs(input.operation, kind, 'sign')
      return sign(input, openReleased, openStore(input.wallet), signal)
    },
    proveSolanaAddress: (input, signal) => {
      const kind = 'solana-address'
      const { openReleased } = operations.getInputs(input.operation, kind, 'proveSolanaAddress')
      return proveSolanaAddress(input, openReleased, openStore(input.wallet), signal)
    },
    sealForExport: (input) => {
      operations.getPublicKey(input.operation.id)
      return sealForExport(input, openStore(input.wallet))
    },
    farcasterSigner: (input, signal) => {
      const kind = input.hash === undefined ? 'farcaster-signer' : 'farcaster-sign'
      const { openReleased } = operations.getInputs(input.operation, kind, 'farcasterSigner')
      return useFarcasterSigner(input, openReleased, openStore(input.wallet), signal)
    },
  }

  const openForMs = () => Math.max(operations.openForMs(), devices.openForMs())
  return serveRequests({ inputs: vaultInputs, handlers, openForMs })
}

/**
 * The operation kind by recovery method: for a new wallet, an imported key, or a change of an existing
 * wallet.
 */
const recoveryOperationKinds = {
  create: {
    'user-passcode': 'create-with-password',
    passkey: 'create-with-passkey',
    'google-drive': 'create',
    icloud: 'create',
  },
  import: {
    'user-passcode': 'import-with-password',
    passkey: 'import-with-passkey',
    'google-drive': 'import',
    icloud: 'import',
  },
  set: {
    'user-passcode': 'set-password',
    passkey: 'set-passkey',
    'google-drive': 'set-file',
    icloud: 'set-file',
  },
} as const satisfies Record<'create' | 'import' | 'set', Record<OwnRecovery['method'], OperationKind>>
