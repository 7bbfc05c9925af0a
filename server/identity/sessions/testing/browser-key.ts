/** A browser's key pair and its proofs, as the dialog creates them with WebCrypto. */
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'

export type ProofParts = {
  method?: string
  url?: string
  atSeconds: number
  requestId?: string
  body?: string
  token?: string | undefined
  refreshCounter?: number | undefined
  header?: Readonly<Record<string, unknown>>
  claims?: Readonly<Record<string, unknown>>
}

const hash = (text: string) => createHash('sha256').update(text).digest('base64url')

export function browserKey() {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { kty, crv, x, y } = publicKey.export({ format: 'jwk' })
  const jwk = { kty, crv, x, y }
  const thumbprint = hash(JSON.stringify({ crv, kty, x, y }))
  const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  function signed(head: string, payload: string) {
    const signature = sign('sha256', Buffer.from(`${head}.${payload}`), {
      key: privateKey,
      dsaEncoding: 'ieee-p1363',
    })
    return `${head}.${payload}.${signature.toString('base64url')}`
  }
  return {
    jwk,
    thumbprint,
    privateJwk: privateKey.export({ format: 'jwk' }),
    prove({ atSeconds, method = 'POST', url = '', body = '', token, ...parts }: ProofParts): string {
      const { requestId: jti = randomBytes(16).toString('base64url'), refreshCounter: rtc } = parts
      const head = encoded({ typ: 'dpop+jwt', alg: 'ES256', jwk, ...parts.header })
      const ath = token === undefined ? undefined : hash(token)
      const claims = { jti, htm: method, htu: url, iat: atSeconds, bth: hash(body), ath, rtc }
      const payload = encoded({ ...claims, ...parts.claims })
      return signed(head, payload)
    },
    /** Signs a decision like the vault after the user's approval. */
    decide(claims: object): string {
      return signed(encoded({ typ: 'latchkey-decision+jwt', alg: 'ES256', jwk }), encoded(claims))
    },
    /** Signs a statement like the vault. */
    state(claims: object, header: object = {}): string {
      return signed(encoded({ typ: 'latchkey-device+jwt', alg: 'ES256', jwk, ...header }), encoded(claims))
    },
  }
}
export type BrowserKey = ReturnType<typeof browserKey>
