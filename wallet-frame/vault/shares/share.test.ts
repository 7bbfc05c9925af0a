import { chainTypes, LatchkeyError } from '@latchkey/protocol'
import { shareKinds, shareRoles } from '@latchkey/protocol/wallet'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeShare, encodeShare, type Share, type ShareRefusal, shareRefusals } from './share.ts'

const identity = {
  walletId: 'wallet_1',
  kind: 'entropy',
  chain: 'ethereum',
  generation: 1,
  role: 'auth',
} as const
const share: Share = { ...identity, y: new Uint8Array(16).fill(0xab) }
const changed = (at: number, to: number) =>
  encodeShare(share).map((byte, index) => (index === at ? to : byte))

function refusal(attempt: () => unknown): ShareRefusal {
  try {
    attempt()
  } catch (error) {
    if (!(error instanceof LatchkeyError)) throw error
    const { reason } = error.details as { reason: ShareRefusal }
    expect(error.code).toBe(shareRefusals[reason])
    return reason
  }
  throw new Error('Nothing was refused')
}

it('has refusal codes that distinguish damaged shares, shares of another wallet and shares of a newer version', () => {
  expect(shareRefusals).toEqual({
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
  })
})

describe('an encoded share', () => {
  it('contains version, kind, chain, role, x, length, generation and wallet, and then its value', () => {
    const bytes = encodeShare({ ...share, generation: 0x01020304 })
    expect([...bytes.subarray(0, 11)]).toEqual([1, 1, 1, 2, 2, 16, 1, 2, 3, 4, 8])
    expect(new TextDecoder().decode(bytes.subarray(11, 19))).toBe('wallet_1')
    expect(bytes.subarray(19)).toEqual(share.y)
  })

  it('decodes to the same share', () => {
    fc.assert(
      fc.property(
        fc.record({
          walletId: fc.stringMatching(/^[A-Za-z0-9_-]{1,64}$/),
          kind: fc.constantFrom(...shareKinds),
          chain: fc.constantFrom(...chainTypes),
          generation: fc.integer({ min: 1, max: 0xffff_ffff }),
          role: fc.constantFrom(...shareRoles),
        }),
        fc.uint8Array({ minLength: 32, maxLength: 32 }),
        (about, bytes) => {
          const y = new Uint8Array(about.kind === 'entropy' ? bytes.subarray(16) : bytes)
          expect(decodeShare(encodeShare({ ...about, y }), about)).toEqual({ ...about, y })
        },
      ),
    )
  })

  it.each([
    ['empty', new Uint8Array()],
    ['unknown_version', changed(0, 2)],
    ['unknown_version', new Uint8Array([9])],
    ['too_short', encodeShare(share).slice(0, 1)],
    ['too_short', encodeShare(share).slice(0, 10)],
    ['too_short', encodeShare(share).slice(0, -1)],
    ['too_long', new Uint8Array([...encodeShare(share), 0])],
    ['unknown_kind', changed(1, 0)],
    ['unknown_kind', changed(1, 3)],
    ['unknown_kind', changed(1, 3).slice(0, 11)],
    ['unknown_chain', changed(2, 0)],
    ['unknown_chain', changed(2, 3)],
    ['unknown_role', changed(3, 4)],
    ['unknown_role', changed(3, 0)],
    ['x_is_zero', changed(4, 0)],
    ['x_not_of_role', changed(4, 1)],
    ['x_not_of_role', changed(4, 255)],
    ['wrong_length', changed(5, 15)],
    ['wrong_length', changed(5, 0)],
    ['wrong_length', changed(5, 32)],
    ['bad_generation', encodeShare(share).map((byte, at) => (at >= 6 && at < 10 ? 0 : byte))],
    ['bad_wallet_id', changed(11, 0x20)],
    ['bad_wallet_id', changed(11, 0xff)],
  ] as const)('is refused as %s', (reason, bytes) => {
    expect(refusal(() => decodeShare(bytes, identity))).toBe(reason)
  })

  it.each([
    ['wrong_wallet', { walletId: 'wallet_2' }],
    ['wrong_kind', { kind: 'imported-key' }],
    ['wrong_chain', { chain: 'solana' }],
    ['wrong_generation', { generation: 2 }],
    ['wrong_role', { role: 'recovery' }],
  ] as const)('is refused as %s if another identity is expected', (reason, other) => {
    expect(decodeShare(encodeShare(share), identity)).toEqual(share)
    expect(refusal(() => decodeShare(encodeShare(share), { ...identity, ...other }))).toBe(reason)
  })

  it('decodes arbitrary bytes to the share or to a named refusal', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 120 }), (bytes) => {
        expect(shareRefusals).toHaveProperty(refusal(() => decodeShare(bytes, identity)))
      }),
    )
  })

  it('is refused after a change of any byte of its header', () => {
    const head = 11 + identity.walletId.length
    fc.assert(
      fc.property(fc.nat(head - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
        const bytes = encodeShare(share)
        bytes[at] = (bytes[at] ?? 0) ^ change
        expect(shareRefusals).toHaveProperty(refusal(() => decodeShare(bytes, identity)))
      }),
    )
  })

  it('is not encoded with a wallet ID, generation or length that could not be decoded', () => {
    expect(() => encodeShare({ ...share, walletId: 'a b' })).toThrow()
    expect(() => encodeShare({ ...share, generation: 0 })).toThrow()
    expect(() => encodeShare({ ...share, generation: 4_294_967_296 })).toThrow()
    expect([...encodeShare({ ...share, generation: 4_294_967_295 }).subarray(6, 10)]).toEqual([
      255, 255, 255, 255,
    ])
    expect(refusal(() => encodeShare({ ...share, y: new Uint8Array(15) }))).toBe('wrong_length')
    expect(refusal(() => encodeShare({ ...share, kind: 'imported-key' }))).toBe('wrong_length')
  })
})
