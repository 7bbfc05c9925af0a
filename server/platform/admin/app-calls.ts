/** Calls about apps. The changes are the functions that `latchkey app` calls. */
import { type AdminListedApp, adminAppRoutes, adminLimits } from '@latchkey/protocol/admin'
import * as v from 'valibot'
import {
  type AppRow,
  appById,
  changeAllowlist,
  changeSettings,
  createApp,
  describeApp,
  findWidenedSettings,
  parseOrigins,
  readAllowlistPage,
  readAppsPage,
} from '../../identity/apps/apps.ts'
import { type AdminEndpoint, AdminError, adminChange, adminRead } from '../../kernel/http/admin-endpoint.ts'
import type { Reader } from '../../kernel/ports.ts'
import { assertEveryApp, assertMatches, digestObject } from './calls.ts'
import { formatPosition, formatTime, invalidCursor, parsePosition, toPage } from './pages.ts'

const describeListedApp = (app: AppRow): AdminListedApp => ({
  id: app.id,
  name: app.name,
  environment: app.environment,
  allowedOrigins: [...parseOrigins(app)],
  createdAt: formatTime(app.created_at),
  updatedAt: formatTime(app.updated_at),
})

/** Returns the app with every setting by the name that `latchkey app set` uses, and the digest of this object. */
function describeWholeApp(app: AppRow) {
  const { id: _, created_at: __, updated_at: ___, config, ...columns } = describeApp(app)
  const output = { ...describeListedApp(app), settings: { ...columns, ...Object(config) } }
  return { output, digest: digestObject(output) }
}

async function readApp(reader: Reader, { appId }: { appId: string }): Promise<AppRow> {
  const app = await appById(reader, appId)
  if (app === undefined) throw new AdminError('app_not_found', `There is no app ${appId}`)
  return app
}

/** Refuses a change that one operator may not make alone. */
function assertNotWidened(before: AppRow, after: AppRow): void {
  const widened = findWidenedSettings(before, after)
  if (widened.length > 0) {
    throw new AdminError(
      'needs_proposal',
      `Propose the change of ${widened.join(', ')} with POST /apps/${before.id}/proposals`,
      {
        path: 'settings',
      },
    )
  }
  if (before.max_users === null && after.max_users !== null) {
    throw new AdminError(
      'not_supported',
      'Run latchkey app set, which counts the users before the limit holds',
      {
        path: 'settings.max_users',
      },
    )
  }
}

const allowlistCursor = v.pipe(v.string(), v.parseJson(), v.strictTuple([v.string(), v.string()]))

function parseAllowlistCursor(text: string | undefined) {
  if (text === undefined) return undefined
  const parsed = v.safeParse(allowlistCursor, Buffer.from(text, 'base64url').toString())
  if (!parsed.success) throw invalidCursor()
  const [type, identifier] = parsed.output
  return { type, identifier }
}

export const appEndpoints: AdminEndpoint[] = [
  adminRead(adminAppRoutes.listApps, async ({ caller, query }, { db }) => {
    const { after, limit = adminLimits.defaultPerPage } = query
    const apps = await readAppsPage(db, caller.appId, parsePosition(after), limit + 1)
    const { page, next } = toPage(apps, limit, ({ created_at: at, id }) => formatPosition({ at, id }))
    return { output: { data: page.map(describeListedApp), next } }
  }),

  adminChange(adminAppRoutes.createApp, async (trx, { caller, body }, { clock }) => {
    assertEveryApp(caller)
    const { name, environment = 'development', allowedOrigins = [] } = body
    const app = await createApp(trx, clock, { name, environment, origins: allowedOrigins })
    return { output: { id: app.id }, digest: describeWholeApp(app).digest }
  }),

  adminRead(adminAppRoutes.getApp, async (call, { db }) => describeWholeApp(await readApp(db, call))),

  adminChange(adminAppRoutes.updateApp, async (trx, call, { clock, config, capabilities }) => {
    let earlierDigest = ''
    const changed = await changeSettings(trx, clock, call.appId, Object.entries(call.body.settings), {
      unbuiltSettings: capabilities.unbuiltSettings,
      ownOrigins: config.ownOrigins,
      authorize(earlier, later) {
        earlierDigest = describeWholeApp(earlier).digest
        assertMatches(call, earlierDigest)
        assertNotWidened(earlier, later)
      },
    })
    return { ...describeWholeApp(changed), before: earlierDigest }
  }),

  adminRead(adminAppRoutes.listAllowlist, async ({ appId, query }, { db }) => {
    const { after, limit = adminLimits.defaultPerPage } = query
    const entries = await readAllowlistPage(db, appId, parseAllowlistCursor(after), limit + 1)
    const { page, next } = toPage(entries, limit, ({ type, identifier }) =>
      Buffer.from(JSON.stringify([type, identifier])).toString('base64url'),
    )
    return { output: { data: page, next } }
  }),

  adminChange(adminAppRoutes.updateAllowlist, async (trx, { appId, body }) => {
    const { add = [], remove = [] } = body
    for (const { type, identifier } of add) await changeAllowlist(trx, appId, 'add', type, identifier)
    for (const { type, identifier } of remove) await changeAllowlist(trx, appId, 'remove', type, identifier)
    return { output: { added: add.length, removed: remove.length } }
  }),
]
