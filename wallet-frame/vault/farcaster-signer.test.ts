/** The key of a Farcaster signer, compared with another implementation of its derivation and signatures. */
import { createHmac, createPrivateKey, createPublicKey, pbkdf2Sync, verify } from 'node:crypto'
import type { ShareKind } from '@latchkey/protocol/wallet'
import { entropyToMnemonic } from '@scure/bip39'
import { wordlist } from '@scure/bip39/wordlists/english.js'
import { describe, expect, it } from 'vitest'
import { helloDigest } from '../testing/digests.ts'
import { emptyDisk } from '../testing/memory-database.ts'
import { ask, beginIn, type TestWallet, testWallet } from '../testing/test-wallet.ts'
import { deriveSignerKey } from './farcaster-signer.ts'
import { deriveSolanaKey } from './keys/derivation.ts'

const entropy = new Uint8Array(16).fill(7)
const hash = Buffer.alloc(20, 9).toString('base64url')
const failure = (code: string) => expect.objectContaining({ code })

/** Derives a key by SLIP-10, with the HMAC of Node. */
function derived(index: number): Buffer {
  const sentence = entropyToMnemonic(entropy, wordlist)
  const seed = pbkdf2Sync(sentence, 'mnemonic', 2_048, 64, 'sha512')
  let node = createHmac('sha512', 'ed25519 seed').update(seed).digest()
  for (const step of [1_717_662_307, 0, index]) {
    const number = Buffer.alloc(4)
    number.writeUInt32BE(2 ** 31 + step)
    const data = Buffer.concat([Buffer.of(0), node.subarray(0, 32), number])
    node = createHmac('sha512', node.subarray(32)).update(data).digest()
  }
  return node.subarray(0, 32)
}

const publicKeyOf = (privateKey: Buffer) =>
  createPublicKey(
    createPrivateKey({
      key: Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), privateKey]),
      format: 'der',
      type: 'pkcs8',
    }),
  )
const hexOf = (key: ReturnType<typeof publicKeyOf>) =>
  `0x${Buffer.from(key.export({ format: 'jwk' }).x ?? '', 'base64url').toString('hex')}`

type Asked = { hash?: string; releasedFor: string; kind?: ShareKind }
async function askSigner(mine: TestWallet, { hash, releasedFor, kind = 'entropy' }: Asked) {
  const begun = await beginIn(mine.vault)
  return ask(mine.vault, 'farcasterSigner', {
    wallet: { ...mine.wallet, kind },
    operation: begun.operation,
    auth: await mine.release(
      begun,
      'auth',
      {},
      releasedFor,
      hash === undefined ? 'farcaster-signer' : 'farcaster-sign',
    ),
    keyIndex: 0,
    ...(hash !== undefined && { hash }),
  })
}

describe('the key of a Farcaster signer', () => {
  it.each([0, 1, 5])('with index %i is at m/1717662307h/0h/%ih of the mnemonic', async (index) => {
    expect(Buffer.from(await deriveSignerKey(entropy, index))).toEqual(derived(index))
  })

  it('differs for each index, and from the Solana key', async () => {
    const keys = [await deriveSignerKey(entropy, 0), await deriveSignerKey(entropy, 1)]
    keys.push(await deriveSolanaKey(entropy))
    expect(new Set(keys.map((key) => Buffer.from(key).toString('hex'))).size).toBe(3)
  })

  it('returns its public key, and signs what that key verifies', async () => {
    const mine = await testWallet(emptyDisk(), entropy)
    const expected = publicKeyOf(derived(0))
    const told = await askSigner(mine, { releasedFor: 'farcaster:key' })
    expect(told).toEqual({ publicKey: hexOf(expected) })
    const signed = await askSigner(mine, { hash, releasedFor: `farcaster:${hash}` })
    expect(signed.publicKey).toBe(told.publicKey)
    const signature = Buffer.from(signed.signature ?? '', 'base64url')
    expect(verify(null, Buffer.alloc(20, 9), expected, signature)).toBe(true)
    expect(verify(null, Buffer.alloc(20, 8), expected, signature)).toBe(false)
  })
})

describe('a signature of a Farcaster signer', () => {
  it('opens only a share that was released for its hash', async () => {
    const mine = await testWallet(emptyDisk(), entropy)
    const other = Buffer.alloc(20, 1).toString('base64url')
    for (const releasedFor of ['farcaster:key', `farcaster:${other}`, helloDigest]) {
      await expect(askSigner(mine, { hash, releasedFor })).rejects.toEqual(failure('envelope_refused'))
    }
    await expect(askSigner(mine, { releasedFor: `farcaster:${hash}` })).rejects.toEqual(
      failure('envelope_refused'),
    )
    expect((await askSigner(mine, { hash, releasedFor: `farcaster:${hash}` })).signature).toHaveLength(86)
  })

  it('covers 20 bytes, so it is never a digest of a wallet', async () => {
    const mine = await testWallet(emptyDisk(), entropy)
    const long = Buffer.alloc(32, 9).toString('base64url')
    await expect(askSigner(mine, { hash: long, releasedFor: `farcaster:${long}` })).rejects.toEqual(
      failure('invalid_request_arguments'),
    )
  })

  it('cannot be made with a share released for it in another signing operation', async () => {
    const mine = await testWallet(emptyDisk(), entropy)
    const begun = await beginIn(mine.vault)
    const auth = await mine.release(begun, 'auth', {}, `farcaster:${hash}`, 'farcaster-sign')
    const request = {
      method: 'personal_sign' as const,
      params: ['hello', mine.wallet.address] as [string, string],
    }
    await expect(
      ask(mine.vault, 'sign', { wallet: mine.wallet, operation: begun.operation, auth, request }),
    ).rejects.toEqual(failure('envelope_refused'))
  })

  it('is not made for an aborted call', async () => {
    const mine = await testWallet(emptyDisk(), entropy)
    const { wallet, vault } = mine
    const begun = await beginIn(vault)
    const auth = await mine.release(begun, 'auth', {}, `farcaster:${hash}`, 'farcaster-sign')
    const input = { wallet, operation: begun.operation, auth, keyIndex: 0, hash }
    const asked = vault.call({ id: 'mine', name: 'farcasterSigner', input })
    await ask(vault, 'stop', { call: 'mine' })
    expect(await asked).toMatchObject({ ok: false, error: { code: 'call_cancelled' } })
  })

  it('requires a wallet from entropy: an imported key has no signer', async () => {
    const mine = await testWallet(emptyDisk(), entropy)
    await expect(askSigner(mine, { kind: 'imported-key', releasedFor: 'farcaster:key' })).rejects.toEqual(
      failure('not_supported'),
    )
  })
})
