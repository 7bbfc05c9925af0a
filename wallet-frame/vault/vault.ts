/**
 * The vault: the only place where a key exists, for the length of one call. Nothing is kept between calls but the
 * key pairs of operations that are open.
 */
import { LatchkeyError, toLatchkeyError } from '@latchkey/protocol'
import type { OwnRecovery } from '@latchkey/protocol/wallet'
import * as v from 'valibot'
import type { Clock } from '../clock.ts'
import type { VaultAnswer, VaultOutput } from './contract.ts'
import { createDeviceStore, type DeviceDatabase, type DeviceOwner } from './device-store.ts'
import { newEntropy } from './entropy.ts'
import { type KeepRecovery, keptByFile, keptByPassword, keptByServer } from './kept-recovery.ts'
import { createOperations, type OperationKind, operationKinds } from './operations.ts'
import { type VaultRequest, vaultCallSchema, vaultInputs } from './requests.ts'
import { type SecretBytes, withSecret } from './secret-bytes.ts'
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
type Handlers = {
  readonly [Name in VaultRequest]: (
    input: Parsed<Name>,
    signal: AbortSignal,
  ) => VaultOutput<Name> | Promise<VaultOutput<Name>>
}

export type Vault = { readonly call: (request: unknown) => Promise<VaultAnswer> }

export function createVault({ openDatabase, clock, randomEntropy = newEntropy }: VaultPorts): Vault {
  const operations = createOperations<OperationKind>(operationKinds, clock)
  const running = new Map<string, AbortController>()
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

  const handlers: Handlers = {
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
    stop: ({ call }) => {
      running.get(call)?.abort(new LatchkeyError('call_cancelled', 'Nobody waits for this call any more'))
      return {}
    },
  }

  async function run(request: unknown): Promise<unknown> {
    const { id, name, input } = parse(vaultCallSchema, request)
    const controller = new AbortController()
    running.set(id, controller)
    try {
      return await handle(handlers, name, input, controller.signal)
    } finally {
      running.delete(id)
    }
  }

  return {
    call: async (request) => {
      try {
        const value = await run(request)
        return { ok: true, openForMs: operations.openForMs(), value }
      } catch (error) {
        return { ok: false, openForMs: operations.openForMs(), error: toPlainError(error) }
      }
    },
  }
}

/** The operation in which a recovery is set. */
const settingKind = {
  'user-passcode': 'set-password',
  'google-drive': 'set-file',
  icloud: 'set-file',
} as const satisfies Record<OwnRecovery['method'], OperationKind>

const handle = <Name extends VaultRequest>(
  handlers: Handlers,
  name: Name,
  input: unknown,
  signal: AbortSignal,
) => handlers[name](parse(vaultInputs[name], input) as Parsed<Name>, signal)

function parse<const Schema extends v.GenericSchema>(schema: Schema, value: unknown): v.InferOutput<Schema> {
  const parsed = v.safeParse(schema, value)
  if (parsed.success) return parsed.output
  const path = v.getDotPath(parsed.issues[0]) ?? ''
  throw new LatchkeyError('invalid_request_arguments', 'The vault refused the request', {
    details: { reason: path },
  })
}

/** Only a code, a sentence of ours and a reason leave: never a cause, a stack or a value. */
function toPlainError(error: unknown): Extract<VaultAnswer, { ok: false }>['error'] {
  const { code, message, details } = toLatchkeyError(error, 'error', 'The vault could not do this')
  const reason = v.safeParse(v.object({ reason: v.string() }), details)
  return { code, message, ...(reason.success && { details: { reason: reason.output.reason } }) }
}
