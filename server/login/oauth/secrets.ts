/**
 * Derives the secrets of an OAuth login from its handle and a pepper that is in no database, so none is stored. The
 * handle alone does not reveal them. State and code name the pepper.
 */
import { createHmac } from 'node:crypto'
import type { ServerContext } from '../../kernel/context.ts'
import { addPepperName, equalsInConstantTime, getPepperName } from '../../kernel/keys/keys.ts'
import type { LegSecrets } from './exchange/exchange.ts'

type Sources = Pick<ServerContext, 'keyring'>
type Purpose = 'state' | 'verifier' | 'nonce' | 'code'

/** A login and its pepper. */
export type Leg = { handle: string; pepper: string }

const secretOf = ({ keyring }: Sources, purpose: Purpose, { handle, pepper }: Leg): string =>
  createHmac('sha256', keyring.pepper('oauth/secrets', pepper))
    .update(`${purpose}\n${handle}`)
    .digest('base64url')

/** A secret prefixed with its login's handle. */
const namedSecretOf = (sources: Sources, purpose: 'state' | 'code', leg: Leg) =>
  `${leg.handle}.${addPepperName(leg.pepper, secretOf(sources, purpose, leg))}`

export const legSecretsOf = (sources: Sources, leg: Leg): LegSecrets => ({
  state: namedSecretOf(sources, 'state', leg),
  verifier: secretOf(sources, 'verifier', leg),
  nonce: secretOf(sources, 'nonce', leg),
})

/** The code for the dialog. It can be used once, with the verifier only. */
export const authorizationCodeOf = (sources: Sources, leg: Leg): string => namedSecretOf(sources, 'code', leg)

/** Returns the handle prefix, without verifying the secret. */
export const handleNamedBy = (secret: string): string => partsOf(secret).handle

/** Returns the login of a state, or undefined if it is not ours. */
export async function legOfState(sources: Sources, state: string): Promise<Leg | undefined> {
  const { handle, text } = partsOf(state)
  const leg = { handle, pepper: getPepperName(text) }
  if (!(await sources.keyring.loadPepper(leg.pepper))) return undefined
  return equalsInConstantTime(namedSecretOf(sources, 'state', leg), state) ? leg : undefined
}

export const isCodeOf = (sources: Sources, leg: Leg, code: string): boolean =>
  equalsInConstantTime(authorizationCodeOf(sources, leg), code)

function partsOf(secret: string): { handle: string; text: string } {
  const [handle = '', ...rest] = secret.split('.')
  return { handle, text: rest.join('.') }
}
