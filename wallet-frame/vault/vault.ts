/**
 * The vault: the only place where a key exists, for the length of one call. Nothing is kept between calls but the
 * key pairs of operations that are open.
 */
import { LatchkeyError, toLatchkeyError } from '@latchkey/protocol'
import * as v from 'valibot'
import type { Clock } from '../clock.ts'
import type { VaultAnswer, VaultOutput } from './contract.ts'
import { createDeviceStore, type DeviceDatabase, type DeviceOwner } from './device-store.ts'
import { newEntropy } from './entropy.ts'
import { keptByPassword, keptByServer } from './kept-recovery.ts'
import { createOperations, type OperationKind, operationKinds } from './operations.ts'
import { type VaultRequest, vaultCallSchema, vaultInputs } from './requests.ts'
import { type SecretBytes, withSecret } from './secret-bytes.ts'
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
