/**
 * One Shamir share with a header that identifies it (`protocol/vault/shares.ts` defines the layout).
 *
 * The sharing library silently combines tampered, short and foreign shares, and returns a share at x = 0 as
 * the secret. So a share is never handled without its header: version, kind, chain, wallet, generation, role
 * and x. Callers that decode a share pass the identity they expect.
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

/** Reasons for which a share is refused. A closed set: `details.reason` of the error is one of these. */
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

/** Header fields that must be equal in two shares that are combined. */
export const identityRefusals = [
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
  for (const [field, refusal] of identityRefusals) {
    if (identity[field] !== expected[field]) throw refuseShare(refusal)
  }
  if (identity.role !== expected.role) throw refuseShare('wrong_role')
  return { ...identity, y: bytes.slice(headLength) }
}

/** Parses the header. Checks the version first: a share of a newer version is not damaged. */
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

/** Decodes one character per byte, so that different byte strings never decode to the same ID. */
const ascii = (bytes: Uint8Array) => String.fromCharCode(...bytes)
