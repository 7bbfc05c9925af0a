import { LatchkeyError } from '@latchkey/protocol'
import { type ShareRole, shareRoles, shareX } from '@latchkey/protocol/wallet'
import fc from 'fast-check'
import { combine } from 'shamir-secret-sharing'
import { describe, expect, it } from 'vitest'
import { deriveEvmAddress } from '../keys/derivation.ts'
import { combineShares, deriveShare, splitSecret } from './shamir.ts'
import { type ShareRefusal, shareRefusals } from './share.ts'

const wallet = { walletId: 'wallet_1', kind: 'entropy', chain: 'ethereum', generation: 1 } as const
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
  it('restore the entropy, for each pair in either order', async () => {
    await fc.assert(
      fc.asyncProperty(entropy16, async (entropy) => {
        const address = await deriveEvmAddress(entropy)
        const shares = await splitSecret(entropy, wallet)
        for (const [left, right] of pairs) {
          expect(await combineShares(shares[left], shares[right], address)).toEqual(entropy)
          expect(await combineShares(shares[right], shares[left], address)).toEqual(entropy)
        }
      }),
      { numRuns: 15 },
    )
  })

  it('restore the third share, byte for byte', async () => {
    await fc.assert(
      fc.asyncProperty(entropy16, async (entropy) => {
        const shares = await splitSecret(entropy, wallet)
        for (const [left, right, third] of pairs) {
          expect(await deriveShare(third, shares[left], shares[right])).toEqual(shares[third])
        }
      }),
      { numRuns: 50 },
    )
  })

  it('return one of themselves for its own role', async () => {
    const shares = await splitSecret(new Uint8Array(16).fill(1), wallet)
    for (const [left, right] of pairs) {
      expect(await deriveShare(left, shares[left], shares[right])).toEqual(shares[left])
      expect(await deriveShare(right, shares[left], shares[right])).toEqual(shares[right])
    }
  })

  it('have the x of their roles, with which the library combines them', async () => {
    await fc.assert(
      fc.asyncProperty(entropy16, async (entropy) => {
        const shares = await splitSecret(entropy, wallet)
        const points = shareRoles.map((role) => new Uint8Array([...shares[role].y, shareX[role]]))
        expect(await combine(points)).toEqual(entropy)
      }),
      { numRuns: 50 },
    )
  })

  it('are new for each split: no share contains the secret or repeats', async () => {
    const entropy = new Uint8Array(16).fill(7)
    const seen = new Set<string>()
    for (let round = 0; round < 20; round++) {
      const shares = await splitSecret(entropy, wallet)
      for (const role of shareRoles) {
        expect(shares[role].y).not.toEqual(entropy)
        seen.add(shares[role].y.join())
      }
    }
    expect(seen.size).toBe(60)
  })

  it('leave every byte of the secret open to an attacker with one share', async () => {
    // For the first byte of one share, each of the 256 secrets is reached by some other share at another x.
    const reached = new Set<number>()
    for (let other = 0; other < 256; other++) {
      const secret = await combine([new Uint8Array([42, 1]), new Uint8Array([other, 2])])
      reached.add(secret[0] ?? -1)
    }
    expect(reached.size).toBe(256)
  })

  it('are refused after a change, a swap or a mix of wallets: never a wrong key', async () => {
    const entropy = new Uint8Array(16).fill(1)
    const address = await deriveEvmAddress(entropy)
    const { device, auth } = await splitSecret(entropy, wallet)
    const other = await splitSecret(new Uint8Array(16).fill(2), wallet)
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
    const short = { ...auth, y: auth.y.slice(1) }
    expect(await refusal(combineShares(device, short, address))).toBe('wrong_length')
    expect(await refusal(combineShares(device, { ...auth, generation: 2 }, address))).toBe('wrong_generation')
    expect(await refusal(combineShares(device, { ...auth, walletId: 'wallet_2' }, address))).toBe(
      'wrong_wallet',
    )
    expect(await refusal(combineShares(device, { ...auth, kind: 'imported-key' }, address))).toBe(
      'wrong_kind',
    )
    expect(await refusal(combineShares(device, { ...auth, chain: 'solana' }, address))).toBe('wrong_chain')
  })

  it('are refused for an address in another case', async () => {
    const entropy = new Uint8Array(16).fill(1)
    const address = await deriveEvmAddress(entropy)
    const { device, auth } = await splitSecret(entropy, wallet)
    expect(await combineShares(device, auth, address)).toEqual(entropy)
    expect(await refusal(combineShares(device, auth, address.toLowerCase()))).toBe('wrong_address')
  })

  it.each([
    // The combined value is in no range of valid keys.
    [{ kind: 'imported-key', chain: 'ethereum' }, 'share_mismatch'],
    [{ kind: 'imported-key', chain: 'solana' }, 'not_supported'],
  ] as const)('are not combined if no address can be derived: %j', async (other, code) => {
    const { device, auth } = await splitSecret(new Uint8Array(16).fill(1), wallet)
    const combined = combineShares({ ...device, ...other }, { ...auth, ...other }, 'address')
    await expect(combined).rejects.toMatchObject({ code })
  })

  it('are refused for another address before the secret is returned', async () => {
    const { device, auth } = await splitSecret(new Uint8Array(16).fill(1), wallet)
    const elsewhere = await deriveEvmAddress(new Uint8Array(16).fill(9))
    expect(await refusal(combineShares(device, auth, elsewhere))).toBe('wrong_address')
  })
})
