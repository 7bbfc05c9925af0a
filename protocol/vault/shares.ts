/**
 * What a share is bound to, in whatever form it lies or travels.
 *
 * Shares travel by HPKE (base mode, DHKEM-P256, HKDF-SHA256, AES-256-GCM), one direction a string. Both ends bind
 * a share to what it is: the canonical text below is the associated data of the HPKE message and of every
 * ciphertext at rest, so a share of another app, user, wallet, kind, chain, generation, role or address does not
 * open. What is released to a vault is bound to the operation, step and purpose that it was asked for too, and to
 * the digest that it is to sign.
 */
import * as v from 'valibot'
import { base64url, id } from '../entities/primitives.ts'
import type { ChainType } from '../entities/wallets/chain-types.ts'
import { walletSizes } from '../limits/wallet-sizes.ts'
import { product } from '../names/product.ts'
import { type OperationStep, sealingKey } from './operations.ts'

export const shareRoles = ['device', 'auth', 'recovery'] as const
export type ShareRole = (typeof shareRoles)[number]

/** What was split: entropy from which keys are derived, or a key that was brought along. */
export const shareKinds = ['entropy', 'imported-key'] as const
export type ShareKind = (typeof shareKinds)[number]

/** Where each role's share lies on the line. Fixed, so a share that claims another place is refused. */
export const shareX = { device: 1, auth: 2, recovery: 3 } as const satisfies Record<ShareRole, number>

export const shareVersion = 1

/** Which wallet, and which of the secrets that it had: a change of recovery makes a new generation. */
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
  /** The address keeps its case, because base58 has one. */
  address: string
}

/** Fields in a fixed order, each with its length, so that no two lists of fields share a text. */
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
 * The context of what the server seals to a vault: it opens in the step that it was asked for and for its purpose,
 * and in no other; and what is for a signature, for that of this digest alone. The digest is null where nothing is
 * signed.
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
  /** Of a key that a host brought, down to the vault of the page that takes keys. */
  keyToVault: `${product.key}/imported-key/to-vault/1`,
  /** Of a key that the page took, from its vault to that of the wallet. */
  importedToVault: `${product.key}/imported-key/to-wallet-vault/1`,
} as const

/** Of a key that was brought along, sealed for one step of an operation. */
export const canonicalImportContext = (operation: OperationStep) =>
  canonical(['imported-key', operation.id, String(operation.step)])

export const sealedShareSchema = v.object({ v: v.literal(1), enc: base64url, ct: base64url })
export type SealedShare = v.InferOutput<typeof sealedShareSchema>

export const serverSealingKeySchema = v.object({ id, publicKey: sealingKey })
export type ServerSealingKey = v.InferOutput<typeof serverSealingKeySchema>

const roleCodes = { device: 1, auth: 2, recovery: 3 } as const satisfies Record<ShareRole, number>
const kindCodes = { entropy: 1, 'imported-key': 2 } as const satisfies Record<ShareKind, number>
const chainCodes = { ethereum: 1, solana: 2 } as const satisfies Record<ChainType, number>
/** How long the secret is, and so each share of it. */
export const secretBytes = {
  entropy: walletSizes.entropyBytes,
  'imported-key': walletSizes.importedKeyBytes,
} as const satisfies Record<ShareKind, number>

/** One share as bytes: a head that says what it is a share of, then its value. */
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
 *     v · kind · chain · role · x · length · generation (4 bytes) · length of wallet id · wallet id (ASCII)
 *
 * The value follows, `length` bytes. A share whose head is not this one is not the share that it should be.
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
