/**
 * Proof of possession (DPoP, RFC 9449). Tokens are bound to a non-extractable key, so a copied token is useless
 * elsewhere. A proof covers one request: its method, URL, id, body and the hash of its token.
 */
import { toBase64url } from '../browser/base64url.ts'

const algorithm = { name: 'ECDSA', namedCurve: 'P-256' } as const

export const createProofKeyPair = () => crypto.subtle.generateKey(algorithm, false, ['sign', 'verify'])

/** Loads the key pair; `createIndexedDbProofKeys` implements it in a browser. */
export type ProofKeys = {
  /** Rejects with `session_storage_unavailable` if the browser stores no key or does not answer in time. */
  load: () => Promise<CryptoKeyPair>
  /** Returns the key pair if it is loaded, without a storage request. */
  atHand: () => CryptoKeyPair | undefined
}

/** The token that a call presents and that its proof is bound to. */
export type Presented = {
  /** The refresh token if the body contains one, otherwise the bearer token. */
  token: string | null
  /** The number of an HttpOnly refresh cookie, read from its marker cookie. */
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
  /** Loads the key early, so that a lock holder does not wait for it. */
  prepare: () => Promise<void>
  isPrepared: () => boolean
  /** The thumbprint of the key (RFC 7638) that the session is bound to. */
  thumbprint: () => Promise<string>
}

export function createProofMaker(ports: {
  keys: ProofKeys
  /** The server's time, on which proof ages are based. */
  nowMs: () => number
}): ProofMaker {
  const { keys, nowMs } = ports
  return {
    async make(call) {
      return signProof(await keys.load(), await createClaims(call, Math.floor(nowMs() / 1_000)))
    },
    prepare: async () => void (await keys.load()),
    isPrepared: () => keys.atHand() !== undefined,
    thumbprint: async () => getThumbprint(await keys.load()),
  }
}

export async function signProof({ privateKey, publicKey }: CryptoKeyPair, claims: object): Promise<string> {
  const { kty, crv, x, y } = await crypto.subtle.exportKey('jwk', publicKey)
  const header = encode({ typ: 'dpop+jwt', alg: 'ES256', jwk: { kty, crv, x, y } })
  const text = `${header}.${encode(claims)}`
  const signed = new TextEncoder().encode(text)
  const signature = await crypto.subtle.sign({ name: 'ECDSA', hash: 'SHA-256' }, privateKey, signed)
  return `${text}.${toBase64url(new Uint8Array(signature))}`
}

/** RFC 7638. */
export async function getThumbprint({ publicKey }: CryptoKeyPair): Promise<string> {
  const { kty, crv, x, y } = await crypto.subtle.exportKey('jwk', publicKey)
  return hashText(JSON.stringify({ crv, kty, x, y }))
}

async function createClaims({ method, url, requestId, body = '', presented }: ProvenCall, iat: number) {
  const { origin, pathname } = new URL(url)
  const { token, cookieCounter } = presented
  return {
    jti: requestId,
    htm: method,
    htu: origin + pathname,
    iat,
    bth: await hashText(body),
    ...(token !== null && { ath: await hashText(token) }),
    ...(cookieCounter !== undefined && { rtc: cookieCounter }),
  }
}

const encode = (value: unknown) => toBase64url(new TextEncoder().encode(JSON.stringify(value)))

export async function hashText(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return toBase64url(new Uint8Array(digest))
}
