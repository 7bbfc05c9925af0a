/**
 * One Shamir share, wrapped in what it is a share of (`protocol/vault/shares.ts` has the layout).
 *
 * The sharing library combines tampered, short and foreign shares without a word, and takes a share at x = 0
 * for the secret itself. So a share is never handled bare: it says its version, kind, chain, wallet, generation,
 * role and place, and whoever opens it says which ones it must be.
 */
import { chainTypes, id, LatchkeyError } from '@latchkey/protocol'
import {
  type ShareIdentity,
  secretBytes,
  shareHead,
  shareKinds,
  shareLayout,
  shareRoles,
  shareVersion,
  shareX,
} from '@latchkey/protocol/wallet'
import * as v from 'valibot'
import type { SecretBytes } from '../keys/secret-bytes.ts'

export type Share = ShareIdentity & { y: SecretBytes }

/** Why a share was refused. A closed set: `details.reason` of the error is one of these. */
export const shareRefusals = {
  empty: 'share_malformed',
  too_short: 'share_malformed',
  too_long: 'share_malformed',
  unknown_version: 'share_unknown_version',
  unknown_kind: 'share_malformed',
  unknown_chain: 'share_malformed',
  unknown_role: 'share_malformed',
  x_is_zero: 'share_malformed',
  x_not_of_role: 'share_malformed',
  wrong_length: 'share_malformed',
  bad_generation: 'share_malformed',
  bad_wallet_id: 'share_malformed',
  wrong_wallet: 'share_mismatch',
  wrong_kind: 'share_mismatch',
  wrong_chain: 'share_mismatch',
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

const MAX_GENERATION = 0xffff_ffff
const generationSchema = v.pipe(v.number(), v.safeInteger(), v.minValue(1), v.maxValue(MAX_GENERATION))

/** What a share says about itself must be the same in two shares that are combined. */
export const lineRefusals = [
  ['walletId', 'wrong_wallet'],
  ['kind', 'wrong_kind'],
  ['chain', 'wrong_chain'],
  ['generation', 'wrong_generation'],
] as const satisfies readonly (readonly [keyof ShareIdentity, ShareRefusal])[]

export function encodeShare(share: Share): SecretBytes {
  v.parse(id, share.walletId)
  v.parse(generationSchema, share.generation)
  if (share.y.length !== secretBytes[share.kind]) throw refuseShare('wrong_length')
  const head = shareHead(share)
  const bytes = new Uint8Array(head.length + share.y.length)
  bytes.set(head)
  bytes.set(share.y, head.length)
  return bytes
}

export function decodeShare(bytes: Uint8Array, expected: ShareIdentity): Share {
  const { headLength, ...identity } = readHead(bytes)
  for (const [field, refusal] of lineRefusals) {
    if (identity[field] !== expected[field]) throw refuseShare(refusal)
  }
  if (identity.role !== expected.role) throw refuseShare('wrong_role')
  return { ...identity, y: bytes.slice(headLength) }
}

/** The version is looked at first: what a newer version wrote is not damaged, it is only not for us. */
function readHead(bytes: Uint8Array): ShareIdentity & { headLength: number } {
  const layout = shareLayout
  const byteAt = (at: number) => bytes[at] ?? 0
  if (bytes.length === 0) throw refuseShare('empty')
  if (byteAt(layout.version.at) !== shareVersion) throw refuseShare('unknown_version')
  if (bytes.length < layout.walletId.at) throw refuseShare('too_short')

  const kind = shareKinds.find((known) => layout.kind.codes[known] === byteAt(layout.kind.at))
  if (kind === undefined) throw refuseShare('unknown_kind')
  const chain = chainTypes.find((known) => layout.chain.codes[known] === byteAt(layout.chain.at))
  if (chain === undefined) throw refuseShare('unknown_chain')
  const role = shareRoles.find((known) => layout.role.codes[known] === byteAt(layout.role.at))
  if (role === undefined) throw refuseShare('unknown_role')
  if (byteAt(layout.x.at) === 0) throw refuseShare('x_is_zero')
  if (byteAt(layout.x.at) !== shareX[role]) throw refuseShare('x_not_of_role')
  const length = byteAt(layout.length.at)
  if (length !== secretBytes[kind]) throw refuseShare('wrong_length')

  const headLength = layout.walletId.at + byteAt(layout.walletIdLength.at)
  if (bytes.length < headLength + length) throw refuseShare('too_short')
  if (bytes.length > headLength + length) throw refuseShare('too_long')
  const view = new DataView(bytes.buffer, bytes.byteOffset)
  const generation = v.safeParse(generationSchema, view.getUint32(layout.generation.at))
  if (!generation.success) throw refuseShare('bad_generation')
  const walletId = v.safeParse(id, ascii(bytes.subarray(layout.walletId.at, headLength)))
  if (!walletId.success) throw refuseShare('bad_wallet_id')
  return { walletId: walletId.output, kind, chain, generation: generation.output, role, headLength }
}

/** One character a byte, so that two different byte strings never read as the same id. */
const ascii = (bytes: Uint8Array) => String.fromCharCode(...bytes)
