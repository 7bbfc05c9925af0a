/** RS256, as Google and Apple sign theirs. Keys are made when they are first needed. */
import { generateKeyPairSync, sign } from 'node:crypto'

const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

export const createSigner = () => {
  let made: ReturnType<typeof makeKey> | undefined
  const key = () => {
    made ??= makeKey()
    return made
  }
  return {
    jwks: () => ({ keys: [key().jwk] }),
    /** `wrongly`: by a key that nobody published, under the id of the one that is. */
    sign: (claims: Readonly<Record<string, unknown>>, wrongly = false): string => {
      const { jwk, privateKey } = key()
      const content = `${encoded({ alg: 'RS256', kid: jwk.kid, typ: 'JWT' })}.${encoded(claims)}`
      const by = wrongly ? makeKey().privateKey : privateKey
      return `${content}.${sign('sha256', Buffer.from(content), by).toString('base64url')}`
    },
  }
}
export type Signer = ReturnType<typeof createSigner>

const makeKey = () => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 })
  const jwk = { ...publicKey.export({ format: 'jwk' }), kid: 'sandbox-1', alg: 'RS256', use: 'sig' }
  return { privateKey, jwk }
}
