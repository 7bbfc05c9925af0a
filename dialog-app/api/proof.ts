/**
 * Proof of possession (DPoP, RFC 9449): a refresh token is bound to a key that can not leave this browser, so
 * a copied token is useless elsewhere.
 */
import type { Random } from '../ports.ts'
import { toBase64url } from './base64url.ts'

const algorithm = { name: 'ECDSA', namedCurve: 'P-256' } as const

/** Keeps the key pair; `indexedDbProofKeys` in a browser. */
export type ProofKeys = { readonly load: () => Promise<CryptoKeyPair> }

export const makeProofKeyPair = () => crypto.subtle.generateKey(algorithm, false, ['sign', 'verify'])

export type MakeProof = (request: { readonly method: string; readonly url: string }) => Promise<string>

export function createProofMaker(ports: {
  readonly keys: ProofKeys
  readonly nowMs: () => number
  readonly random: Random
}): MakeProof {
  const encode = (value: unknown) => toBase64url(new TextEncoder().encode(JSON.stringify(value)))
  return async ({ method, url }) => {
    const { privateKey, publicKey } = await ports.keys.load()
    const { kty, crv, x, y } = await crypto.subtle.exportKey('jwk', publicKey)
    const { origin, pathname } = new URL(url)
    const header = encode({ typ: 'dpop+jwt', alg: 'ES256', jwk: { kty, crv, x, y } })
    const payload = encode({
      jti: ports.random.id(),
      htm: method,
      htu: origin + pathname,
      iat: Math.floor(ports.nowMs() / 1_000),
    })
    const signed = new TextEncoder().encode(`${header}.${payload}`)
    const signature = await crypto.subtle.sign({ name: 'ECDSA', hash: 'SHA-256' }, privateKey, signed)
    return `${header}.${payload}.${toBase64url(new Uint8Array(signature))}`
  }
}
