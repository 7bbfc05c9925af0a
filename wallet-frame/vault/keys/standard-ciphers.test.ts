/** Cryptography of the platform: AES-256-GCM and HKDF by Project Wycheproof, and ECDSA by RFC 6979. */
import { sha256 } from '@noble/hashes/sha2.js'
import { expect, test } from 'vitest'
import vectors from '../../testing/vectors/wycheproof.json' with { type: 'json' }
import { signDigest } from '../signing/signature.ts'

const bytes = (hex: string) => new Uint8Array(Buffer.from(hex, 'hex'))
const hexOf = (given: ArrayBuffer) => Buffer.from(given).toString('hex')

test('AES-256-GCM opens valid ciphertexts, and rejects modified ones', async () => {
  const all = vectors.aesGcm as [string, string, string, string, string, boolean][]
  for (const [key, iv, additionalData, message, sealed, isValid] of all) {
    const imported = await crypto.subtle.importKey('raw', bytes(key), 'AES-GCM', false, [
      'encrypt',
      'decrypt',
    ])
    const algorithm = { name: 'AES-GCM', iv: bytes(iv), additionalData: bytes(additionalData) }
    const opened = await crypto.subtle
      .decrypt(algorithm, imported, bytes(sealed))
      .then(hexOf, () => undefined)
    expect([sealed, opened]).toEqual([sealed, isValid ? message : undefined])
    if (isValid) expect(hexOf(await crypto.subtle.encrypt(algorithm, imported, bytes(message)))).toBe(sealed)
  }
  expect(all.length).toBeGreaterThan(50)
})

test('HKDF with SHA-256 derives the expected keys, and rejects excessive lengths', async () => {
  const all = vectors.hkdf as [string, string, string, number, string, boolean][]
  for (const [secret, salt, info, size, derived, isValid] of all) {
    const key = await crypto.subtle.importKey('raw', bytes(secret), 'HKDF', false, ['deriveBits'])
    const algorithm = { name: 'HKDF', hash: 'SHA-256', salt: bytes(salt), info: bytes(info) }
    const made = await crypto.subtle.deriveBits(algorithm, key, size * 8).then(hexOf, () => undefined)
    expect([derived, made]).toEqual([derived, isValid ? derived : undefined])
  }
  expect(all.length).toBeGreaterThan(50)
})

// Vectors shared by wallets of this curve: https://bitcointalk.org/index.php?topic=285142.msg3300992
test.each([
  [
    1n,
    'Satoshi Nakamoto',
    '934b1ea10a4b3c1757e2b0c017d0b6143ce3c9a7e6a4a49860d7a6ab210ee3d8',
    '2442ce9d2b916064108014783e923ec36b49743e2ffa1c4496f01a512aafd9e5',
  ],
  [
    1n,
    'All those moments will be lost in time, like tears in rain. Time to die...',
    '8600dbd41e348fe5c9465ab92d23e3db8b98b873beecd930736488696438cb6b',
    '547fe64427496db33bf66019dacbf0039c04199abb0122918601db38a72cfc21',
  ],
  [
    0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364140n,
    'Satoshi Nakamoto',
    'fd567d121db66e382991534ada77a6bd3106f0a1098c231e47993447cd6af2d0',
    '6b39cd0eb1bc8603e159ef5c20a5c8ad685a45b06ce9bebed3f153d10d93bed5',
  ],
  [
    0xf8b8af8ce3c7cca5e300d33939540c10d45ce001b8f252bfbc57ba0342904181n,
    'Alan Turing',
    '7063ae83e7f62bbb171798131b4a0564b956930092b33b07b395615d9ec7e15c',
    '58dfcc1e00a35e1572f366ffe34ba0fc47db1e7189759b9fb233c5b05ab388ea',
  ],
])('signs with the key %i over %j as RFC 6979 requires', (key, message, r, s) => {
  const digest = sha256(new TextEncoder().encode(message))
  const signature = signDigest(digest, bytes(key.toString(16).padStart(64, '0')))
  expect(signature.slice(2, -2)).toBe(r + s)
})
