/** The registered apps that may request wallets. Only the operator's registration counts, nothing self-declared. */
import { exactOrigin } from '@latchkey/protocol'
import type { ClientMetadata } from 'oidc-provider'
import * as v from 'valibot'
import { isSecureContext } from '../../kernel/config.ts'
import { coordinate } from '../../kernel/http/proof/proof-key.ts'
import { isCurvePoint } from '../../kernel/keys/keys.ts'
import type { Reader, Trx } from '../../kernel/ports.ts'
import { providerLimits } from './limits.ts'
import { providerTables, type RequesterRow } from './tables.ts'

export type Requester = {
  name: string
  origin: string
  /** The origins that may receive a response: its own and those of its redirect URLs. */
  windowOrigins: readonly string[]
}
export type RegisteredRequester = Requester & {
  clientId: string
  redirectAddresses: readonly string[]
  jwk: v.InferOutput<typeof jwkSchema> | null
}
export type ClientName = { appId: string; clientId: string }

const toPoint = ({ x, y }: { x: string; y: string }) =>
  Buffer.concat([Buffer.from([4]), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')]).toString(
    'base64url',
  )
/** Strict, so that a private key is rejected. */
const jwkSchema = v.pipe(
  v.strictObject({
    kty: v.literal('EC'),
    crv: v.literal('P-256'),
    x: coordinate,
    y: coordinate,
    kid: v.exactOptional(v.pipe(v.string(), v.regex(/^[\x21-\x7e]{1,128}$/))),
    alg: v.exactOptional(v.literal('ES256')),
    use: v.exactOptional(v.literal('sig')),
  }),
  v.check((jwk) => isCurvePoint(toPoint(jwk)), 'This is not a P-256 point'),
)

const secure = 'It must be https, except on this machine'
const origin = v.pipe(
  v.string(),
  v.check((text) => exactOrigin(text) === text, 'An origin has no path'),
  v.check(isSecureContext, secure),
)
const redirectAddress = v.pipe(
  v.string(),
  v.maxLength(2_000),
  v.check((text) => {
    const url = URL.parse(text)
    return url !== null && url.href === text && url.hash === '' && url.username === '' && url.password === ''
  }, 'It is an address as a browser writes it, without a # and without a name in it'),
  v.check((text) => URL.canParse(text) && isSecureContext(text), secure),
)
export const registrationSchema = v.object({
  clientId: v.pipe(
    v.string(),
    v.regex(/^[A-Za-z0-9._-]{1,64}$/, 'It has up to 64 letters, digits and . _ -'),
  ),
  name: v.pipe(v.string(), v.trim(), v.nonEmpty(), v.maxLength(100), v.regex(/^\P{C}+$/u)),
  origin,
  redirectAddresses: v.pipe(
    v.array(redirectAddress),
    v.minLength(1),
    v.maxLength(providerLimits.maxRedirectAddresses),
  ),
  jwk: v.nullable(jwkSchema),
})
export type Registration = v.InferOutput<typeof registrationSchema>

export async function putRequester(
  reader: Reader,
  appId: string,
  { clientId, redirectAddresses, jwk, ...fields }: Registration,
  nowSeconds: number,
): Promise<void> {
  const row = {
    ...fields,
    redirect_addresses: JSON.stringify(redirectAddresses),
    jwk: jwk === null ? null : JSON.stringify(jwk),
  }
  await providerTables(reader)
    .insertInto('cross_app_requesters')
    .values({ app_id: appId, client_id: clientId, created_at: nowSeconds, ...row })
    .onConflict((conflict) => conflict.columns(['app_id', 'client_id']).doUpdateSet(row))
    .execute()
}

export async function findRequester(
  reader: Reader,
  { appId, clientId }: ClientName,
): Promise<RegisteredRequester | undefined> {
  const row = await providerTables(reader)
    .selectFrom('cross_app_requesters')
    .selectAll()
    .where('app_id', '=', appId)
    .where('client_id', '=', clientId)
    .executeTakeFirst()
  return row && toRequester(row)
}

export async function listRequesters(reader: Reader, appId: string): Promise<readonly RegisteredRequester[]> {
  const rows = await providerTables(reader)
    .selectFrom('cross_app_requesters')
    .selectAll()
    .where('app_id', '=', appId)
    .orderBy('created_at')
    .orderBy('client_id')
    .execute()
  return rows.map(toRequester)
}

/** Removes a requester. Returns false if it does not exist. */
export async function removeRequester(trx: Trx, { appId, clientId }: ClientName): Promise<boolean> {
  const removed = await providerTables(trx)
    .deleteFrom('cross_app_requesters')
    .where('app_id', '=', appId)
    .where('client_id', '=', clientId)
    .returning('client_id')
    .executeTakeFirst()
  return removed !== undefined
}

const addressesIn = v.parser(v.pipe(v.string(), v.parseJson(), v.array(v.string())))
const jwkIn = v.parser(v.pipe(v.string(), v.parseJson(), jwkSchema))

function toRequester(row: RequesterRow): RegisteredRequester {
  const redirectAddresses = addressesIn(row.redirect_addresses)
  const origins = redirectAddresses.map((address) => new URL(address).origin)
  return {
    clientId: row.client_id,
    name: row.name,
    origin: row.origin,
    windowOrigins: [...new Set([row.origin, ...origins])],
    redirectAddresses,
    jwk: row.jwk === null ? null : jwkIn(row.jwk),
  }
}

/**
 * Converts a requester to a client of `oidc-provider`. A client with a key authenticates with it. Tokens are always
 * bound to the browser's key.
 */
export const toClient = ({
  clientId,
  name,
  redirectAddresses,
  jwk,
}: RegisteredRequester): ClientMetadata => ({
  client_id: clientId,
  client_name: name,
  redirect_uris: [...redirectAddresses],
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  response_modes: ['query'],
  id_token_signed_response_alg: 'ES256',
  dpop_bound_access_tokens: true,
  ...(jwk === null
    ? { token_endpoint_auth_method: 'none' }
    : {
        token_endpoint_auth_method: 'private_key_jwt',
        token_endpoint_auth_signing_alg: 'ES256',
        jwks: { keys: [jwk] },
      }),
})
