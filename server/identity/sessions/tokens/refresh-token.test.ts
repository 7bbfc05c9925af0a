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

test('a token is made the same each time, and is authentic under the key of its session alone', () => {
  const token = makeRefreshToken('ses_1', 3, key)
  expect(makeRefreshToken('ses_1', 3, key)).toBe(token)
  expect(authentic(token)).toBe(true)
  expect(authentic(token, newTokenKey())).toBe(false)
})

test('no other session and no other number takes its mac', () => {
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

test('only the one form is read', () => {
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

test('the key of a session opens with its own pepper, for its own session, and untouched', () => {
  const keyring = keyringOf(randomBytes(32))
  const wrapped = wrapTokenKey(key, 'ses_1', keyring)
  expect(unwrapTokenKey(wrapped, 'ses_1', keyring)).toEqual(key)
  expect(key).toHaveLength(32)
  // A nonce of 12 bytes, the key, and a tag of 16: rows outlive the release that wrote them.
  expect(wrapped).toMatch(/^1\.[A-Za-z0-9_-]{80}$/)
  expect(wrapTokenKey(key, 'ses_1', keyring)).not.toBe(wrapped)
  expect(() => unwrapTokenKey(wrapped, 'ses_2', keyring)).toThrow()
  expect(() => unwrapTokenKey(wrapped, 'ses_1', keyringOf(randomBytes(32)))).toThrow()
  const bytes = Buffer.from(wrapped.slice(2), 'base64url')
  bytes[20] = (bytes[20] ?? 0) ^ 1
  expect(() => unwrapTokenKey(`1.${bytes.toString('base64url')}`, 'ses_1', keyring)).toThrow()
  expect(() => unwrapTokenKey(`2${wrapped.slice(1)}`, 'ses_1', keyring)).toThrow()
})

test('the key of a session names a later pepper, and opens whichever is in use by then', () => {
  const secret = randomBytes(32)
  const wrapped = wrapTokenKey(key, 'ses_1', keyringOf(secret, 'second'))
  expect(wrapped).toMatch(/^1\.second\.[A-Za-z0-9_-]{80}$/)
  expect(unwrapTokenKey(wrapped, 'ses_1', keyringOf(secret, 'third'))).toEqual(key)
  expect(() => unwrapTokenKey(wrapped.replace('second', 'third'), 'ses_1', keyringOf(secret))).toThrow()
})
