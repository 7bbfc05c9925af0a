/**
 * The vault: the only place where a key exists, for the length of one call. Nothing is kept between calls but the
 * key pairs of operations that are open, and the device key of a login that was not answered yet.
 */
import { LatchkeyError } from '@latchkey/protocol'
import type { OwnRecovery } from '@latchkey/protocol/wallet'
import type { Clock } from '../clock.ts'
import type { vaultOutputs } from './contract.ts'
import { createDeviceKeys, signApproval, signProof, signStatement } from './device-keys.ts'
import { createDeviceStore, type DeviceDatabase, type DeviceOwner } from './device-store.ts'
import { newEntropy } from './entropy.ts'
import { farcasterSigner } from './farcaster-signer.ts'
import {
  type KeepRecovery,
  keptByFile,
  keptByPasskey,
  keptByPassword,
  keptByServer,
} from './kept-recovery.ts'
import { createOperations, type OperationKind, operationKinds, type SealedInputs } from './operations.ts'
import { vaultInputs } from './requests.ts'
import { type SecretBytes, withSecret } from './secret-bytes.ts'
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
  readonly openDatabase: (owner: DeviceOwner) => DeviceDatabase
  readonly clock: Clock
  readonly randomEntropy?: () => SecretBytes
}
export type Vault = Served

export function createVault({ openDatabase, clock, randomEntropy = newEntropy }: VaultPorts): Vault {
  const operations = createOperations<OperationKind>(operationKinds, clock)
  const devices = createDeviceKeys(openDatabase)
  const storeOf = ({ appId, userId }: DeviceOwner) => createDeviceStore(openDatabase({ appId, userId }))

  type Keep = Parsed<'reshare'>['keep']
  /** Runs `make` and adds the file that the user keeps, if there is one, to the answer. */
  async function keeping<Made extends { readonly file?: string }>(
    keep: Keep,
    { openPassword, openPasskey, storeKey }: SealedInputs,
    make: (keeper: KeepRecovery<OwnRecovery>) => Promise<Made>,
  ): Promise<Made> {
    switch (keep.method) {
      case 'user-passcode':
        return make(keptByPassword(() => openPassword(keep.password), storeKey))
      case 'passkey':
        return make(keptByPasskey(() => openPasskey(keep.secret), keep.credentialId, storeKey))
      case 'google-drive':
      case 'icloud': {
        let file: string | undefined
        const keeper = keptByFile(keep.method, (text) => {
          file = text
        })
        const made = await make(keeper)
        return { ...made, ...(file !== undefined && { file }) }
      }
      default:
        return keep satisfies never
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
      const { operation, brought, keep, line } = input
      const use = brought ? 'import' : 'create'
      const inputs = operations.inputsOf(operation, keep ? keepingKinds[use][keep.method] : use, 'create')
      const secret = () => (brought ? inputs.openImported(brought) : randomEntropy())
      const make = (keeper: KeepRecovery) =>
        withSecret(secret(), (bytes) => create(bytes, input, keeper, storeOf(line), signal))
      return keep ? keeping(keep, inputs, make) : make(keptByServer)
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
      return unlock(input, openPassword(input.password), storeKey)
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
      const { operation, wallet, keep } = input
      const inputs = operations.inputsOf(operation, keepingKinds.set[keep.method], 'reshare')
      return keeping(keep, inputs, (keeper) =>
        reshare(input, inputs.openReleased, keeper, storeOf(wallet), signal),
      )
    },
    confirm: (input) => {
      const { operation, wallet, recovery, file } = input
      const kind = keepingKinds.set[recovery.method]
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
const keepingKinds = {
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
