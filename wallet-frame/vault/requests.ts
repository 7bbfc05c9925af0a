/** What the vault hears: the requests of the page, parsed by the vault. */
import { appId, evmAddress, id } from '@latchkey/protocol'
import {
  chainTypes,
  operationStepSchema,
  sealedShareSchema,
  serverSealingKeySchema,
  shareKinds,
} from '@latchkey/protocol/wallet'
import * as v from 'valibot'
import { type OperationKind, operationKinds } from './operations.ts'
import { signRequestSchema } from './signing/index.ts'

/** Which wallet of whom, and which of the secrets that it had. */
const line = v.strictObject({
  appId,
  userId: id,
  walletId: id,
  kind: v.picklist(shareKinds),
  chain: v.picklist(chainTypes),
  generation: v.pipe(v.number(), v.safeInteger(), v.minValue(1)),
})
const wallet = v.strictObject({ ...line.entries, address: evmAddress })
const kinds = Object.keys(operationKinds) as [OperationKind, ...OperationKind[]]
const callId = v.pipe(v.string(), v.minLength(1), v.maxLength(64))

export const vaultInputs = {
  /** Makes the key pair of an operation. */
  begin: v.strictObject({}),
  end: v.strictObject({ operationId: id }),
  /** Asked before the server is: whether this step may be done. */
  enter: v.strictObject({ operation: operationStepSchema, kind: v.picklist(kinds) }),
  create: v.strictObject({ line, serverKey: serverSealingKeySchema }),
  /** Takes up this device's share of a wallet that the server has. */
  adopt: v.strictObject({ wallet }),
  recover: v.strictObject({
    wallet,
    operation: operationStepSchema,
    auth: sealedShareSchema,
    recovery: sealedShareSchema,
  }),
  sign: v.strictObject({
    wallet,
    operation: operationStepSchema,
    auth: sealedShareSchema,
    request: signRequestSchema,
  }),
  /** Nobody waits for this call any more. */
  stop: v.strictObject({ call: callId }),
} as const
export type VaultInputs = typeof vaultInputs
export type VaultRequest = keyof VaultInputs

const names = Object.keys(vaultInputs) as [VaultRequest, ...VaultRequest[]]
export const vaultCallSchema = v.strictObject({ id: callId, name: v.picklist(names), input: v.unknown() })
