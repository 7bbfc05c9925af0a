/** The cross-app providers of an app, registered by its operator. Each has its own client key. */
import { generateKeyPairSync } from 'node:crypto'
import { type CrossAppProvider, getProviderAppId, LatchkeyError, product } from '@latchkey/protocol'
import type { CrossAppConnection, CrossAppScope } from '@latchkey/protocol/api'
import * as v from 'valibot'
import { computeThumbprint } from '../../kernel/http/proof/proof-key.ts'
import { randomId } from '../../kernel/ids.ts'
import { type Clock, type Kms, nowSeconds, type Reader } from '../../kernel/ports.ts'
import { type Described, type Endpoints, endpointsSchema } from './metadata.ts'
import * as store from './store.ts'

export type Provider = {
  appId: string
  providerAppId: string
  /** The display name for users. */
  name: string
  iconUrl: string | null
  customApiUrl: string | null
  issuer: string
  endpoints: Endpoints
  clientId: string
  publicKey: PublicKey
  readOnly: boolean
  createdAt: number
}

const publicKeySchema = v.object({
  kty: v.literal('EC'),
  crv: v.literal('P-256'),
  x: v.string(),
  y: v.string(),
  kid: v.string(),
  alg: v.literal('ES256'),
  use: v.literal('sig'),
})
export type PublicKey = v.InferOutput<typeof publicKeySchema>

const toProvider = (row: store.ProviderRow): Provider => ({
  appId: row.app_id,
  providerAppId: row.provider_app_id,
  name: row.own_name ?? row.name,
  iconUrl: row.own_icon_url ?? row.icon_url,
  customApiUrl: row.custom_api_url,
  issuer: row.issuer,
  endpoints: v.parse(endpointsSchema, JSON.parse(row.endpoints)),
  clientId: row.client_id,
  publicKey: v.parse(publicKeySchema, JSON.parse(row.public_key)),
  readOnly: row.read_only === 1,
  createdAt: row.created_at,
})

export const listProviders = async (reader: Reader, appId: string): Promise<Provider[]> =>
  (await store.findProviders(reader, appId)).map(toProvider)

export async function findProvider(
  reader: Reader,
  appId: string,
  providerAppId: string,
): Promise<Provider | undefined> {
  const row = await store.findProvider(reader, appId, providerAppId)
  return row && toProvider(row)
}

export const notConnected = () =>
  new LatchkeyError('cross_app_connection_not_allowed', 'Invalid connected app')

export async function requireProvider(
  reader: Reader,
  appId: string,
  provider: CrossAppProvider,
): Promise<Provider> {
  const registration = await findProvider(reader, appId, getProviderAppId(provider))
  if (!registration) throw notConnected()
  return registration
}

export const listScopes = ({ readOnly }: Pick<Provider, 'readOnly'>): CrossAppScope[] =>
  readOnly ? ['openid', 'wallet.read'] : ['openid', 'wallet.read', 'wallet.sign', 'wallet.send']

export const toConnection = (provider: Provider): CrossAppConnection => ({
  providerAppId: provider.providerAppId,
  providerAppName: provider.name,
  providerAppIconUrl: provider.iconUrl,
  providerAppCustomApiUrl: provider.customApiUrl,
  readOnly: provider.readOnly,
  issuer: provider.issuer,
  tokenEndpoint: provider.endpoints.token,
})

/** The redirect URI of a provider. */
export const getRedirectAddress = (dialogOrigin: string, providerAppId: string) =>
  `${dialogOrigin}/oauth/callback/${product.crossApp.provider(providerAppId)}`

type Registration = {
  described: Described
  ownName: string | null
  ownIconUrl: string | null
  readOnly: boolean
}

/** Returns undefined if the app has the provider already. */
export async function registerProvider(
  { db, kms, clock }: { db: Reader; kms: Kms; clock: Clock },
  appId: string,
  { described, ownName, ownIconUrl, readOnly }: Registration,
): Promise<Provider | undefined> {
  const id = randomId()
  const { secret, publicKey } = newKey()
  try {
    const row: store.ProviderRow = {
      id,
      app_id: appId,
      provider_app_id: described.appId,
      issuer: described.issuer,
      ...saidBy(described),
      own_name: ownName,
      own_icon_url: ownIconUrl,
      client_id: appId,
      public_key: JSON.stringify(publicKey),
      private_key: await kms.wrap('server-key', secret, wrappedFor(appId, described.appId, id)),
      read_only: readOnly ? 1 : 0,
      created_at: nowSeconds(clock),
    }
    return (await store.insertProvider(db, row)) ? toProvider(row) : undefined
  } finally {
    secret.fill(0)
  }
}

const saidBy = ({ name, iconUrl, customApiUrl, endpoints }: Described) => ({
  name,
  icon_url: iconUrl,
  custom_api_url: customApiUrl,
  endpoints: JSON.stringify(endpoints),
})

/** Updates the metadata from the stored issuer. Returns undefined if the app no longer has the provider. */
export async function refreshProvider(
  reader: Reader,
  appId: string,
  described: Described,
): Promise<Provider | undefined> {
  const row = await store.findProvider(reader, appId, described.appId)
  if (!row || row.issuer !== described.issuer) return undefined
  const fields = saidBy(described)
  await store.describeProvider(reader, row.id, fields)
  return toProvider({ ...row, ...fields })
}

export const removeProvider = store.removeProvider

function newKey(): { secret: Buffer; publicKey: PublicKey } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const point = { kty: 'EC', crv: 'P-256', x, y } as const
  return {
    secret: privateKey.export({ format: 'der', type: 'pkcs8' }),
    publicKey: { ...point, kid: computeThumbprint(point), alg: 'ES256', use: 'sig' },
  }
}

/** Associated data of the wrapped key, so that it does not open for another app or provider. */
const wrappedFor = (appId: string, providerAppId: string, id: string) =>
  Buffer.from(`cross-app/${appId}/${providerAppId}/${id}`)

/** The private client key of the app at the provider. */
export async function getPrivateKey(
  { db, kms }: { db: Reader; kms: Kms },
  { appId, providerAppId }: Provider,
): Promise<CryptoKey> {
  const row = await store.findProvider(db, appId, providerAppId)
  if (!row) throw notConnected()
  const secret = await kms.unwrap('server-key', row.private_key, wrappedFor(appId, providerAppId, row.id))
  try {
    const { subtle } = globalThis.crypto
    const curve = { name: 'ECDSA', namedCurve: 'P-256' }
    return await subtle.importKey('pkcs8', Uint8Array.from(secret), curve, false, ['sign'])
  } finally {
    secret.fill(0)
  }
}
