/**
 * Proof of possession (DPoP, RFC 9449): tokens are bound to a key that can not leave this browser, so a copied
 * token is useless elsewhere. A proof is for one request and for what the request presents: it names the method,
 * the address, the request's id and body, and a hash of the token.
 */
import { toBase64url } from '../browser/base64url.ts'

const algorithm = { name: 'ECDSA', namedCurve: 'P-256' } as const

export const makeProofKeyPair = () => crypto.subtle.generateKey(algorithm, false, ['sign', 'verify'])

/** Keeps the key pair; `indexedDbProofKeys` in a browser. */
export type ProofKeys = {
  /** Rejects with `session_storage_unavailable` where the browser keeps none, or does not answer in time. */
  load: () => Promise<CryptoKeyPair>
  /** The key pair if it was loaded before; asks nothing of the browser. */
  atHand: () => CryptoKeyPair | undefined
}

/** What a call presents, and so what its proof is tied to. */
export type Presented = {
  /** The refresh token where the call brings one in its body, else the bearer. */
  token: string | null
  /** Of a refresh token in a cookie, which no script reads: its number, from the cookie beside it. */
  cookieCounter: number | undefined
}

export type ProvenCall = {
  method: string
  url: string
  requestId: string
  body: string | undefined
  presented: Presented
}

export type ProofMaker = {
  make: (call: ProvenCall) => Promise<string>
  /** Loads the key ahead, so that whoever holds a lock does not wait for it. */
  prepare: () => Promise<void>
  isPrepared: () => boolean
  /** The thumbprint of the key (RFC 7638), which a session is bound to. */
  thumbprint: () => Promise<string>
}

export function createProofMaker(ports: {
  keys: ProofKeys
  /** The server's time, by which a proof ages. */
  nowMs: () => number
}): ProofMaker {
  const { keys, nowMs } = ports
  return {
    async make(call) {
      return signedProof(await keys.load(), await claimsOf(call, Math.floor(nowMs() / 1_000)))
    },
    prepare: async () => void (await keys.load()),
    isPrepared: () => keys.atHand() !== undefined,
    thumbprint: async () => thumbprintOf(await keys.load()),
  }
}

export async function signedProof({ privateKey, publicKey }: CryptoKeyPair, claims: object): Promise<string> {
  const { kty, crv, x, y } = await crypto.subtle.exportKey('jwk', publicKey)
  const header = encode({ typ: 'dpop+jwt', alg: 'ES256', jwk: { kty, crv, x, y } })
  const text = `${header}.${encode(claims)}`
  const signed = new TextEncoder().encode(text)
  const signature = await crypto.subtle.sign({ name: 'ECDSA', hash: 'SHA-256' }, privateKey, signed)
  return `${text}.${toBase64url(new Uint8Array(signature))}`
}

/** RFC 7638. */
export async function thumbprintOf({ publicKey }: CryptoKeyPair): Promise<string> {
  const { kty, crv, x, y } = await crypto.subtle.exportKey('jwk', publicKey)
  return hashOf(JSON.stringify({ crv, kty, x, y }))
}

async function claimsOf({ method, url, requestId, body = '', presented }: ProvenCall, iat: number) {
  const { origin, pathname } = new URL(url)
  const { token, cookieCounter } = presented
  return {
    jti: requestId,
    htm: method,
    htu: origin + pathname,
    iat,
    bth: await hashOf(body),
    ...(token !== null && { ath: await hashOf(token) }),
    ...(cookieCounter !== undefined && { rtc: cookieCounter }),
  }
}

const encode = (value: unknown) => toBase64url(new TextEncoder().encode(JSON.stringify(value)))

export async function hashOf(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return toBase64url(new Uint8Array(digest))
}
