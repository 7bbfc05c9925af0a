import { createHash } from 'node:crypto'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isReservedForProofs, walletProofBytes, walletProofDigest } from './proof.ts'
import { walletPurposes } from './purposes.ts'
import { canonicalReleaseContext, canonicalShareContext, type ShareContext, shareHead } from './shares.ts'

const context: ShareContext = {
  appId: 'lkdemo0000000000000000001',
  userId: 'usr_1',
  walletId: 'wal_1',
  kind: 'entropy',
  chain: 'ethereum',
  generation: 1,
  role: 'auth',
  address: '0x71C7656EC7ab88b098defB751B7401B5f6d8976F',
}
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')

describe('the canonical context of a share', () => {
  it.each([
    { appId: 'lkdemo0000000000000000002' },
    { userId: 'usr_2' },
    { walletId: 'wal_2' },
    { kind: 'imported-key' },
    { chain: 'solana' },
    { generation: 2 },
    { role: 'device' },
    { address: context.address.toLowerCase() },
  ] as const)('is another text for %j', (change) => {
    const other = { ...context, ...change }
    expect(canonicalShareContext(other)).not.toEqual(canonicalShareContext(context))
    const released = { operation: { id: 'op', step: 1 }, purpose: 'sign', digest: null }
    expect(canonicalReleaseContext(other, released)).not.toEqual(canonicalReleaseContext(context, released))
  })

  it('is unambiguous for different lists of fields', () => {
    const field = fc.string({ minLength: 0, maxLength: 6, unit: fc.constantFrom('1', ':', 'a') })
    fc.assert(
      fc.property(fc.tuple(field, field, field), fc.tuple(field, field, field), (left, right) => {
        const text = ([appId, userId, walletId]: readonly [string, string, string]) =>
          hex(canonicalShareContext({ ...context, appId, userId, walletId }))
        expect(text(left) === text(right)).toBe(left.join('\n') === right.join('\n'))
      }),
    )
  })

  it('differs for another operation, step, purpose or digest', () => {
    const released = { operation: { id: 'op1', step: 1 }, purpose: 'sign', digest: null }
    const texts = [
      released,
      { ...released, operation: { id: 'op1', step: 2 } },
      { ...released, operation: { id: 'op2', step: 1 } },
      { ...released, purpose: 'recover' },
      { ...released, digest: `0x${'d1'.repeat(32)}` },
      { ...released, digest: `0x${'d2'.repeat(32)}` },
    ].map((each) => hex(canonicalReleaseContext(context, each)))
    expect(new Set([hex(canonicalShareContext(context)), ...texts]).size).toBe(7)
  })
})

describe('the header of a share', () => {
  it('contains version, kind, chain, role, x, length, generation and wallet id', () => {
    expect(hex(shareHead(context))).toBe(`010101020210${'00000001'}05${Buffer.from('wal_1').toString('hex')}`)
    const other = {
      ...context,
      kind: 'imported-key',
      chain: 'solana',
      role: 'recovery',
      generation: 258,
    } as const
    expect(hex(shareHead(other))).toBe(`010202030320${'00000102'}05${Buffer.from('wal_1').toString('hex')}`)
  })
})

describe('the wallet proof', () => {
  const sealed = { v: 1, enc: 'AAAA', ct: 'BBBB' } as const
  const proven = { ...context, authShare: sealed, recovery: { method: 'latchkey', share: sealed } } as const

  it('is a SHA-256, unlike the digests of messages, typed data and transactions', async () => {
    const bytes = walletProofBytes(proven)
    expect(hex(await walletProofDigest(proven))).toBe(createHash('sha256').update(bytes).digest('hex'))
    expect(new TextDecoder().decode(bytes)).toMatch(/^latchkey\/wallet-proof\/2\n/)
  })

  it('is bound to app, user, wallet, kind, chain, generation, address and the sealed shares', async () => {
    const digests = await Promise.all(
      [
        {},
        { appId: 'lkdemo0000000000000000002' },
        { userId: 'usr_2' },
        { walletId: 'wal_2' },
        { kind: 'imported-key' as const },
        { chain: 'solana' as const },
        { generation: 2 },
        { address: context.address.toLowerCase() },
        { authShare: { ...sealed, ct: 'CCCC' } },
        { recovery: { method: 'latchkey' as const, share: { ...sealed, enc: 'CCCC' } } },
        { recovery: { method: 'google-drive' as const, envelope: sealed } },
        { recovery: { method: 'passkey' as const, envelope: sealed, credentialId: 'DDDD' } },
        { recovery: { method: 'passkey' as const, envelope: sealed, credentialId: 'EEEE' } },
      ].map(async (change) => hex(await walletProofDigest({ ...proven, ...change }))),
    )
    expect(new Set(digests).size).toBe(13)
    // Independent of the order of its fields.
    const turned = { method: 'latchkey', share: { ct: 'BBBB', v: 1, enc: 'AAAA' } } as const
    expect(hex(await walletProofDigest({ ...proven, recovery: turned }))).toBe(digests[0])
  })

  it('starts with its tag, so that signing calls can refuse it', () => {
    const bytes = (text: string) => new TextEncoder().encode(text)
    expect(isReservedForProofs(walletProofBytes(proven))).toBe(true)
    expect(isReservedForProofs(bytes('latchkey/wallet-proof/'))).toBe(true)
    expect(isReservedForProofs(bytes('latchkey/wallet-proo'))).toBe(false)
    expect(isReservedForProofs(bytes('I agree: latchkey/wallet-proof/1'))).toBe(false)
  })
})

describe('the purposes of wallet tokens', () => {
  it('release both shares for a recovery only', () => {
    expect(walletPurposes.recover.releases).toEqual(['auth', 'recovery'])
    expect(walletPurposes.sign.releases).toEqual(['auth'])
    expect([...walletPurposes.create.releases, ...walletPurposes.connect.releases]).toEqual([])
  })
})
