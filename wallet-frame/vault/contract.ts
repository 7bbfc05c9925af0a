/** What the page may ask of the vault, and what comes back. Parsed on both sides of the worker's edge. */
import {
  appId,
  base64url,
  evmAddress,
  hex,
  id,
  sealedShareSchema,
  sealingKey,
  serverSealingKeySchema,
} from '@latchkey/protocol'
import { personalSignParamsSchema } from '@latchkey/protocol/wallet'
import * as v from 'valibot'

const owner = { appId, userId: id }
const wallet = {
  ...owner,
  walletId: id,
  generation: v.pipe(v.number(), v.safeInteger(), v.minValue(1)),
}
/** Shares are sealed to one vault key. A call says which, so that a vault that began anew is told from a forgery. */
const sealedTo = { vaultKey: sealingKey }

export const vaultContract = {
  publicKey: {
    input: v.strictObject({}),
    output: v.object({ publicKey: base64url }),
  },
  create: {
    input: v.strictObject({ ...wallet, serverKey: serverSealingKeySchema }),
    output: v.object({
      address: evmAddress,
      auth: sealedShareSchema,
      recovery: sealedShareSchema,
      proof: hex,
    }),
  },
  promote: {
    input: v.strictObject({ ...owner, address: evmAddress }),
    output: v.object({ address: evmAddress }),
  },
  connect: {
    input: v.strictObject({ ...wallet, address: evmAddress }),
    output: v.object({ address: evmAddress }),
  },
  recover: {
    input: v.strictObject({
      ...wallet,
      ...sealedTo,
      address: evmAddress,
      auth: sealedShareSchema,
      recovery: sealedShareSchema,
    }),
    output: v.object({ address: evmAddress }),
  },
  sign: {
    input: v.strictObject({
      ...wallet,
      ...sealedTo,
      address: evmAddress,
      auth: sealedShareSchema,
      request: v.variant('method', [
        v.strictObject({ method: v.literal('personal_sign'), params: personalSignParamsSchema }),
      ]),
    }),
    output: v.object({ address: evmAddress, data: hex }),
  },
} as const

export type VaultContract = typeof vaultContract
export type VaultOperation = keyof VaultContract
export type VaultInput<Name extends VaultOperation> = v.InferInput<VaultContract[Name]['input']>
export type VaultOutput<Name extends VaultOperation> = v.InferOutput<VaultContract[Name]['output']>

export const vaultRequestSchema = v.strictObject({
  operation: v.picklist(['publicKey', 'create', 'promote', 'connect', 'recover', 'sign']),
  input: v.unknown(),
})

/** A plain value: an error that is thrown across the edge would lose its code and carry its stack. */
export const vaultAnswerSchema = v.variant('ok', [
  v.strictObject({ ok: v.literal(true), value: v.unknown() }),
  v.strictObject({
    ok: v.literal(false),
    error: v.strictObject({
      code: v.string(),
      message: v.string(),
      details: v.exactOptional(v.strictObject({ reason: v.string() })),
    }),
  }),
])
export type VaultAnswer = v.InferOutput<typeof vaultAnswerSchema>
