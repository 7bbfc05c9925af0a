/** RS256 signatures, as Google and Apple use them. The key pair is created on first use. */
import { generateKeyPairSync, sign } from 'node:crypto'

const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

export const createSigner = () => {
  let keyPair: ReturnType<typeof createKeyPair> | undefined
  const key = () => {
    keyPair ??= createKeyPair()
    return keyPair
  }
  return {
    jwks: () => ({ keys: [key().jwk] }),
    /** Signs the claims. `wrongly` signs with an unpublished key under the published key id. */
    sign: (claims: Readonly<Record<string, unknown>>, wrongly = false): string => {
      const { jwk, privateKey } = key()
      const content = `${encoded({ alg: 'RS256', kid: jwk.kid, typ: 'JWT' })}.${encoded(claims)}`
      const by = wrongly ? createKeyPair().privateKey : privateKey
      return `${content}.${sign('sha256', Buffer.from(content), by).toString('base64url')}`
    },
  }
}
export type Signer = ReturnType<typeof createSigner>

const createKeyPair = () => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 })
  const jwk = { ...publicKey.export({ format: 'jwk' }), kid: 'sandbox-1', alg: 'RS256', use: 'sig' }
  return { privateKey, jwk }
}
