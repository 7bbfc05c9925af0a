/**
 * A wallet's entropy in three shares, any two of which give it back: one on the device, one released by the
 * server for a session (auth), one behind the recovery method.
 *
 * Each role has its place on the line (shareX). The library draws random places; but a line through two points
 * is known everywhere, and in GF(256) shifting every x by d moves the library's own answer from p(0) to p(d).
 * So the third share is computed from any two, and a new device gets the share that every device of this
 * wallet has: nothing needs to be written at the server, and the other devices stay valid.
 */
import { type ShareRole, shareX, walletLimits } from '@latchkey/protocol'
import { combine, split } from 'shamir-secret-sharing'
import { evmAddressOf } from './derivation.ts'
import { sameAddress } from './evm-address.ts'
import { type SecretBytes, wipe, withSecret } from './secret-bytes.ts'
import { refuseShare, type Share, type ShareIdentity } from './share.ts'

export type ShareSet = { readonly [Role in ShareRole]: Share }

/** Two points of the line in the library's form: the y bytes, then x. */
type Points = readonly [SecretBytes, SecretBytes]

export async function splitEntropy(
  entropy: Uint8Array,
  wallet: Omit<ShareIdentity, 'role'>,
): Promise<ShareSet> {
  const { sharesTotal, sharesNeeded } = walletLimits
  const points = await withSecret(new Uint8Array(entropy), (copy) => split(copy, sharesTotal, sharesNeeded))
  const [first, second] = points.map((point) => new Uint8Array(point))
  try {
    if (first === undefined || second === undefined) throw refuseShare('too_short')
    const at = async (role: ShareRole): Promise<Share> => ({
      ...wallet,
      role,
      y: await valueAt([first, second], shareX[role]),
    })
    return { device: await at('device'), auth: await at('auth'), recovery: await at('recovery') }
  } finally {
    wipe(first, second, ...points)
  }
}

/** The entropy, or an error: never a wrong one. The address is the judge, and it judges before anything is used. */
export async function combineShares(left: Share, right: Share, address: string): Promise<SecretBytes> {
  const entropy = await onLine(left, right, 0)
  if (sameAddress(await addressOrWipe(entropy), address)) return entropy
  wipe(entropy)
  throw refuseShare('wrong_address')
}

/** The share of a third role. Call it only with two shares that `combineShares` has accepted. */
export async function shareFor(role: ShareRole, left: Share, right: Share): Promise<Share> {
  return {
    walletId: left.walletId,
    generation: left.generation,
    role,
    y: await onLine(left, right, shareX[role]),
  }
}

async function onLine(left: Share, right: Share, x: number): Promise<SecretBytes> {
  if (left.walletId !== right.walletId) throw refuseShare('wrong_wallet')
  if (left.generation !== right.generation) throw refuseShare('wrong_generation')
  if (left.role === right.role) throw refuseShare('same_share_twice')
  if (left.y.length !== right.y.length) throw refuseShare('wrong_length')
  const points: Points = [pointOf(left), pointOf(right)]
  try {
    return await valueAt(points, x)
  } finally {
    wipe(...points)
  }
}

async function addressOrWipe(entropy: SecretBytes): Promise<string> {
  try {
    return await evmAddressOf(entropy)
  } catch (error) {
    wipe(entropy)
    throw error
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
