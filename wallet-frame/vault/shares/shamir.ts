/**
 * Splits a wallet's secret into three shares, any two of which restore it: one on the device, one that the
 * server releases for a session (auth), one behind the recovery method.
 *
 * Each role has a fixed x coordinate (shareX), whereas the library draws random ones. Two points determine
 * the line, and in GF(256) shifting every x by d makes the library return p(d) instead of p(0). So the third
 * share is computed from any two. A new device computes the same share as every other device of this wallet:
 * the server stores nothing new, and the other devices stay valid.
 */
import { walletSizes } from '@latchkey/protocol'
import { type ShareIdentity, type ShareRole, shareX } from '@latchkey/protocol/wallet'
import { combine, split } from 'shamir-secret-sharing'
import { getDerivation } from '../keys/derivation.ts'
import { type SecretBytes, wipe, withSecret } from '../keys/secret-bytes.ts'
import { identityRefusals, refuseShare, type Share } from './share.ts'

export type ShareSet = { [Role in ShareRole]: Share }

/** Two points of the line in the library's format: the y bytes, then x. */
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
    const shareAt = async (role: ShareRole): Promise<Share> => ({
      walletId,
      kind,
      chain,
      generation,
      role,
      y: await interpolatePoints([first, second], shareX[role]),
    })
    return {
      device: await shareAt('device'),
      auth: await shareAt('auth'),
      recovery: await shareAt('recovery'),
    }
  } finally {
    // Wipes the third point too: it may happen to have the x of a role, and would then be that role's share.
    wipe(...copies, ...points)
  }
}

/**
 * Returns the secret, or throws: never a wrong secret. The derived address is compared with the pinned one
 * before any use.
 */
export async function combineShares(left: Share, right: Share, address: string): Promise<SecretBytes> {
  const { toAddress } = getDerivation(left)
  const secret = await interpolate(left, right, 0)
  try {
    if ((await toAddress(secret)) !== address) throw refuseShare('wrong_address')
    return secret
  } catch (error) {
    wipe(secret)
    throw error
  }
}

/** Returns the share of a third role. Call it only with two shares that `combineShares` has accepted. */
export async function deriveShare(role: ShareRole, left: Share, right: Share): Promise<Share> {
  return { ...left, role, y: await interpolate(left, right, shareX[role]) }
}

async function interpolate(left: Share, right: Share, x: number): Promise<SecretBytes> {
  for (const [field, refusal] of identityRefusals) {
    if (left[field] !== right[field]) throw refuseShare(refusal)
  }
  if (left.role === right.role) throw refuseShare('same_share_twice')
  if (left.y.length !== right.y.length) throw refuseShare('wrong_length')
  const points: Points = [toPoint(left), toPoint(right)]
  try {
    return await interpolatePoints(points, x)
  } finally {
    wipe(...points)
  }
}

function toPoint(share: Share): SecretBytes {
  const point = new Uint8Array(share.y.length + 1)
  point.set(share.y)
  point[share.y.length] = shareX[share.role]
  return point
}

async function interpolatePoints(points: Points, x: number): Promise<SecretBytes> {
  // A shift to x = 0 would make the library return that point's own y, so the known point is returned
  // directly.
  const knownPoint = points.find((point) => point[point.length - 1] === x)
  if (knownPoint !== undefined) return knownPoint.slice(0, -1)
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
