/**
 * Refresh tokens: `1.<session>.<counter>.<mac>`. Opaque to everybody else, and not kept anywhere: the row of the
 * session has a counter and a wrapped key, and any token of the session can be made again from the two.
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
  `${VERSION}.${sessionId}.${counter}.${macOf(sessionId, counter, tokenKey).toString('base64url')}`

export function refreshTokenIsAuthentic(token: PresentedToken, tokenKey: Uint8Array): boolean {
  const expected = macOf(token.sessionId, token.counter, tokenKey).toString('base64url')
  return equalsInConstantTime(expected, token.mac)
}

/** Bytes are made a key first: asked whether they are one, Node throws and catches inside (`es256.ts`). */
const macOf = (sessionId: string, counter: number, tokenKey: Uint8Array) =>
  createHmac('sha256', createSecretKey(tokenKey))
    .update(`${product.key}/refresh/${VERSION}\n${sessionId}\n${counter}`)
    .digest()

/**
 * The key of a session as its row keeps it: AES-256-GCM under a pepper, tied to the session. A pepper and not
 * the key management, which may be a service far away: a refresh must not wait for one.
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

/** Throws for a row that was tampered with or belongs to another pepper: neither is a wrong token. */
export function unwrapTokenKey(
  wrapped: string,
  sessionId: string,
  keyring: Pick<Keyring, 'pepper'>,
): Uint8Array {
  if (!wrapped.startsWith(`${VERSION}.`)) throw new Error('A session has a key of an unknown version')
  const { pepper: id, text } = splitPepperName(wrapped.slice(VERSION.length + 1))
  const pepper = keyring.pepper(tokenKeyPepper, id)
  return decrypt(createSecretKey(pepper), Buffer.from(text, 'base64url'), Buffer.from(sessionId))
}
