import { LatchkeyError, type ShareRole, shareRoles, shareX } from '@latchkey/protocol'
import fc from 'fast-check'
import { combine } from 'shamir-secret-sharing'
import { describe, expect, it } from 'vitest'
import { evmAddressOf } from './derivation.ts'
import { combineShares, shareFor, splitEntropy } from './shamir.ts'
import {
  decodeShare,
  encodeShare,
  type Share,
  type ShareIdentity,
  type ShareRefusal,
  shareRefusals,
} from './share.ts'

const wallet = { walletId: 'wallet_1', generation: 1 }
const entropy16 = fc.uint8Array({ minLength: 16, maxLength: 16 }).map((bytes) => new Uint8Array(bytes))
const pairs: readonly (readonly [ShareRole, ShareRole, ShareRole])[] = [
  ['device', 'auth', 'recovery'],
  ['device', 'recovery', 'auth'],
  ['auth', 'recovery', 'device'],
]

async function refusal(attempt: Promise<unknown> | (() => unknown)): Promise<ShareRefusal> {
  try {
    await (typeof attempt === 'function' ? attempt() : attempt)
  } catch (error) {
    if (!(error instanceof LatchkeyError)) throw error
    const { reason } = error.details as { reason: ShareRefusal }
    expect(error.code).toBe(shareRefusals[reason])
    return reason
  }
  throw new Error('Nothing was refused')
}

describe('two of three shares', () => {
  it('give the entropy back, whichever two and in whatever order', async () => {
    await fc.assert(
      fc.asyncProperty(entropy16, async (entropy) => {
        const address = await evmAddressOf(entropy)
        const shares = await splitEntropy(entropy, wallet)
        for (const [left, right] of pairs) {
          expect(await combineShares(shares[left], shares[right], address)).toEqual(entropy)
          expect(await combineShares(shares[right], shares[left], address)).toEqual(entropy)
        }
      }),
      { numRuns: 15 },
    )
  })

  it('give the third back, byte for byte', async () => {
    await fc.assert(
      fc.asyncProperty(entropy16, async (entropy) => {
        const shares = await splitEntropy(entropy, wallet)
        for (const [left, right, third] of pairs) {
          expect(await shareFor(third, shares[left], shares[right])).toEqual(shares[third])
        }
      }),
      { numRuns: 50 },
    )
  })

  it('lie at the places of their roles, where the library itself combines them', async () => {
    await fc.assert(
      fc.asyncProperty(entropy16, async (entropy) => {
        const shares = await splitEntropy(entropy, wallet)
        const points = shareRoles.map((role) => new Uint8Array([...shares[role].y, shareX[role]]))
        expect(await combine(points)).toEqual(entropy)
      }),
      { numRuns: 50 },
    )
  })

  it('are new at each split: no share tells the secret or repeats', async () => {
    const entropy = new Uint8Array(16).fill(7)
    const seen = new Set<string>()
    for (let round = 0; round < 20; round++) {
      const shares = await splitEntropy(entropy, wallet)
      for (const role of shareRoles) {
        expect(shares[role].y).not.toEqual(entropy)
        seen.add(shares[role].y.join())
      }
    }
    expect(seen.size).toBe(60)
  })

  it('leave every byte of the secret open when only one share is known', async () => {
    // For one share's first byte, each of the 256 secrets is reached by some other share at another place.
    const reached = new Set<number>()
    for (let other = 0; other < 256; other++) {
      const secret = await combine([new Uint8Array([42, 1]), new Uint8Array([other, 2])])
      reached.add(secret[0] ?? -1)
    }
    expect(reached.size).toBe(256)
  })

  it('are refused when they are changed, swapped or of another wallet: never a wrong key', async () => {
    const entropy = new Uint8Array(16).fill(1)
    const address = await evmAddressOf(entropy)
    const { device, auth } = await splitEntropy(entropy, wallet)
    const other = await splitEntropy(new Uint8Array(16).fill(2), wallet)
    await fc.assert(
      fc.asyncProperty(fc.nat(15), fc.integer({ min: 1, max: 255 }), async (index, change) => {
        const y = device.y.map((byte, at) => (at === index ? byte ^ change : byte))
        expect(await refusal(combineShares({ ...device, y }, auth, address))).toBe('wrong_address')
      }),
      { numRuns: 20 },
    )
    expect(await refusal(combineShares(device, other.auth, address))).toBe('wrong_address')
    expect(await refusal(combineShares({ ...device, y: auth.y }, { ...auth, y: device.y }, address))).toBe(
      'wrong_address',
    )
    expect(await refusal(combineShares(device, device, address))).toBe('same_share_twice')
    expect(await refusal(combineShares(device, { ...auth, generation: 2 }, address))).toBe('wrong_generation')
    expect(await refusal(combineShares(device, { ...auth, walletId: 'wallet_2' }, address))).toBe(
      'wrong_wallet',
    )
  })

  it('are refused for another address before anything is given out', async () => {
    const { device, auth } = await splitEntropy(new Uint8Array(16).fill(1), wallet)
    const elsewhere = await evmAddressOf(new Uint8Array(16).fill(9))
    expect(await refusal(combineShares(device, auth, elsewhere))).toBe('wrong_address')
  })
})

describe('a wrapped share', () => {
  const identity: ShareIdentity = { ...wallet, role: 'auth' }
  const share: Share = { ...identity, y: new Uint8Array(16).fill(0xab) }
  const changed = (at: number, to: number) =>
    encodeShare(share).map((byte, index) => (index === at ? to : byte))

  it('reads back as it was written', () => {
    fc.assert(
      fc.property(
        entropy16,
        fc.stringMatching(/^[A-Za-z0-9_-]{1,64}$/),
        fc.integer({ min: 1, max: 0xffff_ffff }),
        fc.constantFrom(...shareRoles),
        (y, walletId, generation, role) => {
          expect(
            decodeShare(encodeShare({ walletId, generation, role, y }), { walletId, generation, role }),
          ).toEqual({
            walletId,
            generation,
            role,
            y,
          })
        },
      ),
    )
  })

  it.each([
    ['empty', new Uint8Array()],
    ['unknown_version', changed(0, 2)],
    ['unknown_version', new Uint8Array([9])],
    ['too_short', encodeShare(share).slice(0, 1)],
    ['too_short', encodeShare(share).slice(0, 8)],
    ['too_short', encodeShare(share).slice(0, -1)],
    ['too_long', new Uint8Array([...encodeShare(share), 0])],
    ['unknown_role', changed(1, 4)],
    ['unknown_role', changed(1, 0)],
    ['x_is_zero', changed(2, 0)],
    ['x_not_of_role', changed(2, 1)],
    ['x_not_of_role', changed(2, 255)],
    ['wrong_length', changed(3, 15)],
    ['wrong_length', changed(3, 0)],
    ['bad_generation', encodeShare(share).map((byte, at) => (at >= 4 && at < 8 ? 0 : byte))],
    ['bad_wallet_id', changed(9, 0x20)],
    ['bad_wallet_id', changed(9, 0xff)],
  ] as const)('is refused as %s', async (reason, bytes) => {
    expect(await refusal(() => decodeShare(bytes, identity))).toBe(reason)
  })

  it.each([
    ['wrong_wallet', { ...identity, walletId: 'wallet_2' }],
    ['wrong_generation', { ...identity, generation: 2 }],
    ['wrong_role', { ...identity, role: 'recovery' }],
  ] as const)('is refused as %s when something else is expected', async (reason, expected) => {
    expect(await refusal(() => decodeShare(encodeShare(share), expected))).toBe(reason)
  })

  it('is never half understood: arbitrary bytes are the share or a named refusal', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 120 }), async (bytes) => {
        expect(shareRefusals).toHaveProperty(await refusal(() => decodeShare(bytes, identity)))
      }),
    )
  })

  it('is refused whichever byte of its head is changed', async () => {
    const head = 9 + wallet.walletId.length
    await fc.assert(
      fc.asyncProperty(fc.nat(head - 1), fc.integer({ min: 1, max: 255 }), async (at, change) => {
        const bytes = encodeShare(share)
        bytes[at] = (bytes[at] ?? 0) ^ change
        expect(shareRefusals).toHaveProperty(await refusal(() => decodeShare(bytes, identity)))
      }),
    )
  })

  it('is not written for a wallet id or a length that could not be read back', () => {
    expect(() => encodeShare({ ...share, walletId: 'a b' })).toThrow()
    expect(() => encodeShare({ ...share, generation: 0 })).toThrow()
    expect(() => encodeShare({ ...share, y: new Uint8Array(15) })).toThrow()
  })
})
