/**
 * The secrets of a login at a provider. All are made from its handle and a key that is in no database, so none is
 * kept. Whoever has the handle alone has none of them.
 */
import { createHmac } from 'node:crypto'
import type { ServerContext } from '../../context.ts'
import { isSame } from '../window/window.ts'
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
