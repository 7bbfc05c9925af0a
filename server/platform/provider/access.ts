/** Verifies access tokens of requesters and returns the access they grant. */
import { serverLimits } from '@latchkey/protocol'
import * as v from 'valibot'
import type { ServerContext } from '../../kernel/context.ts'
import { proofHash } from '../../kernel/http/proof/proof.ts'
import { computeThumbprint, isSignedBy, readCompact } from '../../kernel/http/proof/proof-key.ts'
import { withPepperRetry } from '../../kernel/keys/keys.ts'
import { type App, nowSeconds, type Reader, type Trx } from '../../kernel/ports.ts'
import {
  type Connection,
  findActiveConnections,
  findActiveRow,
  parseScopes,
  toConnection,
} from './connections.ts'
import { addRecord, findRecord } from './openid/records.ts'
import { providerTables } from './tables.ts'

export type { Connection } from './connections.ts'

export type Access = Omit<Connection, 'id'> & { connectionId: string }

export type AccessRequest = {
  method: string
  /** The request URL without query. */
  url: string
  authorization: string | undefined
  dpop: string | undefined
}

/** An OAuth error response: `{ error, error_description }` with this status. */
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

/** Returns the access of a DPoP-bound token (RFC 9449), or throws `ProviderRefusal`. */
export async function verifyAccess(
  context: ServerContext,
  app: App,
  request: AccessRequest,
): Promise<Access> {
  if (!app.config.crossAppProvider) {
    throw new ProviderRefusal(404, 'invalid_request', 'The wallets of this app are not used in other apps')
  }
  const [, token] = /^DPoP ([A-Za-z0-9_-]{20,200})$/i.exec(request.authorization ?? '') ?? []
  if (token === undefined) throw noToken('The token must be sent as Authorization: DPoP')
  const { db, keyring } = context
  const name = { appId: app.id, kind: 'AccessToken', id: token }
  const record = await withPepperRetry(keyring, () => findRecord(db, context, name))
  const { accountId: userId, clientId, scope, jkt } = record ?? {}
  if (userId === undefined || clientId === undefined || jkt === undefined)
    throw noToken('This token is expired or invalid')
  await assertProof(context, { ...request, appId: app.id, token, key: jkt })
  const row = await findActiveRow(db, { appId: app.id, userId, clientId })
  const connection = row && (await toConnection(db, row))
  if (!connection) throw noToken('The user has ended this connection')
  const { id: connectionId, scopes, ...rest } = connection
  const ofToken = parseScopes(scope ?? '')
  return { ...rest, connectionId, scopes: scopes.filter((each) => ofToken.includes(each)) }
}

type ProvenRequest = AccessRequest & { appId: string; token: string; key: string }

async function assertProof(
  context: ServerContext,
  { method, url, dpop = '', appId, token, key }: ProvenRequest,
): Promise<void> {
  const refused = (says: string) => new ProviderRefusal(401, 'invalid_token', `The proof ${says}`)
  const read = readCompact(dpop, 'dpop+jwt', proofClaims)
  if (!read) throw refused('is missing, or is none of RFC 9449 with ES256')
  const { jwk, claims, signed, signature } = read
  if (computeThumbprint(jwk) !== key) throw refused('is of another key than the token')
  if (claims.htm !== method) throw refused('is for another method')
  if (normalizeUrl(claims.htu) !== normalizeUrl(url)) throw refused('is for another address')
  if (claims.ath !== proofHash(token)) throw refused('is for another token')
  const { proofMaxAgeSeconds, clockSkewSeconds } = serverLimits
  const age = nowSeconds(context.clock) - claims.iat
  if (age >= proofMaxAgeSeconds + clockSkewSeconds || age <= -clockSkewSeconds) {
    throw refused('is too old, or of later')
  }
  if (!isSignedBy(key, jwk, signed, signature)) throw refused('is not signed by its key')
  // Checked last, so that only the key's owner can consume a jti.
  const name = { appId, kind: 'ProofUsed', id: `${key}\n${claims.jti}` }
  const keptSeconds = proofMaxAgeSeconds + 2 * clockSkewSeconds
  if (!(await addRecord(context.db, context, name, {}, keptSeconds))) throw refused('was used before')
}

/** Returns the URL without query and fragment, or undefined if it is invalid. */
function normalizeUrl(text: string): string | undefined {
  const url = URL.parse(text)
  return url ? url.origin + url.pathname : undefined
}

/** Finds an active connection by its id. */
export async function findConnection(
  reader: Reader,
  { appId, userId, connectionId }: Pick<Access, 'appId' | 'userId' | 'connectionId'>,
): Promise<Connection | undefined> {
  const row = (await findActiveConnections(reader, { appId, userId })).find(({ id }) => id === connectionId)
  return row && toConnection(reader, row)
}

export async function noteUse(trx: Trx, connectionId: string, atSeconds: number): Promise<void> {
  await providerTables(trx)
    .updateTable('connected_apps')
    .set({ last_used_at: atSeconds })
    .where('id', '=', connectionId)
    .where('ended_at', 'is', null)
    .execute()
}
