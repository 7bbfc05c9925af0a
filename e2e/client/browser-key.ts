/**
 * A browser's key pair, and its signatures: session proofs (DPoP, RFC 9449), device proofs and device
 * statements.
 */
import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import {
  type Decision,
  type DeviceStatement,
  decisionType,
  deviceStatementType,
} from '@latchkey/protocol/wallet'

const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const hash = (text: string) => createHash('sha256').update(text).digest('base64url')

export type BrowserKey = {
  privateKey: KeyObject
  jwk: { kty: string; crv: string; x: string; y: string }
  /** The JWK thumbprint (RFC 7638). */
  thumbprint: string
}

export function createBrowserKey(): BrowserKey {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { kty = '', crv = '', x = '', y = '' } = publicKey.export({ format: 'jwk' })
  return { privateKey, jwk: { kty, crv, x, y }, thumbprint: hash(JSON.stringify({ crv, kty, x, y })) }
}

export type ProvenCall = {
  url: string
  requestId: string
  body: string
  /** The refresh token of the body or the bearer token, if the call has one. */
  token: string | undefined
}

export const signProof = (key: BrowserKey, { url, requestId, body, token }: ProvenCall): string =>
  signed(key, 'dpop+jwt', {
    htm: 'POST',
    htu: url,
    iat: Math.floor(Date.now() / 1_000),
    jti: requestId,
    bth: hash(body),
    ...(token !== undefined && { ath: hash(token) }),
  })

export const signStatement = (key: BrowserKey, statement: DeviceStatement): string =>
  signed(key, deviceStatementType, statement)

export const signDecision = (key: BrowserKey, decision: Decision): string =>
  signed(key, decisionType, decision)

function signed({ privateKey, jwk }: BrowserKey, typ: string, claims: object): string {
  const text = `${encoded({ typ, alg: 'ES256', jwk })}.${encoded(claims)}`
  const signature = sign('sha256', Buffer.from(text), { key: privateKey, dsaEncoding: 'ieee-p1363' })
  return `${text}.${signature.toString('base64url')}`
}
