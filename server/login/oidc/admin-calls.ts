/** Calls of the Admin API about OpenID providers. */
import { type AdminOidcProvider, adminLimits, adminOidcRoutes } from '@latchkey/protocol/admin'
import type { ServerContext } from '../../kernel/context.ts'
import {
  type AdminEndpoint,
  AdminError,
  adminPreparedChange,
  adminRead,
} from '../../kernel/http/admin-endpoint.ts'
import { nowSeconds, type Reader } from '../../kernel/ports.ts'
import { isLocalHost } from '../../kernel/ssrf-safe-fetch.ts'
import { discover, type Metadata } from './discovery.ts'
import { getProviderUris, insertProvider, toLoginMethod, wrapClientSecret } from './providers.ts'
import * as store from './store.ts'

const describeProvider = (
  row: store.ProviderRow,
  { config }: Pick<ServerContext, 'config'>,
): AdminOidcProvider => ({
  id: row.id,
  loginMethod: toLoginMethod(row.id),
  name: row.name,
  issuer: row.issuer,
  clientId: row.client_id,
  state: row.disabled_at === null ? 'enabled' : 'disabled',
  ...getProviderUris(row, row.app_id, config.dialogOrigin),
  createdAt: new Date(row.created_at * 1_000).toISOString(),
})

async function requireProvider(
  reader: Reader,
  { appId, params }: { appId: string; params: Readonly<Record<string, string>> },
): Promise<store.ProviderRow> {
  const { provider: id = '' } = params
  const row = await store.findProvider(reader, appId, id)
  if (row === undefined) throw providerNotFound(id)
  return row
}
const providerNotFound = (id: string) =>
  new AdminError('provider_not_found', `The app has no OpenID provider ${id}`)

/** Reads the discovery document. A caller may name this machine only if the server itself runs for development. */
async function readMetadata({ config }: ServerContext, issuer: string): Promise<Metadata> {
  const hostname = URL.parse(issuer)?.hostname ?? ''
  if (isLocalHost(hostname) && !isLocalHost(new URL(config.dialogOrigin).hostname)) {
    throw new AdminError('issuer_not_accepted', 'The issuer must be public', { path: 'issuer' })
  }
  const discovery = await discover(issuer)
  if (discovery.type === 'found') return discovery.metadata
  throw new AdminError('issuer_not_accepted', discovery.lines.join('; '), { path: 'issuer' })
}

export const oidcEndpoints: AdminEndpoint[] = [
  adminRead(adminOidcRoutes.listOidcProviders, async ({ appId }, context) => ({
    output: {
      data: (await store.findProviders(context.db, appId)).map((row) => describeProvider(row, context)),
    },
  })),

  adminPreparedChange(
    adminOidcRoutes.createOidcProvider,
    async ({ appId, body }, context) => ({
      metadata: await readMetadata(context, body.issuer),
      wrappedSecret: await wrapClientSecret(context.kms, appId, body, body.clientSecret),
    }),
    async (trx, { appId, body }, context, prepared) => {
      if ((await store.findProviders(trx, appId)).length >= adminLimits.mostOidcProviders) {
        const most = adminLimits.mostOidcProviders
        throw new AdminError('too_many_providers', `An app has at most ${most} providers`)
      }
      const row = await insertProvider(trx, context.clock, appId, { ...body, ...prepared })
      if (row === undefined) {
        throw new AdminError('provider_exists', 'An id and an issuer have one provider each')
      }
      return { output: describeProvider(row, context) }
    },
  ),

  adminRead(adminOidcRoutes.getOidcProvider, async (call, context) => ({
    output: describeProvider(await requireProvider(context.db, call), context),
  })),

  adminPreparedChange(
    adminOidcRoutes.updateOidcProvider,
    async (call, { db, kms }) => {
      const row = await requireProvider(db, call)
      const { clientSecret } = call.body
      return {
        row,
        wrapped:
          clientSecret === undefined ? undefined : await wrapClientSecret(kms, call.appId, row, clientSecret),
      }
    },
    async (trx, { body: { name, state } }, context, { row, wrapped }) => {
      const disabledAt = state === 'disabled' ? (row.disabled_at ?? nowSeconds(context.clock)) : null
      const changed = await store.changeProvider(trx, row, {
        ...(name !== undefined && { name }),
        ...(wrapped !== undefined && { client_secret: wrapped }),
        ...(state !== undefined && { disabled_at: disabledAt }),
      })
      if (changed === undefined) throw providerNotFound(row.id)
      return { output: describeProvider(changed, context) }
    },
  ),

  adminPreparedChange(
    adminOidcRoutes.refreshOidcProvider,
    async (call, context) => {
      const row = await requireProvider(context.db, call)
      return { row, metadata: await readMetadata(context, row.issuer) }
    },
    async (trx, _call, context, { row, metadata }) => {
      const changed = await store.changeProvider(trx, row, { metadata: JSON.stringify(metadata) })
      if (changed === undefined) throw providerNotFound(row.id)
      return { output: describeProvider(changed, context) }
    },
  ),
]
