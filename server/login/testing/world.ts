/** Logins over HTTP, as one browser at one app sees them that has a way to log in turned on. */
import { changeSettings } from '../../identity/apps/manage.ts'
import { testBrowser, testServer } from '../../identity/sessions/testing/browser.ts'
import { createTokenVerifier } from '../../identity/sessions/verifier.ts'
import type { ServerConfig } from '../../kernel/config.ts'
import type { Database } from '../../kernel/db/database.ts'
import { testApp, testContext } from '../../testing/context.ts'
import { listeningLog } from '../../testing/log.ts'

type Settings = readonly (readonly [name: string, value: unknown])[]

export async function loginWorld(
  database: Database,
  settings: Settings,
  changes: { readonly config?: ServerConfig } = {},
) {
  const { log, logged, everyLine } = listeningLog()
  const context = await testContext(database, {
    ...changes,
    log,
    verifyToken: (own) => (token) => createTokenVerifier(own())(token),
  })
  /** As an operator sets them, and until the server has noticed. */
  const set = async (changed: Settings, appId = app.id) => {
    const { capabilities, config } = context
    await changeSettings(context.db, context.clock, appId, changed, {
      unbuiltSettings: capabilities.unbuiltSettings,
      ownOrigins: config.ownOrigins,
    })
    context.clock.advanceSeconds(5)
  }
  /** One more that has it on. */
  const newApp = async () => {
    const made = await testApp(context)
    await set(settings, made.id)
    return made
  }
  const app = await newApp()
  const server = testServer(context)
  const newBrowser = (at = app) => testBrowser(server, context, at)
  /** Whom it was written down of, and with which details. */
  const audited = async (event: string) => {
    const rows = await context.db.selectFrom('audit_log').selectAll().where('event', '=', event).execute()
    return rows.map(({ user_id, details }) => ({ userId: user_id, details: JSON.parse(details) }))
  }
  return {
    context,
    app,
    server,
    browser: newBrowser(),
    newApp,
    newBrowser,
    set,
    audited,
    /** What the operator reads of warnings and worse; and all of it. */
    logged,
    everyLine,
  }
}
