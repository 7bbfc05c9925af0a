import { generateKeyPairSync, sign, verify } from 'node:crypto'
import { expect, test } from 'vitest'
import { importedKey, isPointOfCurve, publicKeyOf, SIGNATURE_BYTES, signEs256, verifyEs256 } from './es256.ts'

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const joseForm = { dsaEncoding: 'ieee-p1363' } as const

test('signatures are those of JOSE, in both directions, also where r or s is short', () => {
  let short = 0
  for (let turn = 0; turn < 1_500; turn += 1) {
    const text = `text ${turn}`
    const ours = signEs256(privateKey, text)
    expect(ours).toHaveLength(SIGNATURE_BYTES)
    if (ours[0] === 0 || ours[32] === 0) short += 1
    expect(verify('sha256', Buffer.from(text), { key: publicKey, ...joseForm }, ours)).toBe(true)
    const theirs = sign('sha256', Buffer.from(text), { key: privateKey, ...joseForm })
    if (theirs[0] === 0 || theirs[32] === 0) short += 1
    expect(verifyEs256(publicKey, text, theirs)).toBe(true)
  }
  // One in 128 begins with a zero byte in r or s: the case that is easy to get wrong was there.
  expect(short).toBeGreaterThan(0)
})

test('another text, another key, a changed bit and another length do not verify', () => {
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

test('a key is made from a point of the curve, and from nothing else', () => {
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const [right, left] = [Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')]
  expect(publicKeyOf(right, left)?.equals(publicKey)).toBe(true)
  expect(publicKeyOf(right, right)).toBeUndefined()
  expect(publicKeyOf(right, left.subarray(1))).toBeUndefined()
  expect(publicKeyOf(new Uint8Array(32), new Uint8Array(32))).toBeUndefined()
  expect(publicKeyOf(new Uint8Array(32).fill(255), left)).toBeUndefined()
})

test('a point is written uncompressed, in one way, and lies on the curve', () => {
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const valid = Buffer.concat([Buffer.from([4]), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')])
  expect(isPointOfCurve(valid.toString('base64url'))).toBe(true)
  const off = Buffer.from(valid)
  off[64] = (off[64] ?? 0) ^ 1
  const compressed = Buffer.concat([Buffer.from([2]), valid.subarray(1)])
  const refused = [off, compressed, Buffer.alloc(65), valid.subarray(0, 64)]
  for (const bytes of refused) expect(isPointOfCurve(bytes.toString('base64url'))).toBe(false)
  // The last character has bits that belong to no byte.
  const text = valid.toString('base64url')
  const last = text.at(-1) ?? ''
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  const respelled = text.slice(0, -1) + alphabet.charAt(alphabet.indexOf(last) ^ 1)
  expect(Buffer.from(respelled, 'base64url').equals(valid)).toBe(true)
  expect(isPointOfCurve(respelled)).toBe(false)
})

test('keys are imported once, and so many of them are kept', () => {
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const kept = importedKey('often', { x, y })
  const rarely = importedKey('rarely', { x, y })
  for (let turn = 0; turn < 2_000; turn += 1) {
    importedKey(`other ${turn}`, { x, y })
    if (turn % 100 === 0) importedKey('often', { x, y })
  }
  expect(importedKey('often', { x, y })).toBe(kept)
  expect(importedKey('rarely', { x, y })).not.toBe(rarely)
  expect(importedKey('not a point', { x, y: x })).toBeUndefined()
})
