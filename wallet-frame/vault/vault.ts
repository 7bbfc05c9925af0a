/**
 * The vault: the only place where a key exists, for the length of one call. Nothing is kept between calls but the
 * key pairs of operations that are open, and the device key of a login that was not answered yet.
 */
import { LatchkeyError } from '@latchkey/protocol'
import type { OwnRecovery } from '@latchkey/protocol/wallet'
import type { Clock } from '../clock.ts'
import type { vaultOutputs } from './contract.ts'
import { createDeviceKeys, signApproval, signProof, signStatement } from './device/keys.ts'
import { createDeviceStore, type DeviceDatabase, type DeviceOwner } from './device/store.ts'
import { farcasterSigner } from './farcaster-signer.ts'
import { newEntropy } from './keys/entropy.ts'
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
  storedByServer,
  storedUnderFile,
  storedUnderPasskey,
  storedUnderPassword,
} from './recovery/recovery-storage.ts'
import { vaultInputs } from './requests.ts'
import { type Handlers, type Served, serveRequests } from './serve.ts'
import {
  adopt,
  byFile,
  byKey,
  bySealed,
  confirm,
  create,
  type OpenRecovery,
  type Parsed,
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
export type Vault = Served

export function createVault({
  openDatabase,
  clock,
  randomEntropy = newEntropy,
  hashPassword,
}: VaultPorts): Vault {
  const operations = createOperations<OperationKind>(operationKinds, clock)
  const devices = createDeviceKeys(openDatabase)
  const storeOf = ({ appId, userId }: DeviceOwner) => createDeviceStore(openDatabase({ appId, userId }))

  type RecoveryStorage = Parsed<'reshare'>['recoveryStorage']
  /** Runs `make` and adds the file that the user keeps, if there is one, to the answer. */
  async function withRecoveryStorage<Created extends { file?: string }>(
    recoveryStorage: RecoveryStorage,
    { openPassword, openPasskey, storeKey }: SealedInputs,
    make: (storeRecovery: StoreRecovery<OwnRecovery>) => Promise<Created>,
  ): Promise<Created> {
    switch (recoveryStorage.method) {
      case 'user-passcode':
        return make(storedUnderPassword(() => openPassword(recoveryStorage.password), storeKey, hashPassword))
      case 'passkey':
        return make(
          storedUnderPasskey(
            () => openPasskey(recoveryStorage.secret),
            recoveryStorage.credentialId,
            storeKey,
          ),
        )
      case 'google-drive':
      case 'icloud': {
        let file: string | undefined
        const storeRecovery = storedUnderFile(recoveryStorage.method, (text) => {
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
      const vaultKey = operations.keyOf(operation.id)
      if ((userId === null) !== (purpose === 'login')) {
        throw new LatchkeyError('invalid_request_arguments', 'Of a login nobody knows the user yet')
      }
      const device =
        userId === null ? await devices.waitingFor(operation.id) : await devices.of({ appId, userId })
      return { statement: await signStatement(device, { ...stated, vaultKey }) }
    },
    async stateExport({ userId, vaultKey, ...stated }) {
      const { appId, operation } = stated
      // Its number is the operation's, which has to be open here.
      operations.keyOf(operation.id)
      const device = await devices.of({ appId, userId })
      return { statement: await signStatement(device, { ...stated, vaultKey }) }
    },
    fileDevice: async ({ operationId, appId, userId }) => {
      await devices.file(operationId, { appId, userId })
      return {}
    },
    approve: async ({ appId, userId, ...decided }) => ({
      statement: await signApproval(await devices.of({ appId, userId }), { appId, ...decided }),
    }),
    prove: async ({ appId, userId, ...call }) => ({
      proof: await signProof(await devices.of({ appId, userId }), call),
    }),
    enter: ({ operation, kind }) => operations.enter(operation, kind),
    create: (input, signal) => {
      const { operation, importedKey, recoveryStorage, line } = input
      const use = importedKey ? 'import' : 'create'
      const inputs = operations.inputsOf(
        operation,
        recoveryStorage ? recoveryOperationKinds[use][recoveryStorage.method] : use,
        'create',
      )
      const secret = () => (importedKey ? inputs.openImported(importedKey) : randomEntropy())
      const make = (storeRecovery: StoreRecovery) =>
        withSecret(secret(), (bytes) => create(bytes, input, storeRecovery, storeOf(line), signal))
      return recoveryStorage ? withRecoveryStorage(recoveryStorage, inputs, make) : make(storedByServer)
    },
    adopt: (input) => adopt(input, storeOf(input.wallet)),
    recover: (input, signal) => {
      const { openReleased } = operations.inputsOf(input.operation, 'recover', 'recover')
      return recover(input, openReleased, storeOf(input.wallet), signal)
    },
    unlock: (input) => {
      const { openPassword, storeKey } = operations.inputsOf(
        input.operation,
        'recover-with-password',
        'unlock',
      )
      return unlock(input, openPassword(input.password), storeKey, hashPassword)
    },
    recoverUnlocked: (input, signal) => {
      const inputs = operations.inputsOf(input.operation, 'recover-with-password', 'recoverUnlocked')
      return recoverUnlocked(input, inputs, storeOf(input.wallet), signal)
    },
    recoverByPasskey: (input, signal) => {
      const inputs = operations.inputsOf(input.operation, 'recover-with-passkey', 'recoverByPasskey')
      return recoverByPasskey(input, inputs, storeOf(input.wallet), signal)
    },
    reshare: (input, signal) => {
      const { operation, wallet, recoveryStorage } = input
      const inputs = operations.inputsOf(
        operation,
        recoveryOperationKinds.set[recoveryStorage.method],
        'reshare',
      )
      return withRecoveryStorage(recoveryStorage, inputs, (storeRecovery) =>
        reshare(input, inputs.openReleased, storeRecovery, storeOf(wallet), signal),
      )
    },
    confirm: (input) => {
      const { operation, wallet, recovery, file } = input
      const kind = recoveryOperationKinds.set[recovery.method]
      const { openReleased, storedKey } = operations.inputsOf(operation, kind, 'confirm')
      const openRecovery = (): OpenRecovery => {
        switch (recovery.method) {
          case 'user-passcode':
            return byKey(storedKey, recovery.envelope, wallet)
          case 'passkey':
            return bySealed(storedKey, recovery.envelope, wallet, openReleased)
          case 'google-drive':
          case 'icloud':
            return byFile(file ?? '', recovery.envelope, wallet, openReleased)
          default:
            return recovery satisfies never
        }
      }
      return confirm(input, openRecovery(), openReleased, storeOf(wallet))
    },
    sign: (input, signal) => {
      const { openReleased } = operations.inputsOf(input.operation, 'sign', 'sign')
      return sign(input, openReleased, storeOf(input.wallet), signal)
    },
    sealForExport: (input) => {
      operations.keyOf(input.operation.id)
      return sealForExport(input, storeOf(input.wallet))
    },
    farcasterSigner: (input, signal) => {
      const kind = input.hash === undefined ? 'farcaster-signer' : 'farcaster-sign'
      const { openReleased } = operations.inputsOf(input.operation, kind, 'farcasterSigner')
      return farcasterSigner(input, openReleased, storeOf(input.wallet), signal)
    },
  }

  const openForMs = () => Math.max(operations.openForMs(), devices.heldForMs())
  return serveRequests({ inputs: vaultInputs, handlers, openForMs })
}

/** The operation in which a recovery is chosen for a new wallet, of whatever secret, or set for one that is there. */
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
