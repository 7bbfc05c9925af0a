import { createHash, randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  makeRefreshToken,
  newTokenKey,
  parseRefreshToken,
  refreshTokenIsAuthentic,
  unwrapTokenKey,
  wrapTokenKey,
} from './refresh-token.ts'

const key = newTokenKey()
const authentic = (token: string, tokenKey: Uint8Array = key) => {
  const parsed = parseRefreshToken(token)
  return parsed !== undefined && refreshTokenIsAuthentic(parsed, tokenKey)
}

test('a token is deterministic, and authentic only with its session’s key', () => {
  const token = makeRefreshToken('ses_1', 3, key)
  expect(makeRefreshToken('ses_1', 3, key)).toBe(token)
  expect(authentic(token)).toBe(true)
  expect(authentic(token, newTokenKey())).toBe(false)
})

test('a MAC is invalid for another session or counter', () => {
  const [version, , , mac] = makeRefreshToken('ses_1', 3, key).split('.')
  for (const [session, counter] of [
    ['ses_2', '3'],
    ['ses_1', '4'],
    ['ses_1', '03'],
    ['ses_1', '3e0'],
    ['ses_1', '-3'],
  ]) {
    expect(authentic([version, session, counter, mac].join('.'))).toBe(false)
  }
})

test('only the canonical format is parsed', () => {
  const token = makeRefreshToken('ses_1', 3, key)
  for (const other of [`${token}.`, ` ${token}`, token.slice(0, -1), `2${token.slice(1)}`, '', '...'])
    expect(parseRefreshToken(other)).toBeUndefined()
  fc.assert(
    fc.property(fc.string(), (text) => {
      expect(authentic(text)).toBe(false)
    }),
  )
})

const keyringOf = (secret: Uint8Array, inUse = 'pepper') => ({
  pepperInUse: () => inUse,
  pepper: (purpose: string, id: string) =>
    createHash('sha256').update(secret).update(`${purpose} ${id}`).digest(),
})

test('a token key opens only unmodified, with its own pepper and for its own session', () => {
  const keyring = keyringOf(randomBytes(32))
  const wrapped = wrapTokenKey(key, 'ses_1', keyring)
  expect(unwrapTokenKey(wrapped, 'ses_1', keyring)).toEqual(key)
  expect(key).toHaveLength(32)
  // 12 bytes nonce, the key, 16 bytes tag. Later releases must still read these rows.
  expect(wrapped).toMatch(/^1\.[A-Za-z0-9_-]{80}$/)
  expect(wrapTokenKey(key, 'ses_1', keyring)).not.toBe(wrapped)
  expect(() => unwrapTokenKey(wrapped, 'ses_2', keyring)).toThrow()
  expect(() => unwrapTokenKey(wrapped, 'ses_1', keyringOf(randomBytes(32)))).toThrow()
  const bytes = Buffer.from(wrapped.slice(2), 'base64url')
  bytes[20] = (bytes[20] ?? 0) ^ 1
  expect(() => unwrapTokenKey(`1.${bytes.toString('base64url')}`, 'ses_1', keyring)).toThrow()
  expect(() => unwrapTokenKey(`2${wrapped.slice(1)}`, 'ses_1', keyring)).toThrow()
})

test('a token key names its pepper, and opens after a pepper rotation', () => {
  const secret = randomBytes(32)
  const wrapped = wrapTokenKey(key, 'ses_1', keyringOf(secret, 'second'))
  expect(wrapped).toMatch(/^1\.second\.[A-Za-z0-9_-]{80}$/)
  expect(unwrapTokenKey(wrapped, 'ses_1', keyringOf(secret, 'third'))).toEqual(key)
  expect(() => unwrapTokenKey(wrapped.replace('second', 'third'), 'ses_1', keyringOf(secret))).toThrow()
})
