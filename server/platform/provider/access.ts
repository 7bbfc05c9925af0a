/** What an app may do with a wallet of a user of another one, by the access token that it brings. */
import { serverLimits } from '@latchkey/protocol'
import * as v from 'valibot'
import type { ServerContext } from '../../kernel/context.ts'
import { proofHash } from '../../kernel/http/proof/proof.ts'
import { computeThumbprint, isSignedBy, readCompact } from '../../kernel/http/proof/proof-key.ts'
import { withPepperRetry } from '../../kernel/keys/keys.ts'
import { type App, nowSeconds, type Reader, type Trx } from '../../kernel/ports.ts'
import { type Connection, connectionIn, livingConnections, livingRow, scopesIn } from './connections.ts'
import { addRecord, findRecord } from './openid/records.ts'
import { providerTables } from './tables.ts'

export type { Connection } from './connections.ts'

export type Access = Omit<Connection, 'id'> & { connectionId: string }

export type AccessRequest = {
  method: string
  /** The whole address that was called, without a query. */
  url: string
  authorization: string | undefined
  dpop: string | undefined
}

/** A refusal in the form of OAuth: `{ error, error_description }` with this status. */
export class ProviderRefusal extends Error {
  override readonly name = 'ProviderRefusal'
  readonly status: 400 | 401 | 403 | 404 | 429 | 503
  readonly error: string
  constructor(status: ProviderRefusal['status'], error: string, description: string) {
    super(description)
    this.status = status
    this.error = error
  }
}

const proofClaims = v.object({
  htm: v.string(),
  htu: v.string(),
  iat: v.number(),
  jti: v.pipe(v.string(), v.minLength(1), v.maxLength(255)),
  ath: v.string(),
})

const noToken = (says: string) => new ProviderRefusal(401, 'invalid_token', says)

/** Gives the access of a token that is bound to the key of this proof (RFC 9449); throws `ProviderRefusal`. */
export async function accessOf(context: ServerContext, app: App, request: AccessRequest): Promise<Access> {
  if (!app.config.crossAppProvider) {
    throw new ProviderRefusal(404, 'invalid_request', 'The wallets of this app are not used in other apps')
  }
  const [, token] = /^DPoP ([A-Za-z0-9_-]{20,200})$/i.exec(request.authorization ?? '') ?? []
  if (token === undefined) throw noToken('A token is sent as Authorization: DPoP')
  const { db, keyring } = context
  const name = { appId: app.id, kind: 'AccessToken', id: token }
  const record = await withPepperRetry(keyring, () => findRecord(db, context, name))
  const { accountId: userId, clientId, scope, jkt } = record ?? {}
  if (userId === undefined || clientId === undefined || jkt === undefined) throw noToken('This token is over')
  await assertProof(context, { ...request, appId: app.id, token, key: jkt })
  const row = await livingRow(db, { appId: app.id, userId, clientId })
  const connection = row && (await connectionIn(db, row))
  if (!connection) throw noToken('The user has ended this connection')
  const { id: connectionId, scopes, ...rest } = connection
  const ofToken = scopesIn(scope ?? '')
  return { ...rest, connectionId, scopes: scopes.filter((each) => ofToken.includes(each)) }
}

type Proven = AccessRequest & { appId: string; token: string; key: string }

async function assertProof(
  context: ServerContext,
  { method, url, dpop = '', appId, token, key }: Proven,
): Promise<void> {
  const refused = (says: string) => new ProviderRefusal(401, 'invalid_token', `The proof ${says}`)
  const read = readCompact(dpop, 'dpop+jwt', proofClaims)
  if (!read) throw refused('is missing, or is none of RFC 9449 with ES256')
  const { jwk, claims, signed, signature } = read
  if (computeThumbprint(jwk) !== key) throw refused('is of another key than the token')
  if (claims.htm !== method) throw refused('is for another method')
  if (addressOf(claims.htu) !== addressOf(url)) throw refused('is for another address')
  if (claims.ath !== proofHash(token)) throw refused('is for another token')
  const { proofMaxAgeSeconds, clockSkewSeconds } = serverLimits
  const age = nowSeconds(context.clock) - claims.iat
  if (age >= proofMaxAgeSeconds + clockSkewSeconds || age <= -clockSkewSeconds) {
    throw refused('is too old, or of later')
  }
  if (!isSignedBy(key, jwk, signed, signature)) throw refused('is not signed by its key')
  // Last, so that nobody but the key's owner uses up a name.
  const name = { appId, kind: 'ProofUsed', id: `${key}\n${claims.jti}` }
  const keptSeconds = proofMaxAgeSeconds + 2 * clockSkewSeconds
  if (!(await addRecord(context.db, context, name, {}, keptSeconds))) throw refused('was used before')
}

/** The address without what a proof leaves out; undefined where it is none, which equals no address. */
function addressOf(text: string): string | undefined {
  const url = URL.parse(text)
  return url ? url.origin + url.pathname : undefined
}

/** A living one. */
export async function connectionOf(
  reader: Reader,
  { appId, userId, connectionId }: Pick<Access, 'appId' | 'userId' | 'connectionId'>,
): Promise<Connection | undefined> {
  const row = (await livingConnections(reader, { appId, userId })).find(({ id }) => id === connectionId)
  return row && connectionIn(reader, row)
}

export async function noteUse(trx: Trx, connectionId: string, atSeconds: number): Promise<void> {
  await providerTables(trx)
    .updateTable('connected_apps')
    .set({ last_used_at: atSeconds })
    .where('id', '=', connectionId)
    .where('ended_at', 'is', null)
    .execute()
}
