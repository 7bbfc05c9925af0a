/**
 * The vault: the only place where a key exists, for the length of one call. Nothing is kept between calls but the
 * key pairs of operations that are open.
 */
import type { Clock } from '../clock.ts'
import type { vaultOutputs } from './contract.ts'
import { createDeviceStore, type DeviceDatabase, type DeviceOwner } from './device-store.ts'
import { newEntropy } from './entropy.ts'
import { keptByPassword, keptByServer } from './kept-recovery.ts'
import { createOperations, type OperationKind, operationKinds } from './operations.ts'
import { vaultInputs } from './requests.ts'
import { type SecretBytes, withSecret } from './secret-bytes.ts'
import { type Handlers, type Served, serveRequests } from './serve.ts'
import {
  adopt,
  confirm,
  create,
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

  const withPassword = (
    { operation, password }: Parsed<'reshare'>['keep'],
    kind: 'create-with-password' | 'set-password',
  ) =>
    keptByPassword(
      () => operations.takePassword(operation, kind)(password),
      (key) => {
        if (kind === 'set-password') operations.keep(operation, kind, key)
      },
    )

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
      const keeper = keep ? withPassword(keep, 'create-with-password') : keptByServer
      return withSecret(randomEntropy(), (secret) => create(secret, input, keeper, storeOf(line), signal))
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
      const keeper = withPassword(keep, 'set-password')
      const takeStep = () => operations.take(operation, 'set-password')
      return reshare(input, takeStep, keeper, storeOf(wallet), signal)
    },
    confirm: (input) => {
      const { operation, wallet } = input
      const kind = 'set-password'
      const key = operations.kept(operation, kind)
      return confirm(input, key, () => operations.take(operation, kind), storeOf(wallet))
    },
    sign: (input, signal) =>
      sign(input, () => operations.take(input.operation, 'sign'), storeOf(input.wallet), signal),
  }

  return serveRequests({ inputs: vaultInputs, handlers, openForMs: operations.openForMs })
}
