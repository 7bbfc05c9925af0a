/**
 * The vault: the only place where a key exists, for the length of one call. Nothing is kept between calls but the
 * key pairs of operations that are open.
 */
import type { OwnRecovery } from '@latchkey/protocol/wallet'
import type { Clock } from '../clock.ts'
import type { vaultOutputs } from './contract.ts'
import { createDeviceStore, type DeviceDatabase, type DeviceOwner } from './device-store.ts'
import { newEntropy } from './entropy.ts'
import { farcasterSigner } from './farcaster-signer.ts'
import { type KeepRecovery, keptByFile, keptByPassword, keptByServer } from './kept-recovery.ts'
import { createOperations, type OperationKind, operationKinds } from './operations.ts'
import { vaultInputs } from './requests.ts'
import { type SecretBytes, withSecret } from './secret-bytes.ts'
import { type Handlers, type Served, serveRequests } from './serve.ts'
import {
  adopt,
  byFile,
  byKey,
  confirm,
  create,
  type OpenRecovery,
  type Parsed,
  recover,
  recoverUnlocked,
  reshare,
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
  const storeOf = ({ appId, userId }: DeviceOwner) => createDeviceStore(openDatabase({ appId, userId }))

  type Keep = Parsed<'reshare'>['keep']
  /** What is made for the user to keep comes with the answer. */
  async function keeping<Made extends { readonly file?: string }>(
    keep: Keep,
    kind: 'create-with-password' | 'set-password',
    make: (keeper: KeepRecovery<OwnRecovery>) => Promise<Made>,
  ): Promise<Made> {
    if (keep.method !== 'user-passcode') {
      let file: string | undefined
      const keeper = keptByFile(keep.method, (text) => {
        file = text
      })
      const made = await make(keeper)
      return { ...made, ...(file !== undefined && { file }) }
    }
    const { operation, password } = keep
    const onKey = (key: CryptoKey) => {
      if (kind === 'set-password') operations.keep(operation, kind, key)
    }
    return make(keptByPassword(() => operations.takePassword(operation, kind)(password), onKey))
  }

  const handlers: Handlers<typeof vaultInputs, typeof vaultOutputs> = {
    begin: () => operations.begin(),
    end: ({ operationId }) => {
      operations.end(operationId)
      return {}
    },
    enter: ({ operation, kind }) => {
      operations.enter(operation, kind)
      return {}
    },
    create: (input, signal) => {
      const { keep, line } = input
      const make = (keeper: KeepRecovery) =>
        withSecret(randomEntropy(), (secret) => create(secret, input, keeper, storeOf(line), signal))
      return keep ? keeping(keep, 'create-with-password', make) : make(keptByServer)
    },
    adopt: (input) => adopt(input, storeOf(input.wallet)),
    recover: (input, signal) =>
      recover(input, () => operations.take(input.operation, 'recover'), storeOf(input.wallet), signal),
    unlock: (input) => {
      const { operation, password } = input
      const kind = 'recover-with-password'
      return unlock(input, operations.takePassword(operation, kind)(password), (key) =>
        operations.keep(operation, kind, key),
      )
    },
    recoverUnlocked: (input, signal) => {
      const { operation, wallet } = input
      const kind = 'recover-with-password'
      const key = operations.kept(operation, kind)
      return recoverUnlocked(input, key, () => operations.take(operation, kind), storeOf(wallet), signal)
    },
    reshare: (input, signal) => {
      const { operation, wallet, keep } = input
      const takeStep = () => operations.take(operation, settingKind[keep.method])
      return keeping(keep, 'set-password', (keeper) =>
        reshare(input, takeStep, keeper, storeOf(wallet), signal),
      )
    },
    confirm: (input) => {
      const { operation, wallet, recovery, file } = input
      const kind = settingKind[recovery.method]
      const takeStep = () => operations.take(operation, kind)
      const openRecovery: OpenRecovery =
        recovery.method === 'user-passcode'
          ? byKey(operations.kept(operation, kind), recovery.envelope, wallet)
          : byFile(file ?? '', recovery.envelope, wallet)
      return confirm(input, openRecovery, takeStep, storeOf(wallet))
    },
    sign: (input, signal) =>
      sign(input, () => operations.take(input.operation, 'sign'), storeOf(input.wallet), signal),
    farcasterSigner: (input, signal) => {
      const takeStep = () => operations.take(input.operation, 'farcaster')
      return farcasterSigner(input, takeStep, storeOf(input.wallet), signal)
    },
  }

  return serveRequests({ inputs: vaultInputs, handlers, openForMs: operations.openForMs })
}

/** The operation in which a recovery is set. */
const settingKind = {
  'user-passcode': 'set-password',
  'google-drive': 'set-file',
  icloud: 'set-file',
} as const satisfies Record<OwnRecovery['method'], OperationKind>
