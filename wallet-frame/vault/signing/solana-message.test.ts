import { walletProofBytes } from '@latchkey/protocol/wallet'
import { ed25519 } from '@noble/curves/ed25519.js'
import { base58 } from '@scure/base'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isSignedBy } from '../../testing/solana.ts'
import { deriveSolanaKey } from '../keys/derivation.ts'
import { toSignable } from './index.ts'

const key = await deriveSolanaKey(new Uint8Array(16))
/** The account that Solana wallets show for 'abandon … about'. */
const address = 'HAgk14JpMQLgt6rVgv7cBQFJWFto5Dqxi472uT3DKpqk'

const signable = (message: string, publicKey = address) =>
  toSignable({ method: 'signMessage', params: { message, publicKey } }, address)
const sign = (message: string, publicKey?: string) => signable(message, publicKey).sign(key)
const refused = expect.objectContaining({ code: 'invalid_request_arguments' })

describe('signMessage of a Solana wallet', () => {
  it("signs the plain UTF-8 text, as Solana's library verifies", async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme', minLength: 1 }), async (message) => {
        fc.pre(message.isWellFormed())
        const signature = sign(message)
        expect(await isSignedBy(address, signature, message)).toBe(true)
        expect(await isSignedBy(address, signature, `${message} `)).toBe(false)
      }),
      { numRuns: 10 },
    )
  })

  it('signs a text that begins with 0x as text', async () => {
    expect(await isSignedBy(address, sign('0x6869'), '0x6869')).toBe(true)
  })

  it('has the SHA-256 of the message as its digest', async () => {
    const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode('hello'))
    expect(signable('hello').digest).toBe(`0x${Buffer.from(digest).toString('hex')}`)
  })

  it('does not sign for the Ethereum address that the secret of a Solana wallet would derive', () => {
    const ethereum = `0x${'1'.repeat(40)}`
    expect(() => toSignable({ method: 'personal_sign', params: ['hello', ethereum] }, address)).toThrow(
      refused,
    )
  })

  it('refuses another wallet, with any case of its address', () => {
    expect(() => sign('hello', address.toLowerCase().replace('l', 'L'))).toThrow(refused)
    expect(() => sign('hello', base58.encode(new Uint8Array(32).fill(7)))).toThrow(refused)
    expect(() => sign('hello')).not.toThrow()
  })

  it.each([
    ['a lone surrogate', '\ud800'],
    ['more than 64 KB', 'a'.repeat(64 * 1024 + 1)],
  ])('refuses %s', (_what, message) => {
    expect(() => sign(message)).toThrow(refused)
  })

  it('accepts up to 64 KB, counted in bytes', () => {
    expect(() => sign('é'.repeat(32 * 1024))).not.toThrow()
    expect(() => sign(`${'é'.repeat(32 * 1024)}a`)).toThrow(refused)
  })

  it('refuses an ownership proof, which Solana would sign without a prefix', () => {
    const line = { appId: 'a', userId: 'u', walletId: 'w', kind: 'entropy', generation: 1 } as const
    const sealed = { v: 1, enc: 'AAAA', ct: 'BBBB' } as const
    const wallet = { ...line, authShare: sealed, recovery: { method: 'latchkey', share: sealed } } as const
    const proof = new TextDecoder().decode(walletProofBytes({ ...wallet, chain: 'solana', address }))
    expect(() => sign(proof)).toThrow(refused)
    expect(() => sign(` ${proof}`)).not.toThrow()
  })

  it('refuses a possible transaction, which contains the public keys of its signers', () => {
    // An ASCII key, which no one has by chance, so that a transaction can be a text at all.
    const publicKey = new TextEncoder().encode('a key of thirty-two bytes, ascii')
    expect(publicKey).toHaveLength(32)
    const own = base58.encode(publicKey)
    const asked = (message: string) =>
      toSignable({ method: 'signMessage', params: { message, publicKey: own } }, own)
    const transaction = `\u0001\u0000\u0001\u0002${new TextDecoder().decode(publicKey)}${'\u0000'.repeat(70)}`
    expect(() => asked(transaction)).toThrow(refused)
    expect(() => asked(transaction.replace('ascii', 'ascij'))).not.toThrow()
  })

  it('is deterministic', () => {
    expect(sign('hello')).toBe(sign('hello'))
    expect(base58.decode(sign('hello'))).toEqual(ed25519.sign(new TextEncoder().encode('hello'), key))
  })
})
