/**
 * Refresh tokens: `1.<session>.<counter>.<mac>`. Opaque to clients and not stored: any token of a session can be
 * created again from the row's counter and wrapped key.
 */
import { createHmac, createSecretKey, randomBytes } from 'node:crypto'
import { product } from '@latchkey/protocol'
import {
  addPepperName,
  decrypt,
  encrypt,
  equalsInConstantTime,
  type Keyring,
  splitPepperName,
} from '../../../kernel/keys/keys.ts'

const VERSION = '1'
const TOKEN_PATTERN = /^1\.([A-Za-z0-9_-]{1,64})\.(0|[1-9][0-9]{0,14})\.([A-Za-z0-9_-]{43})$/

export type PresentedToken = { sessionId: string; counter: number; mac: string }

export function parseRefreshToken(token: string): PresentedToken | undefined {
  const [, sessionId, counter, mac] = TOKEN_PATTERN.exec(token) ?? []
  if (sessionId === undefined || counter === undefined || mac === undefined) return undefined
  return { sessionId, counter: Number(counter), mac }
}

export const makeRefreshToken = (sessionId: string, counter: number, tokenKey: Uint8Array) =>
  `${VERSION}.${sessionId}.${counter}.${computeMac(sessionId, counter, tokenKey).toString('base64url')}`

export function refreshTokenIsAuthentic(token: PresentedToken, tokenKey: Uint8Array): boolean {
  const expected = computeMac(token.sessionId, token.counter, tokenKey).toString('base64url')
  return equalsInConstantTime(expected, token.mac)
}

/** Creates a key object first: for raw bytes, Node throws and catches an internal error (`es256.ts`). */
const computeMac = (sessionId: string, counter: number, tokenKey: Uint8Array) =>
  createHmac('sha256', createSecretKey(tokenKey))
    .update(`${product.key}/refresh/${VERSION}\n${sessionId}\n${counter}`)
    .digest()

/**
 * The token key in the session's row: AES-256-GCM under a pepper, with the session id as associated data. A pepper is
 * local, whereas a remote key management service would delay each refresh.
 */
const tokenKeyPepper = 'session-token-key'
type Peppers = Pick<Keyring, 'pepper' | 'pepperInUse'>
export const newTokenKey = () => randomBytes(32)

export function wrapTokenKey(tokenKey: Uint8Array, sessionId: string, keyring: Peppers): string {
  const id = keyring.pepperInUse()
  const pepper = keyring.pepper(tokenKeyPepper, id)
  const sealed = encrypt(createSecretKey(pepper), tokenKey, Buffer.from(sessionId))
  return `${VERSION}.${addPepperName(id, sealed.toString('base64url'))}`
}

/** Unwraps a token key. Throws for a tampered row or a wrong pepper, neither of which is a token error. */
export function unwrapTokenKey(
  wrapped: string,
  sessionId: string,
  keyring: Pick<Keyring, 'pepper'>,
): Uint8Array {
  if (!wrapped.startsWith(`${VERSION}.`)) throw new Error('The token key of a session has an unknown version')
  const { pepper: id, text } = splitPepperName(wrapped.slice(VERSION.length + 1))
  const pepper = keyring.pepper(tokenKeyPepper, id)
  return decrypt(createSecretKey(pepper), Buffer.from(text, 'base64url'), Buffer.from(sessionId))
}
