/** A browser's key and its proofs, as the dialog makes them with WebCrypto. */
import { generateKeyPairSync, randomBytes, sign } from 'node:crypto'

export type ProofParts = {
  readonly method?: string
  readonly url?: string
  readonly atSeconds: number
  readonly header?: Readonly<Record<string, unknown>>
  readonly claims?: Readonly<Record<string, unknown>>
}

export function browserKey() {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { kty, crv, x, y } = publicKey.export({ format: 'jwk' })
  const jwk = { kty, crv, x, y }
  const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  return {
    jwk,
    privateJwk: privateKey.export({ format: 'jwk' }),
    prove({ method = 'POST', url = '', atSeconds, header, claims }: ProofParts): string {
      const head = encoded({ typ: 'dpop+jwt', alg: 'ES256', jwk, ...header })
      const jti = randomBytes(16).toString('base64url')
      const payload = encoded({ jti, htm: method, htu: url, iat: atSeconds, ...claims })
      const signature = sign('sha256', Buffer.from(`${head}.${payload}`), {
        key: privateKey,
        dsaEncoding: 'ieee-p1363',
      })
      return `${head}.${payload}.${signature.toString('base64url')}`
    },
  }
}
export type BrowserKey = ReturnType<typeof browserKey>
