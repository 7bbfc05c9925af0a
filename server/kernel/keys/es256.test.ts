import { generateKeyPairSync, sign, webcrypto } from 'node:crypto'
import { expect, test } from 'vitest'
import {
  importCachedKey,
  importCoordinates,
  isCurvePoint,
  SIGNATURE_BYTES,
  signEs256,
  verifyEs256,
} from './es256.ts'
import vectors from './testing/wycheproof.json' with { type: 'json' }

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })

/** RFC 6979, A.2.5. */
const published = {
  x: '60fed4ba255a9d31c961eb74c6356d68c049b8923b61fa6ce669622e60f29fb6',
  y: '7903fe1008b8bc99a41ae9e95628bc64f2f1b20c2d7e9f5177a3c294d4462299',
  signatures: {
    sample:
      'efd48b2aacb6a8fd1140dd9cd45e81d69d2c877b56aaf991c34d0ea84eaf3716' +
      'f7cb1c942d657c41d436c7a1b6e29f65f3e900dbb9aff4064dc4ab2f843acda8',
    test:
      'f1abb023518351cd71d881567b1ea663ed3efcf6c5132b354f28d3b0b7d38367' +
      '019f4113742a2b14bd25926b49c649155f267e60d3814b4c0cc84250e46f0083',
  },
}

test('verifies the published signatures for their own text', () => {
  const key = importCoordinates(Buffer.from(published.x, 'hex'), Buffer.from(published.y, 'hex'))
  if (!key) expect.unreachable('the point is on the curve')
  const { sample, test } = published.signatures
  expect(verifyEs256(key, 'sample', Buffer.from(sample, 'hex'))).toBe(true)
  expect(verifyEs256(key, 'test', Buffer.from(test, 'hex'))).toBe(true)
  expect(verifyEs256(key, 'test', Buffer.from(sample, 'hex'))).toBe(false)
})

test('signatures are compatible with JOSE in both directions, even if r or s is short', async () => {
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
  const verifying = publicKey.toCryptoKey(algorithm, true, ['verify'])
  const signing = privateKey.toCryptoKey(algorithm, true, ['sign'])
  let short = 0
  for (let turn = 0; turn < 1_500; turn += 1) {
    const text = `text ${turn}`
    const ours = signEs256(privateKey, text)
    expect(ours).toHaveLength(64)
    if (ours[0] === 0 || ours[32] === 0) short += 1
    expect(await webcrypto.subtle.verify(algorithm, verifying, ours, Buffer.from(text))).toBe(true)
    const theirs = new Uint8Array(await webcrypto.subtle.sign(algorithm, signing, Buffer.from(text)))
    if (theirs[0] === 0 || theirs[32] === 0) short += 1
    expect(verifyEs256(publicKey, text, theirs)).toBe(true)
  }
  // One in 128 signatures has a leading zero byte in r or s, which is easy to get wrong.
  expect(short).toBeGreaterThan(0)
})

test('rejects a DER-encoded signature', () => {
  expect(verifyEs256(publicKey, 'text', sign('sha256', Buffer.from('text'), privateKey))).toBe(false)
})

test('rejects another text, another key, a changed bit and another length', () => {
  const signature = signEs256(privateKey, 'text')
  expect(verifyEs256(publicKey, 'text', signature)).toBe(true)
  expect(verifyEs256(publicKey, 'texts', signature)).toBe(false)
  expect(verifyEs256(generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey, 'text', signature)).toBe(
    false,
  )
  for (let at = 0; at < SIGNATURE_BYTES; at += 1) {
    const changed = Buffer.from(signature)
    changed[at] = (changed[at] ?? 0) ^ 1
    expect(verifyEs256(publicKey, 'text', changed)).toBe(false)
  }
  const wrong = [new Uint8Array(0), signature.subarray(1), Buffer.concat([signature, Buffer.alloc(1)])]
  for (const bytes of [...wrong, new Uint8Array(64), new Uint8Array(64).fill(255)])
    expect(verifyEs256(publicKey, 'text', bytes)).toBe(false)
})

test('creates a key only from a point on the curve', () => {
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const [right, left] = [Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')]
  expect(importCoordinates(right, left)?.equals(publicKey)).toBe(true)
  expect(importCoordinates(right, right)).toBeUndefined()
  expect(importCoordinates(right, left.subarray(1))).toBeUndefined()
  expect(importCoordinates(new Uint8Array(32), new Uint8Array(32))).toBeUndefined()
  expect(importCoordinates(new Uint8Array(32).fill(255), left)).toBeUndefined()
})

test('accepts only canonical uncompressed points on the curve', () => {
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const valid = Buffer.concat([Buffer.from([4]), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')])
  expect(isCurvePoint(valid.toString('base64url'))).toBe(true)
  const off = Buffer.from(valid)
  off[64] = (off[64] ?? 0) ^ 1
  const compressed = Buffer.concat([Buffer.from([2]), valid.subarray(1)])
  const refused = [off, compressed, Buffer.alloc(65), valid.subarray(0, 64)]
  for (const bytes of refused) expect(isCurvePoint(bytes.toString('base64url'))).toBe(false)
  // The last character has unused bits.
  const text = valid.toString('base64url')
  const last = text.at(-1) ?? ''
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  const respelled = text.slice(0, -1) + alphabet.charAt(alphabet.indexOf(last) ^ 1)
  expect(Buffer.from(respelled, 'base64url').equals(valid)).toBe(true)
  expect(isCurvePoint(respelled)).toBe(false)
})

test('caches imported keys, up to a limit', () => {
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const kept = importCachedKey('often', { x, y })
  const rarely = importCachedKey('rarely', { x, y })
  for (let turn = 0; turn < 2_000; turn += 1) {
    importCachedKey(`other ${turn}`, { x, y })
    if (turn % 100 === 0) importCachedKey('often', { x, y })
  }
  expect(importCachedKey('often', { x, y })).toBe(kept)
  expect(importCachedKey('rarely', { x, y })).not.toBe(rarely)
  expect(importCachedKey('not a point', { x, y: x })).toBeUndefined()
})

// External test vectors: Project Wycheproof, as named in `testing/wycheproof.json`.

const bytes = (hex: string) => Buffer.from(hex, 'hex')

test('accepts exactly the valid ES256 signatures of Wycheproof', () => {
  let checked = 0
  for (const [at, { x, y, tests }] of vectors.keys.entries()) {
    const key = importCachedKey(`wycheproof ${at}`, { x, y })
    if (!key) throw new Error('A key of these vectors is on the curve')
    for (const [message, signature, isValid] of tests as [string, string, boolean][]) {
      const is = verifyEs256(key, message, bytes(signature))
      expect([x, signature, is]).toEqual([x, signature, isValid])
      checked += 1
    }
  }
  expect(checked).toBeGreaterThan(100)
})

test('accepts exactly the valid uncompressed points of Wycheproof', () => {
  const points = vectors.points as [string, boolean][]
  for (const [point, isOnCurve] of points) {
    expect([point, isCurvePoint(bytes(point).toString('base64url'))]).toEqual([point, isOnCurve])
  }
  expect(points.filter(([, isOnCurve]) => !isOnCurve).length).toBeGreaterThan(10)
})
