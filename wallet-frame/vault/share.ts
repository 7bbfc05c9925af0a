/**
 * One Shamir share, wrapped in what it is a share of.
 *
 * The sharing library combines tampered, short and foreign shares without a word, and takes a share at x = 0
 * for the secret itself. So a share is never handled bare: it says its version, wallet, generation, role and
 * place, and whoever opens it says which ones it must be.
 *
 *   v · role · x · len · generation (4 bytes) · length of wallet id · wallet id (ASCII) · y (len bytes)
 */
import {
  id,
  LatchkeyError,
  type ShareContext,
  type ShareRole,
  shareRoles,
  shareVersion,
  shareX,
  walletLimits,
} from '@latchkey/protocol'
import * as v from 'valibot'
import type { SecretBytes } from './secret-bytes.ts'

export type ShareIdentity = Pick<ShareContext, 'walletId' | 'generation' | 'role'>
export type Share = ShareIdentity & { readonly y: SecretBytes }

/** Why a share was refused. A closed set: `details.reason` of the error is one of these. */
export const shareRefusals = {
  empty: 'share_malformed',
  too_short: 'share_malformed',
  too_long: 'share_malformed',
  unknown_version: 'share_unknown_version',
  unknown_role: 'share_malformed',
  x_is_zero: 'share_malformed',
  x_not_of_role: 'share_malformed',
  wrong_length: 'share_malformed',
  bad_generation: 'share_malformed',
  bad_wallet_id: 'share_malformed',
  wrong_wallet: 'share_mismatch',
  wrong_generation: 'share_mismatch',
  wrong_role: 'share_mismatch',
  same_share_twice: 'share_mismatch',
  wrong_address: 'share_mismatch',
} as const
export type ShareRefusal = keyof typeof shareRefusals

export const refuseShare = (reason: ShareRefusal): LatchkeyError =>
  new LatchkeyError(shareRefusals[reason], refusalTexts[shareRefusals[reason]], { details: { reason } })

const refusalTexts = {
  share_malformed: 'A share of this wallet is damaged',
  share_mismatch: 'A share does not belong to this wallet',
  share_unknown_version: 'A share of this wallet was written by a newer version',
} as const

const ROLE_CODES = { device: 1, auth: 2, recovery: 3 } as const satisfies Record<ShareRole, number>
const HEADER_BYTES = 9
const MAX_GENERATION = 0xffff_ffff

const generationSchema = v.pipe(v.number(), v.safeInteger(), v.minValue(1), v.maxValue(MAX_GENERATION))
const walletIdSchema = id

export function encodeShare(share: Share): SecretBytes {
  const walletId = new TextEncoder().encode(v.parse(walletIdSchema, share.walletId))
  const generation = v.parse(generationSchema, share.generation)
  if (share.y.length !== walletLimits.entropyBytes) throw refuseShare('wrong_length')
  const bytes = new Uint8Array(HEADER_BYTES + walletId.length + share.y.length)
  bytes.set([shareVersion, ROLE_CODES[share.role], shareX[share.role], share.y.length])
  new DataView(bytes.buffer).setUint32(4, generation)
  bytes[8] = walletId.length
  bytes.set(walletId, HEADER_BYTES)
  bytes.set(share.y, HEADER_BYTES + walletId.length)
  return bytes
}

/** The version is looked at first: what a newer version wrote is not damaged, it is only not for us. */
export function decodeShare(bytes: Uint8Array, expected: ShareIdentity): Share {
  const [version, roleCode, x, length] = bytes
  if (version === undefined) throw refuseShare('empty')
  if (version !== shareVersion) throw refuseShare('unknown_version')
  if (roleCode === undefined || x === undefined || length === undefined || bytes.length < HEADER_BYTES) {
    throw refuseShare('too_short')
  }
  const role = shareRoles.find((candidate) => ROLE_CODES[candidate] === roleCode)
  if (role === undefined) throw refuseShare('unknown_role')
  if (x === 0) throw refuseShare('x_is_zero')
  if (x !== shareX[role]) throw refuseShare('x_not_of_role')
  if (length !== walletLimits.entropyBytes) throw refuseShare('wrong_length')

  const idLength = bytes[8] ?? 0
  const whole = HEADER_BYTES + idLength + length
  if (bytes.length < whole) throw refuseShare('too_short')
  if (bytes.length > whole) throw refuseShare('too_long')
  const generation = v.safeParse(generationSchema, new DataView(bytes.buffer, bytes.byteOffset).getUint32(4))
  if (!generation.success) throw refuseShare('bad_generation')
  const walletId = v.safeParse(walletIdSchema, ascii(bytes.subarray(HEADER_BYTES, HEADER_BYTES + idLength)))
  if (!walletId.success) throw refuseShare('bad_wallet_id')

  if (walletId.output !== expected.walletId) throw refuseShare('wrong_wallet')
  if (generation.output !== expected.generation) throw refuseShare('wrong_generation')
  if (role !== expected.role) throw refuseShare('wrong_role')
  return { walletId: walletId.output, generation: generation.output, role, y: bytes.slice(whole - length) }
}

/** One character a byte, so that two different byte strings never read as the same id. */
const ascii = (bytes: Uint8Array) => String.fromCharCode(...bytes)
