/** The Admin API of a test server, with an app, a user in it, and keys. */

import { type AdminScope, adminPrefix, adminScopeNames } from '@latchkey/protocol/admin'
import { URI } from 'otpauth'
import { mfaFixture } from '../../../account/verification/testing/fixture.ts'
import type { TestSession } from '../../../identity/sessions/testing/browser.ts'
import { chains } from '../../../integrations/chains/chains.ts'
import { createRpcChains } from '../../../integrations/chains/rpc-chains.ts'
import { collectEnvironment } from '../../../kernel/capability.ts'
import { parseConfig, type ServerConfig } from '../../../kernel/config.ts'
import type { Database } from '../../../kernel/db/database.ts'
import { capabilities } from '../../../start/capabilities.ts'
import { createAdminApp, createAdminKey } from '../admin.ts'
import { withAdminTables } from '../tables.ts'

export const adminOrigin = 'http://admin.localhost:4100'

export type AdminRequest = {
  key?: string | undefined
  body?: unknown
  headers?: Readonly<Record<string, string>>
  /** The address of the client's socket. */
  address?: string
  /** The configuration of another process of the same server. */
  config?: ServerConfig
}

export async function adminFixture(database: Database, changes: { config?: ServerConfig } = {}) {
  const config = parseConfig(
    { ADMIN_ADDRESS: '127.0.0.1:4100', ADMIN_ORIGIN: adminOrigin },
    collectEnvironment(capabilities),
  )
  const base = await mfaFixture(database, { config, ...changes })
  const { context, app, server: publicServer } = base
  // Apps name their nodes, because the environment has none.
  chains.set(context.ports, createRpcChains(new Map()))
  const endpoints = capabilities.flatMap(({ adminEndpoints = [] }) => adminEndpoints)
  const server = createAdminApp(context, endpoints)
  const newKey = async ({
    scopes = adminScopeNames,
    appId = app.id,
    networks = [],
    days = 90,
    operator = 'grace',
  }: {
    scopes?: AdminScope[]
    appId?: string | null
    networks?: string[]
    days?: number
    operator?: string
  } = {}) =>
    (
      await context.transaction((trx) =>
        createAdminKey(trx, context.clock, { name: 'support', operator, scopes, appId, networks, days }),
      )
    ).secret
  const key = await newKey()

  /** Sends a call with the key of the fixture unless another one is passed. */
  const call = async (method: string, path: string, request: AdminRequest = {}) => {
    const { body, headers = {}, address, config } = request
    const target = config ? createAdminApp({ ...context, config }, endpoints) : server
    const sentKey = 'key' in request ? request.key : key
    const answer = await target.request(
      `http://127.0.0.1:4100${adminPrefix}${path}`,
      {
        method,
        headers: {
          ...(sentKey !== undefined && { authorization: `Bearer ${sentKey}` }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && {
          body: typeof body === 'string' || body instanceof Blob ? body : JSON.stringify(body),
        }),
      },
      { incoming: { socket: { remoteAddress: address } } },
    )
    const text = await answer.text()
    const isStream = answer.headers.get('content-type') === 'application/x-ndjson'
    const json = isStream ? `[${text.trim().split('\n').join(',')}]` : text
    return {
      status: answer.status,
      headers: answer.headers,
      text,
      body: json === '' ? undefined : JSON.parse(json),
    }
  }
  const readAudit = (chain: string = app.id) =>
    withAdminTables(context.db)
      .selectFrom('admin_audit')
      .selectAll()
      .where('chain', '=', chain)
      .orderBy('sequence')
      .execute()
  const enrolTotp = async (session: TestSession) => {
    const inMfa = base.inMfa(session)
    const { totpAuthUrl } = await base.beginTotp(inMfa)
    await inMfa('enrollTotp', { code: URI.parse(totpAuthUrl).generate({ timestamp: context.clock.nowMs() }) })
  }
  return { ...base, publicServer, server, enrolTotp, scopes: adminScopeNames, key, newKey, call, readAudit }
}
export type AdminFixture = Awaited<ReturnType<typeof adminFixture>>
