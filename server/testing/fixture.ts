/**
 * An app with given settings on a test server, and browsers that call it. Areas extend it with a fixture of their own
 * that spreads it into its result.
 */

import { type Logger, pino } from 'pino'
import { changeSettings } from '../identity/apps/manage.ts'
import { testBrowser, testServer } from '../identity/sessions/testing/browser.ts'
import { createTokenVerifier } from '../identity/sessions/tokens/verifier.ts'
import type { ServerConfig } from '../kernel/config.ts'
import type { Database } from '../kernel/db/database.ts'
import { getCallFields } from '../kernel/telemetry/current-call.ts'
import { testApp, testContext } from './context.ts'

type Settings = readonly (readonly [name: string, value: unknown])[]

export async function appFixture(
  database: Database,
  settings: Settings = [],
  changes: { config?: ServerConfig } = {},
) {
  const { log, logged, everyLine } = createTestLog()
  const context = await testContext(database, {
    ...changes,
    log,
    verifyToken: (own) => (token, of) => createTokenVerifier(own())(token, of),
  })
  /** Changes settings like an operator, and waits until the server has read them. */
  const set = async (changed: Settings, appId = app.id) => {
    const { capabilities, config } = context
    await changeSettings(context.db, context.clock, appId, changed, {
      unbuiltSettings: capabilities.unbuiltSettings,
      ownOrigins: config.ownOrigins,
    })
    context.clock.advanceSeconds(5)
  }
  /** Creates another app with the same settings. */
  const newApp = async () => {
    const made = await testApp(context)
    await set(settings, made.id)
    return made
  }
  const app = await newApp()
  const server = testServer(context)
  const newBrowser = (at = app) => testBrowser(server, context, at)
  /** Returns the audit entries of an event, with user and details. */
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
    /** Warnings and errors of the log; `everyLine` is the whole log. */
    logged,
    everyLine,
  }
}
export type AppFixture = Awaited<ReturnType<typeof appFixture>>

/** A log that tests can read. */
type ListeningLog = {
  log: Logger
  /** Warnings and errors. */
  logged: () => readonly unknown[]
  /** All lines, at the most verbose level. */
  everyLine: () => string
}

export function createTestLog(): ListeningLog {
  const lines: string[] = []
  const log = pino(
    { level: 'trace', base: null, mixin: getCallFields },
    { write: (line: string) => lines.push(line) },
  )
  const { warn } = log.levels.values
  return {
    log,
    logged: () => lines.map((line) => JSON.parse(line)).filter(({ level }) => level >= (warn ?? 0)),
    everyLine: () => lines.join(''),
  }
}
