/** A server with built pages and one app, for tests of pages. */
import { join } from 'node:path'
import { collectEnvironment, collectMigrations } from '../kernel/capability.ts'
import { parseConfig } from '../kernel/config.ts'
import { openDatabase } from '../kernel/db/database.ts'
import { createApp } from '../start/app.ts'
import { capabilities } from '../start/capabilities.ts'
import { writeBuiltPages } from './built-pages.ts'
import { testApp, testContext } from './context.ts'

export const hostOrigin = 'http://demo.localhost:4010'
export const id = 'a'.repeat(25)
export const dialogPath = (query = '') => `/apps/${id}/dialog${query}`
export const walletPath = (query = '') => `/apps/${id}/embedded-wallets${query}`

export async function openPagesServer() {
  const built = writeBuiltPages()
  const database = openDatabase(join(built.dialogDist, '..', '..', 'data', 'test.sqlite'), {
    migrations: collectMigrations(capabilities),
  })
  await database.migrate()
  const context = await testContext(database, {
    config: { ...parseConfig({}, collectEnvironment(capabilities)), ...built },
  })
  await testApp(context, { id, origins: [hostOrigin, 'https://*.preview.example'] })
  const server = createApp(context, database)
  return {
    built,
    context,
    server,
    isMigrated: database.isMigrated,
    get: async (site: string, path: string, headers: Readonly<Record<string, string>> = {}) => {
      const host = `${site}.localhost:4000`
      return server.request(`http://${host}${path}`, { headers: { host, ...headers } })
    },
    close: async () => {
      await database.close()
      built.remove()
    },
  }
}
