/**
 * Binds shares to their context.
 *
 * Shares are sealed with HPKE (base mode, DHKEM-P256, HKDF-SHA256, AES-256-GCM), with a separate info string per
 * direction. The canonical text below is the associated data of each HPKE message and of each ciphertext at rest. So a
 * share of another app, user, wallet, kind, chain, generation, role or address does not open. A share released to a
 * vault is also bound to the operation, step and purpose, and to the digest to sign.
 */
import * as v from 'valibot'
import { base64url, id } from '../entities/primitives.ts'
import type { ChainType } from '../entities/wallets/chain-types.ts'
import { walletSizes } from '../limits/wallet-sizes.ts'
import { product } from '../names/product.ts'
import { type OperationStep, sealingKey } from './operations.ts'

export const shareRoles = ['device', 'auth', 'recovery'] as const
export type ShareRole = (typeof shareRoles)[number]

/** The kind of the secret: entropy for key derivation, or an imported key. */
export const shareKinds = ['entropy', 'imported-key'] as const
export type ShareKind = (typeof shareKinds)[number]

/** The x coordinate of each role's share. Fixed, so a share with another coordinate is rejected. */
export const shareX = { device: 1, auth: 2, recovery: 3 } as const satisfies Record<ShareRole, number>

export const shareVersion = 1

/** A wallet and the generation of its secret. Each recovery change creates a new generation. */
export type WalletLine = {
  appId: string
  userId: string
  walletId: string
  kind: ShareKind
  chain: ChainType
  generation: number
}
export type ShareContext = WalletLine & {
  role: ShareRole
  /** The address keeps its case, which base58 depends on. */
  address: string
}

/** Encodes fields with their lengths in a fixed order, so that different lists never encode to the same bytes. */
export const canonical = (fields: readonly string[]): Uint8Array<ArrayBuffer> =>
  new TextEncoder().encode(fields.map((field) => `${field.length}:${field}`).join(''))

const contextFields = (context: ShareContext): readonly string[] => [
  String(shareVersion),
  context.appId,
  context.userId,
  context.walletId,
  context.kind,
  context.chain,
  String(context.generation),
  context.role,
  context.address,
]

export const canonicalShareContext = (context: ShareContext) => canonical(contextFields(context))

/**
 * Returns the context of a released share. The share only opens in its step, for its purpose and, for a signature, for
 * its digest. The digest is null if nothing is signed.
 */
export const canonicalReleaseContext = (
  context: ShareContext,
  { operation, purpose, digest }: ReleaseTarget,
) => canonical([...contextFields(context), purpose, operation.id, String(operation.step), digest ?? ''])

export type ReleaseTarget = {
  operation: OperationStep
  /** The purpose of the wallet token. */
  purpose: string
  digest: string | null
}

export const sealingInfo = {
  toVault: `${product.key}/share/to-vault/1`,
  toServer: `${product.key}/share/to-server/1`,
  /** An imported key from the host, sealed to the vault of the import page. */
  keyToVault: `${product.key}/imported-key/to-vault/1`,
  /** An imported key that the import page's vault sealed to the wallet's vault. */
  importedToVault: `${product.key}/imported-key/to-wallet-vault/1`,
} as const

/** Binds an imported key to one step of an operation. */
export const canonicalImportContext = (operation: OperationStep) =>
  canonical(['imported-key', operation.id, String(operation.step)])

export const sealedShareSchema = v.object({ v: v.literal(1), enc: base64url, ct: base64url })
export type SealedShare = v.InferOutput<typeof sealedShareSchema>

export const serverSealingKeySchema = v.object({ id, publicKey: sealingKey })
export type ServerSealingKey = v.InferOutput<typeof serverSealingKeySchema>

const roleCodes = { device: 1, auth: 2, recovery: 3 } as const satisfies Record<ShareRole, number>
const kindCodes = { entropy: 1, 'imported-key': 2 } as const satisfies Record<ShareKind, number>
const chainCodes = { ethereum: 1, solana: 2 } as const satisfies Record<ChainType, number>
/** Length of the secret, and of each of its shares. */
export const secretBytes = {
  entropy: walletSizes.entropyBytes,
  'imported-key': walletSizes.importedKeyBytes,
} as const satisfies Record<ShareKind, number>

/** Byte layout of a share: a header that identifies it, followed by its value. */
export const shareLayout = {
  version: { at: 0 },
  kind: { at: 1, codes: kindCodes },
  chain: { at: 2, codes: chainCodes },
  role: { at: 3, codes: roleCodes },
  x: { at: 4 },
  length: { at: 5 },
  /** Big-endian, four bytes. */
  generation: { at: 6 },
  walletIdLength: { at: 10 },
  walletId: { at: 11 },
} as const

export type ShareIdentity = Pick<ShareContext, 'walletId' | 'kind' | 'chain' | 'generation' | 'role'>

/**
 * Returns the header of a share:
 *
 *    v · kind · chain · role · x · length · generation (4 bytes) · length of wallet id · wallet id (ASCII)
 *
 * The value follows, `length` bytes. A share with another header is rejected.
 */
export function shareHead(share: ShareIdentity): Uint8Array<ArrayBuffer> {
  const walletId = new TextEncoder().encode(share.walletId)
  const head = new Uint8Array(shareLayout.walletId.at + walletId.length)
  head.set([
    shareVersion,
    kindCodes[share.kind],
    chainCodes[share.chain],
    roleCodes[share.role],
    shareX[share.role],
    secretBytes[share.kind],
  ])
  new DataView(head.buffer).setUint32(shareLayout.generation.at, share.generation)
  head[shareLayout.walletIdLength.at] = walletId.length
  head.set(walletId, shareLayout.walletId.at)
  return head
}
