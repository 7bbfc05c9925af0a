/**
 * Schemas of the vault's responses, which the page parses. The only file of `vault/` that the page imports.
 */
import { hex, id, solanaAddress, solanaSignature, text, walletAddress } from '@latchkey/protocol'
import {
  farcasterSignature,
  ownRecoverySchema,
  sealedShareSchema,
  sealingKey,
  storedRecoveryShareSchema,
} from '@latchkey/protocol/wallet'
import * as v from 'valibot'
import type { VaultInputs, VaultRequest } from './requests.ts'

export type { OperationKind } from './operations/operations.ts'
export type { VaultInputs, VaultRequest } from './requests.ts'

const nothing = v.strictObject({})
/** The recovery file that the user stores, if the recovery method has one. */
const file = v.exactOptional(text)
const addressed = v.strictObject({ address: walletAddress })

export const vaultOutputs = {
  begin: v.strictObject({ operationId: id, publicKey: sealingKey }),
  end: nothing,
  state: v.strictObject({ statement: text }),
  stateExport: v.strictObject({ statement: text }),
  fileDevice: nothing,
  approve: v.strictObject({ statement: text }),
  prove: v.strictObject({ proof: text }),
  enter: v.strictObject({ publicKey: sealingKey }),
  create: v.strictObject({
    address: walletAddress,
    auth: sealedShareSchema,
    recovery: storedRecoveryShareSchema,
    proof: hex,
    file,
  }),
  adopt: addressed,
  recover: addressed,
  unlock: v.strictObject({ access: sealedShareSchema }),
  recoverUnlocked: addressed,
  recoverByPasskey: addressed,
  reshare: v.strictObject({ auth: sealedShareSchema, recovery: ownRecoverySchema, proof: hex, file }),
  confirm: nothing,
  sign: v.strictObject({ address: walletAddress, data: v.union([hex, solanaSignature]) }),
  proveSolanaAddress: v.strictObject({ solanaAddress, proof: hex, solanaProof: hex }),
  sealForExport: v.strictObject({ device: sealedShareSchema }),
  farcasterSigner: v.strictObject({
    publicKey: hex,
    signature: v.exactOptional(farcasterSignature),
  }),
  stop: nothing,
} as const satisfies { [Name in VaultRequest]: v.GenericSchema }

export type VaultInput<Name extends VaultRequest> = v.InferInput<VaultInputs[Name]>
export type VaultOutput<Name extends VaultRequest> = v.InferOutput<(typeof vaultOutputs)[Name]>

/**
 * The response to a call. A plain value, because an error thrown across the worker boundary would lose its
 * code and carry its stack. `openForMs` bounds how long an operation may still be open, so that the page
 * knows when the vault is idle.
 */
export const vaultAnswerSchema = v.variant('ok', [
  v.strictObject({ ok: v.literal(true), openForMs: v.number(), value: v.unknown() }),
  v.strictObject({
    ok: v.literal(false),
    openForMs: v.number(),
    error: v.strictObject({
      code: v.string(),
      message: v.string(),
      details: v.exactOptional(v.strictObject({ reason: v.string() })),
    }),
  }),
])
export type VaultAnswer = v.InferOutput<typeof vaultAnswerSchema>
