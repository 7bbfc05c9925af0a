/**
 * A wallet's secret in three shares, any two of which give it back: one on the device, one released by the
 * server for a session (auth), one behind the recovery method.
 *
 * Each role has its place on the line (shareX). The library draws random places; but a line through two points
 * is known everywhere, and in GF(256) shifting every x by d moves the library's own answer from p(0) to p(d).
 * So the third share is computed from any two, and a new device gets the share that every device of this
 * wallet has: nothing needs to be written at the server, and the other devices stay valid.
 */
import { walletSizes } from '@latchkey/protocol'
import { type ShareIdentity, type ShareRole, shareX } from '@latchkey/protocol/wallet'
import { combine, split } from 'shamir-secret-sharing'
import { derivationOf } from '../keys/derivation.ts'
import { type SecretBytes, wipe, withSecret } from '../keys/secret-bytes.ts'
import { lineRefusals, refuseShare, type Share } from './share.ts'

export type ShareSet = { [Role in ShareRole]: Share }

/** Two points of the line in the library's form: the y bytes, then x. */
type Points = readonly [SecretBytes, SecretBytes]

export async function splitSecret(
  secret: Uint8Array,
  { walletId, kind, chain, generation }: Omit<ShareIdentity, 'role'>,
): Promise<ShareSet> {
  const { sharesTotal, sharesNeeded } = walletSizes
  const points = await withSecret(new Uint8Array(secret), (copy) => split(copy, sharesTotal, sharesNeeded))
  const copies = points.map((point) => new Uint8Array(point))
  try {
    const [first, second] = copies
    if (first === undefined || second === undefined) throw refuseShare('too_short')
    const at = async (role: ShareRole): Promise<Share> => ({
      walletId,
      kind,
      chain,
      generation,
      role,
      y: await valueAt([first, second], shareX[role]),
    })
    return { device: await at('device'), auth: await at('auth'), recovery: await at('recovery') }
  } finally {
    // Also the third point: by chance it lies where a role has its place, and then it is the share of that role.
    wipe(...copies, ...points)
  }
}

/** The secret, or an error: never a wrong one. The address is the judge, and it judges before anything is used. */
export async function combineShares(left: Share, right: Share, address: string): Promise<SecretBytes> {
  const { addressOf } = derivationOf(left)
  const secret = await onLine(left, right, 0)
  try {
    if ((await addressOf(secret)) !== address) throw refuseShare('wrong_address')
    return secret
  } catch (error) {
    wipe(secret)
    throw error
  }
}

/** The share of a third role. Call it only with two shares that `combineShares` has accepted. */
export async function shareFor(role: ShareRole, left: Share, right: Share): Promise<Share> {
  return { ...left, role, y: await onLine(left, right, shareX[role]) }
}

async function onLine(left: Share, right: Share, x: number): Promise<SecretBytes> {
  for (const [field, refusal] of lineRefusals) {
    if (left[field] !== right[field]) throw refuseShare(refusal)
  }
  if (left.role === right.role) throw refuseShare('same_share_twice')
  if (left.y.length !== right.y.length) throw refuseShare('wrong_length')
  const points: Points = [pointOf(left), pointOf(right)]
  try {
    return await valueAt(points, x)
  } finally {
    wipe(...points)
  }
}

function pointOf(share: Share): SecretBytes {
  const point = new Uint8Array(share.y.length + 1)
  point.set(share.y)
  point[share.y.length] = shareX[share.role]
  return point
}

async function valueAt(points: Points, x: number): Promise<SecretBytes> {
  // A shift to x = 0 would make the library answer that share's own y: then it is a point we already have.
  const known = points.find((point) => point[point.length - 1] === x)
  if (known !== undefined) return known.slice(0, -1)
  const shifted = points.map((point) => {
    const copy = new Uint8Array(point)
    copy[copy.length - 1] = (copy[copy.length - 1] ?? 0) ^ x
    return copy
  })
  try {
    const value = await combine(shifted)
    const copy = new Uint8Array(value)
    wipe(value)
    return copy
  } finally {
    wipe(...shifted)
  }
}
