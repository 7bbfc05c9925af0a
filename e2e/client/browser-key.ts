/** The key of a browser, and the proofs that it signs (DPoP, RFC 9449), as the dialog does. */
import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'

const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const hash = (text: string) => createHash('sha256').update(text).digest('base64url')

export type BrowserKey = { readonly privateKey: KeyObject; readonly header: string }

export function newBrowserKey(): BrowserKey {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { kty, crv, x, y } = publicKey.export({ format: 'jwk' })
  return { privateKey, header: encoded({ typ: 'dpop+jwt', alg: 'ES256', jwk: { kty, crv, x, y } }) }
}

export type ProvenCall = {
  readonly url: string
  readonly requestId: string
  readonly body: string
  /** The refresh token in the body, or the bearer token, or neither. */
  readonly token: string | undefined
}

export function prove(
  { privateKey, header }: BrowserKey,
  { url, requestId, body, token }: ProvenCall,
): string {
  const payload = encoded({
    htm: 'POST',
    htu: url,
    iat: Math.floor(Date.now() / 1_000),
    jti: requestId,
    bth: hash(body),
    ...(token !== undefined && { ath: hash(token) }),
  })
  const signed = `${header}.${payload}`
  const signature = sign('sha256', Buffer.from(signed), { key: privateKey, dsaEncoding: 'ieee-p1363' })
  return `${signed}.${signature.toString('base64url')}`
}
