/**
 * Secrets of a login window. The window's result is sealed, and only for the dialog that opened it in the same browser.
 */
import { createHash, randomBytes } from 'node:crypto'
import { product } from '@latchkey/protocol'
import type { ServerContext } from '../../kernel/context.ts'
import { addPepperName, decrypt, encrypt, splitPepperName } from '../../kernel/keys/keys.ts'

type Sources = Pick<ServerContext, 'keyring'>

/** Returns the S256 challenge (RFC 7636, 4.2), which is used for the relay's secret as well. */
export const createChallenge = (verifier: string) => createHash('sha256').update(verifier).digest('base64url')

export const randomSecret = () => randomBytes(32).toString('base64url')
export const browserHash = (secret: string) =>
  createHash('sha256').update(`${product.key}/login-window\n${secret}`).digest('base64url')

const pepperPurpose = 'login-window/sealed'
const toSealContext = (handle: string, what: string) => Buffer.from(`${what}\n${handle}`)

/** Seals a text for one login and one purpose. The sealed text names its pepper, by default the current one. */
export function seal(
  { keyring }: Sources,
  handle: string,
  what: string,
  text: string,
  pepper = keyring.pepperInUse(),
): string {
  const sealed = encrypt(
    keyring.pepper(pepperPurpose, pepper),
    Buffer.from(text),
    toSealContext(handle, what),
  )
  return addPepperName(pepper, sealed.toString('base64url'))
}

export function unseal({ keyring }: Sources, handle: string, what: string, sealed: string): string {
  const { pepper, text } = splitPepperName(sealed)
  const bytes = Buffer.from(text, 'base64url')
  return decrypt(keyring.pepper(pepperPurpose, pepper), bytes, toSealContext(handle, what)).toString()
}
