/**
 * A password opens nothing by itself at the server: Argon2id makes 32 bytes of it in the vault, and HKDF makes two
 * keys of those. One encrypts the recovery share, and never leaves the vault; the other one shows to the server
 * that somebody knows the password, and is compared by an HMAC under a key that is in no database. All three are
 * bound to one app, user, wallet and generation.
 */
import * as v from 'valibot'
import { base64url } from '../../entities/primitives.ts'
import { product } from '../../names/product.ts'
import { sealedEnvelope } from '../../vault/envelope.ts'
import type { OperationStep } from '../../vault/operations.ts'
import { canonical, canonicalShareContext, type ShareContext } from '../../vault/shares.ts'
import { passwordLimits } from './limits.ts'

const { memoryKib, iterations, parallelism } = passwordLimits

/** Argon2id, https://www.rfc-editor.org/rfc/rfc9106. Costs below the floor are no parameters. */
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

/** A recovery share under what only the user knows. */
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

/** A password that was given for one step of one operation opens in no other. */
export const canonicalPasswordContext = (operation: OperationStep) =>
  canonical(['password', operation.id, String(operation.step)])

/** What Argon2id salts with: the salt of one wallet is of no use for another. */
export const canonicalSalt = (
  { appId, userId, walletId }: ShareContext,
  { salt }: Pick<PasswordParams, 'salt'>,
) => canonical([`${product.key}/recovery-salt/1`, appId, userId, walletId, salt])

export const passwordKeyInfo = (key: 'encryption' | 'access', context: ShareContext) =>
  canonical([`${product.key}/recovery-${key}/1`, new TextDecoder().decode(canonicalShareContext(context))])
