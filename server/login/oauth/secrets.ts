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

const deriveSecret = ({ keyring }: Sources, purpose: Purpose, { handle, pepper }: Leg): string =>
  createHmac('sha256', keyring.pepper('oauth/secrets', pepper))
    .update(`${purpose}\n${handle}`)
    .digest('base64url')

/** A secret prefixed with its login's handle. */
const deriveNamedSecret = (sources: Sources, purpose: 'state' | 'code', leg: Leg) =>
  `${leg.handle}.${addPepperName(leg.pepper, deriveSecret(sources, purpose, leg))}`

export const deriveLegSecrets = (sources: Sources, leg: Leg): LegSecrets => ({
  state: deriveNamedSecret(sources, 'state', leg),
  verifier: deriveSecret(sources, 'verifier', leg),
  nonce: deriveSecret(sources, 'nonce', leg),
})

/** The code for the dialog. It can be used once, with the verifier only. */
export const deriveAuthorizationCode = (sources: Sources, leg: Leg): string =>
  deriveNamedSecret(sources, 'code', leg)

/** Returns the handle prefix, without verifying the secret. */
export const parseHandle = (secret: string): string => splitSecret(secret).handle

/** Returns the login of a state, or undefined if it is not ours. */
export async function findLeg(sources: Sources, state: string): Promise<Leg | undefined> {
  const { handle, text } = splitSecret(state)
  const leg = { handle, pepper: getPepperName(text) }
  if (!(await sources.keyring.loadPepper(leg.pepper))) return undefined
  return equalsInConstantTime(deriveNamedSecret(sources, 'state', leg), state) ? leg : undefined
}

export const isCode = (sources: Sources, leg: Leg, code: string): boolean =>
  equalsInConstantTime(deriveAuthorizationCode(sources, leg), code)

function splitSecret(secret: string): { handle: string; text: string } {
  const [handle = '', ...rest] = secret.split('.')
  return { handle, text: rest.join('.') }
}
