/**
 * The digits of a code. They are drawn from a seed and a pepper that is in no database, so that a call that is
 * repeated after a lost answer or a crash sends the same code again, though no code is kept anywhere.
 */
import { createHmac, createSecretKey, randomBytes } from 'node:crypto'
import type { ServerContext } from '../../kernel/context.ts'
import { addPepperName, getPepperName } from '../../kernel/keys/keys.ts'
import type { CodeKey, CodePurpose } from './code-key.ts'

type Keys = Pick<ServerContext, 'keyring'>

/** Names the pepper of its code. */
export const newSeed = ({ keyring }: Keys) =>
  addPepperName(keyring.pepperInUse(), randomBytes(32).toString('base64url'))

const DRAWN_BYTES = 6

/** 48 bits over a million codes: none is likelier than another by more than one in 10⁸. */
export function codeOf({ keyring }: Keys, { name, digits }: CodePurpose, seed: string): string {
  const drawn = createHmac(
    'sha256',
    createSecretKey(keyring.pepper(`${name}-code-draw`, getPepperName(seed))),
  )
    .update(seed)
    .digest()
  return String(drawn.readUIntBE(0, DRAWN_BYTES) % 10 ** digits).padStart(digits, '0')
}

/**
 * What the database keeps: of no use for another app, address or browser, nor for guessing without the pepper. Nobody
 * without the pepper can choose one either, so comparing two tells nothing by how long it takes.
 */
export const hashOfCode = (
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
