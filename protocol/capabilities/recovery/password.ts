/**
 * Password recovery. In the vault, Argon2id derives 32 bytes from the password, and HKDF derives two keys. The
 * encryption key encrypts the recovery share and never leaves the vault. The access key proves to the server that the
 * user knows the password; the server compares an HMAC under a key outside the database. All are bound to one app,
 * user, wallet and generation.
 */
import * as v from 'valibot'
import { base64url } from '../../entities/primitives.ts'
import { product } from '../../names/product.ts'
import { sealedEnvelope } from '../../vault/envelope.ts'
import type { OperationStep } from '../../vault/operations.ts'
import { canonical, canonicalShareContext, type ShareContext } from '../../vault/shares.ts'
import { passwordLimits } from './limits.ts'

const { memoryKib, iterations, parallelism } = passwordLimits

/** Argon2id parameters, https://www.rfc-editor.org/rfc/rfc9106. Costs below the minimum are rejected. */
export const passwordParamsSchema = v.strictObject({
  /** 16 random bytes. */
  salt: v.pipe(base64url, v.length(22)),
  memoryKib: v.pipe(v.number(), v.safeInteger(), v.minValue(memoryKib.least), v.maxValue(memoryKib.most)),
  iterations: v.pipe(v.number(), v.safeInteger(), v.minValue(iterations.least), v.maxValue(iterations.most)),
  parallelism: v.pipe(
    v.number(),
    v.safeInteger(),
    v.minValue(parallelism.least),
    v.maxValue(parallelism.most),
  ),
})
export type PasswordParams = v.InferOutput<typeof passwordParamsSchema>

/** A recovery share encrypted with a key that is derived from the password. */
export const passwordEnvelopeSchema = v.strictObject({
  ...sealedEnvelope,
  kdf: v.literal('argon2id'),
  params: passwordParamsSchema,
})
export type PasswordEnvelope = v.InferOutput<typeof passwordEnvelopeSchema>

export const recoveryInfo = {
  passwordToVault: `${product.key}/recovery-password/to-vault/1`,
  accessToServer: `${product.key}/recovery-access/to-server/1`,
} as const

/** Binds a password to one step of one operation. */
export const canonicalPasswordContext = (operation: OperationStep) =>
  canonical(['password', operation.id, String(operation.step)])

/** The Argon2id salt. It is bound to the wallet, so it cannot be reused for another one. */
export const canonicalSalt = (
  { appId, userId, walletId }: ShareContext,
  { salt }: Pick<PasswordParams, 'salt'>,
) => canonical([`${product.key}/recovery-salt/1`, appId, userId, walletId, salt])

export const passwordKeyInfo = (key: 'encryption' | 'access', context: ShareContext) =>
  canonical([`${product.key}/recovery-${key}/1`, new TextDecoder().decode(canonicalShareContext(context))])
