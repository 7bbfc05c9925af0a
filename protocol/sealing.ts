/**
 * How shares travel: HPKE (base mode, DHKEM-P256, HKDF-SHA256, AES-256-GCM), one direction a string.
 *
 * Both ends bind a share to what it is: the canonical text below is the associated data of the HPKE message
 * and of every ciphertext at rest, so a share of another app, user, wallet, generation or role does not open.
 */
import * as v from 'valibot'
import { base64url, evmAddress, id } from './entities/primitives.ts'
import { product } from './product.ts'

export const shareRoles = ['device', 'auth', 'recovery'] as const
export type ShareRole = (typeof shareRoles)[number]

/** Where each role's share lies on the line. Fixed, so a share that claims another place is refused. */
export const shareX = { device: 1, auth: 2, recovery: 3 } as const satisfies Record<ShareRole, number>

export const shareVersion = 1

export type ShareContext = {
  readonly appId: string
  readonly userId: string
  readonly walletId: string
  readonly generation: number
  readonly role: ShareRole
  readonly address: string
}

/** Fields in a fixed order, each with its length, so that no two contexts share a text. */
export function canonicalShareContext(context: ShareContext): Uint8Array<ArrayBuffer> {
  const fields = [
    String(shareVersion),
    context.appId,
    context.userId,
    context.walletId,
    String(context.generation),
    context.role,
    context.address.toLowerCase(),
  ]
  return new TextEncoder().encode(fields.map((field) => `${field.length}:${field}`).join(''))
}

export const sealingInfo = {
  toVault: `${product.key}/share/to-vault/1`,
  toServer: `${product.key}/share/to-server/1`,
} as const

export const sealedShareSchema = v.object({ v: v.literal(1), enc: base64url, ct: base64url })
export type SealedShare = v.InferOutput<typeof sealedShareSchema>

/** An uncompressed P-256 point: 65 bytes. */
export const sealingKey = v.pipe(base64url, v.length(87))
export const serverSealingKeySchema = v.object({ id, publicKey: sealingKey })
export type ServerSealingKey = v.InferOutput<typeof serverSealingKeySchema>

/** What a new wallet's key signs, so that nobody registers an address that is not theirs. */
export const walletProofText = (wallet: {
  readonly appId: string
  readonly userId: string
  readonly walletId: string
  readonly address: string
}) =>
  [
    `${product.name} wallet registration`,
    `app: ${wallet.appId}`,
    `user: ${wallet.userId}`,
    `wallet: ${wallet.walletId}`,
    `address: ${evmAddressText(wallet.address)}`,
  ].join('\n')

const evmAddressText = (address: string) => v.parse(evmAddress, address).toLowerCase()
