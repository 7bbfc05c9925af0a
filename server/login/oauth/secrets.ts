/**
 * The secrets of a login at a provider. All are made from its handle and a key that is in no database, so none is
 * kept. Whoever has the handle alone has none of them. State and code name the pepper that the login goes on with.
 */
import { createHmac } from 'node:crypto'
import type { ServerContext } from '../../kernel/context.ts'
import { addPepperName, equalsInConstantTime, getPepperName } from '../../kernel/keys/keys.ts'
import type { LegSecrets } from './exchange/exchange.ts'

type Sources = Pick<ServerContext, 'keyring'>
type Purpose = 'state' | 'verifier' | 'nonce' | 'code'

/** A login and the pepper of its secrets. */
export type Leg = { handle: string; pepper: string }

const secretOf = ({ keyring }: Sources, purpose: Purpose, { handle, pepper }: Leg): string =>
  createHmac('sha256', keyring.pepper('oauth/secrets', pepper))
    .update(`${purpose}\n${handle}`)
    .digest('base64url')

/** A secret that says which login it is of. */
const namedSecretOf = (sources: Sources, purpose: 'state' | 'code', leg: Leg) =>
  `${leg.handle}.${addPepperName(leg.pepper, secretOf(sources, purpose, leg))}`

export const legSecretsOf = (sources: Sources, leg: Leg): LegSecrets => ({
  state: namedSecretOf(sources, 'state', leg),
  verifier: secretOf(sources, 'verifier', leg),
  nonce: secretOf(sources, 'nonce', leg),
})

/** What the dialog gets for what the provider sent: worth something with its verifier alone, and once. */
export const authorizationCodeOf = (sources: Sources, leg: Leg): string => namedSecretOf(sources, 'code', leg)

/** The handle that it begins with, whoever made it. */
export const handleNamedBy = (secret: string): string => partsOf(secret).handle

/** The login that the state is of; undefined where it is none of ours. */
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
