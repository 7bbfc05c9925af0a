import { createSecretKey, randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { decrypt, encrypt } from './aes-gcm.ts'

const hex = (text: string) => Buffer.from(text.replaceAll(/\s/g, ''), 'hex')
const key = randomBytes(32)
const context = Buffer.from('of one row')

// Test case 16 of "The Galois/Counter Mode of Operation (GCM)", McGrew and Viega: AES-256 with additional data.
const published = {
  key: hex('feffe9928665731c6d6a8f9467308308 feffe9928665731c6d6a8f9467308308'),
  nonce: hex('cafebabefacedbaddecaf888'),
  context: hex('feedfacedeadbeeffeedfacedeadbeefabaddad2'),
  plaintext: hex(
    'd9313225f88406e5a55909c5aff5269a 86a7a9531534f7da2e4c303d8a318a72 1c3c0c95956809532fcf0e2449a6b525 b16aedf5aa0de657ba637b39',
  ),
  ciphertext: hex(
    '522dc1f099567d07f47f37a32a84427d 643a8cdcbfe5c0c97598a2bd2555d1aa 8cb08e48590dbb3da7b08b1056828838 c5f61e6393ba7a0abcc9f662',
  ),
  tag: hex('76fc6ece0f4e1768cddf8853bb2d551b'),
}

test('decrypts a published ciphertext: nonce, ciphertext, tag', () => {
  const { nonce, ciphertext, tag } = published
  const encrypted = Buffer.concat([nonce, ciphertext, tag])
  expect(decrypt(published.key, encrypted, published.context)).toEqual(published.plaintext)
})

test('decrypts with the same key and context only', () => {
  const encrypted = encrypt(key, Buffer.from('a secret'), context)
  expect(encrypted).toHaveLength(12 + 8 + 16)
  expect(decrypt(key, encrypted, context).toString()).toBe('a secret')
  expect(decrypt(createSecretKey(key), encrypted, context).toString()).toBe('a secret')
  expect(() => decrypt(randomBytes(32), encrypted, context)).toThrow()
  expect(() => decrypt(key, encrypted, Buffer.from('of another'))).toThrow()
})

test('uses a fresh nonce each time', () => {
  const nonces = Array.from({ length: 100 }, () =>
    encrypt(key, Buffer.alloc(0), context).subarray(0, 12).toString('hex'),
  )
  expect(new Set(nonces).size).toBe(100)
})

test('rejects a ciphertext that was modified in any byte or truncated', () => {
  const encrypted = encrypt(key, Buffer.from('a secret'), context)
  for (let at = 0; at < encrypted.length; at += 1) {
    const changed = Buffer.from(encrypted)
    changed[at] = (changed[at] ?? 0) ^ 1
    expect(() => decrypt(key, changed, context)).toThrow()
    expect(() => decrypt(key, encrypted.subarray(0, at), context)).toThrow()
  }
})
