/**
 * The six digits. They are drawn from a seed and a pepper that is in no database, so that a call that is
 * repeated after a lost answer or a crash mails the same code again, though no code is kept anywhere.
 */
import { createHash, createHmac, createSecretKey, randomBytes, timingSafeEqual } from 'node:crypto'
import { emailLimits, product } from '@latchkey/protocol'
import type { ServerContext } from '../../context.ts'
import type { CodePlace } from './store.ts'

type Keys = Pick<ServerContext, 'keyring'>

export const newSeed = () => randomBytes(32).toString('base64url')

const DRAWN_BYTES = 6
const codes = 10 ** emailLimits.codeLength

/** 48 bits over a million codes: none is likelier than another by more than one in 10⁸. */
export function codeOf({ keyring }: Keys, seed: string): string {
  const drawn = createHmac('sha256', createSecretKey(keyring.pepper('email-code-draw')))
    .update(seed)
    .digest()
  return String(drawn.readUIntBE(0, DRAWN_BYTES) % codes).padStart(emailLimits.codeLength, '0')
}

/** What the database keeps: of no use for another app, address or browser, nor for guessing without the pepper. */
export const hashOfCode = ({ keyring }: Keys, { appId, address, binding }: CodePlace, code: string) =>
  createHmac('sha256', createSecretKey(keyring.pepper('email-code')))
    .update(JSON.stringify([appId, address, binding, code]))
    .digest('base64url')

export const sameHash = (left: string, right: string) => {
  const [a, b] = [Buffer.from(left), Buffer.from(right)]
  return a.length === b.length && timingSafeEqual(a, b)
}

/** Which browser it is. A client that sends no binding shares its place with all that send none. */
export const bindingHash = (binding: string | undefined) =>
  binding === undefined
    ? ''
    : createHash('sha256').update(`${product.key}/binding\n${binding}`).digest('base64url')
