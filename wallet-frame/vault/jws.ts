/** A compact JWS (RFC 7515) by ES256 that brings its public key along. */
import { base64urlnopad } from '@scure/base'

const algorithm = { name: 'ECDSA', namedCurve: 'P-256' } as const

export const makeSigningPair = (): Promise<CryptoKeyPair> =>
  crypto.subtle.generateKey(algorithm, false, ['sign', 'verify'])

export async function signCompact(
  { privateKey, publicKey }: CryptoKeyPair,
  type: string,
  claims: object,
): Promise<string> {
  const { kty, crv, x, y } = await crypto.subtle.exportKey('jwk', publicKey)
  const signed = `${encoded({ typ: type, alg: 'ES256', jwk: { kty, crv, x, y } })}.${encoded(claims)}`
  const bytes = new TextEncoder().encode(signed)
  const signature = await crypto.subtle.sign({ name: 'ECDSA', hash: 'SHA-256' }, privateKey, bytes)
  return `${signed}.${base64urlnopad.encode(new Uint8Array(signature))}`
}

const encoded = (value: object) => base64urlnopad.encode(new TextEncoder().encode(JSON.stringify(value)))
