/**
 * Of a login in a window of its own. What came back from it is kept sealed, and is for the browser that the window is
 * in and the dialog that opened it.
 */
import { createCipheriv, createDecipheriv, createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { product } from '@latchkey/protocol'
import type { ServerContext } from '../../kernel/context.ts'
import { namesOf, namingPepper } from '../../kernel/keys/keys.ts'

type Sources = Pick<ServerContext, 'keyring'>

export const isSame = (expected: string, given: string): boolean => {
  const [a, b] = [Buffer.from(expected), Buffer.from(given)]
  return a.length === b.length && timingSafeEqual(a, b)
}

/** RFC 7636, 4.2 with S256; of the relay's secret too. */
export const challengeOf = (verifier: string) => createHash('sha256').update(verifier).digest('base64url')

export const randomSecret = () => randomBytes(32).toString('base64url')
export const browserHash = (secret: string) =>
  createHash('sha256').update(`${product.key}/login-window\n${secret}`).digest('base64url')

const nonceBytes = 12
const tagBytes = 16
const pepperPurpose = 'login-window/sealed'

/** For one login, and for one thing of it. It names its pepper, the one in use where no other is given. */
export function seal(
  { keyring }: Sources,
  handle: string,
  what: string,
  text: string,
  pepper = keyring.pepperInUse(),
): string {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv('aes-256-gcm', keyring.pepper(pepperPurpose, pepper), nonce)
  cipher.setAAD(Buffer.from(`${what}\n${handle}`))
  const sealed = Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
  return namingPepper(pepper, sealed.toString('base64url'))
}

export function unseal({ keyring }: Sources, handle: string, what: string, sealed: string): string {
  const { pepper, text } = namesOf(sealed)
  const bytes = Buffer.from(text, 'base64url')
  const tagAt = bytes.length - tagBytes
  const nonce = bytes.subarray(0, nonceBytes)
  const decipher = createDecipheriv('aes-256-gcm', keyring.pepper(pepperPurpose, pepper), nonce, {
    authTagLength: tagBytes,
  })
  decipher.setAAD(Buffer.from(`${what}\n${handle}`))
  decipher.setAuthTag(bytes.subarray(tagAt))
  return decipher.update(bytes.subarray(nonceBytes, tagAt), undefined, 'utf8') + decipher.final('utf8')
}
