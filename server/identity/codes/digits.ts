/**
 * Derives codes from a seed and a pepper that is in no database. A call repeated after a lost response or a crash
 * therefore sends the same code, although no code is stored.
 */
import { createHmac, createSecretKey, randomBytes } from 'node:crypto'
import type { ServerContext } from '../../kernel/context.ts'
import { addPepperName, getPepperName } from '../../kernel/keys/keys.ts'
import type { CodeKey, CodePurpose } from './code-key.ts'

type Keys = Pick<ServerContext, 'keyring'>

/** Creates a seed, prefixed with the id of its pepper. */
export const newSeed = ({ keyring }: Keys) =>
  addPepperName(keyring.pepperInUse(), randomBytes(32).toString('base64url'))

const DRAWN_BYTES = 6

/** Derives the digits. With 48 bits for a million codes, the bias is below 1e-8. */
export function deriveCode({ keyring }: Keys, { name, digits }: CodePurpose, seed: string): string {
  const drawn = createHmac(
    'sha256',
    createSecretKey(keyring.pepper(`${name}-code-draw`, getPepperName(seed))),
  )
    .update(seed)
    .digest()
  return String(drawn.readUIntBE(0, DRAWN_BYTES) % 10 ** digits).padStart(digits, '0')
}

/**
 * Returns the stored hash of a code, bound to app, identifier and browser. Without the pepper it can be neither guessed
 * nor chosen, so comparing hashes needs no constant time.
 */
export const hashCode = (
  { keyring }: Keys,
  { appId, purpose, identifier, binding }: CodeKey,
  code: string,
  pepper: string,
) =>
  addPepperName(
    pepper,
    createHmac('sha256', createSecretKey(keyring.pepper(`${purpose.name}-code`, pepper)))
      .update(JSON.stringify([appId, identifier, binding, code]))
      .digest('base64url'),
  )
