/**
 * The secrets of a login at a provider. All are made from its handle and a key that is in no database, so none is
 * kept; what a provider sent back is kept sealed. Whoever has the handle alone has none of them.
 */
import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'
import { product } from '@latchkey/protocol'
import type { ServerContext } from '../../context.ts'
import type { LegSecrets } from './exchange.ts'

type Sources = Pick<ServerContext, 'keyring'>
type Purpose = 'state' | 'verifier' | 'nonce' | 'code'

const secretOf = ({ keyring }: Sources, purpose: Purpose, handle: string): string =>
  createHmac('sha256', keyring.pepper('oauth/secrets')).update(`${purpose}\n${handle}`).digest('base64url')

/** A secret that says which login it is of. */
const namedSecretOf = (sources: Sources, purpose: 'state' | 'code', handle: string) =>
  `${handle}.${secretOf(sources, purpose, handle)}`

export const legSecretsOf = (sources: Sources, handle: string): LegSecrets => ({
  state: namedSecretOf(sources, 'state', handle),
  verifier: secretOf(sources, 'verifier', handle),
  nonce: secretOf(sources, 'nonce', handle),
})

/** What the dialog gets for what the provider sent: worth something with its verifier alone, and once. */
export const authorizationCodeOf = (sources: Sources, handle: string): string =>
  namedSecretOf(sources, 'code', handle)

/** The login that the secret is of; undefined where it is none of ours. */
export function handleIn(sources: Sources, purpose: 'state' | 'code', secret: string): string | undefined {
  const [handle = ''] = secret.split('.')
  return isSame(namedSecretOf(sources, purpose, handle), secret) ? handle : undefined
}

export const isSame = (expected: string, given: string): boolean => {
  const [a, b] = [Buffer.from(expected), Buffer.from(given)]
  return a.length === b.length && timingSafeEqual(a, b)
}

/** RFC 7636, 4.2 with S256; of the relay's secret too. */
export const challengeOf = (verifier: string) => createHash('sha256').update(verifier).digest('base64url')

export const randomSecret = () => randomBytes(32).toString('base64url')
export const browserHash = (secret: string) =>
  createHash('sha256').update(`${product.key}/oauth-browser\n${secret}`).digest('base64url')

const nonceBytes = 12
const tagBytes = 16

/** For one login, and for one thing of it. */
export function seal({ keyring }: Sources, handle: string, what: 'answer' | 'tokens', text: string): string {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv('aes-256-gcm', keyring.pepper('oauth/sealed'), nonce)
  cipher.setAAD(Buffer.from(`${what}\n${handle}`))
  return Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]).toString(
    'base64url',
  )
}

export function unseal(
  { keyring }: Sources,
  handle: string,
  what: 'answer' | 'tokens',
  sealed: string,
): string {
  const bytes = Buffer.from(sealed, 'base64url')
  const tagAt = bytes.length - tagBytes
  const nonce = bytes.subarray(0, nonceBytes)
  const decipher = createDecipheriv('aes-256-gcm', keyring.pepper('oauth/sealed'), nonce, {
    authTagLength: tagBytes,
  })
  decipher.setAAD(Buffer.from(`${what}\n${handle}`))
  decipher.setAuthTag(bytes.subarray(tagAt))
  return decipher.update(bytes.subarray(nonceBytes, tagAt), undefined, 'utf8') + decipher.final('utf8')
}
