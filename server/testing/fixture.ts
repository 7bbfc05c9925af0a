/**
 * An app with these settings on a server, and browsers that call it. The tests of an area add their parts to it, by a
 * function beside them that spreads it into what it returns.
 */

import { type Logger, pino } from 'pino'
import { changeSettings } from '../identity/apps/manage.ts'
import { testBrowser, testServer } from '../identity/sessions/testing/browser.ts'
import { createTokenVerifier } from '../identity/sessions/tokens/verifier.ts'
import type { ServerConfig } from '../kernel/config.ts'
import type { Database } from '../kernel/db/database.ts'
import { fieldsOfCall } from '../kernel/telemetry/current-call.ts'
import { testApp, testContext } from './context.ts'

type Settings = readonly (readonly [name: string, value: unknown])[]

export async function appFixture(
  database: Database,
  settings: Settings = [],
  changes: { config?: ServerConfig } = {},
) {
  const { log, logged, everyLine } = listeningLog()
  const context = await testContext(database, {
    ...changes,
    log,
    verifyToken: (own) => (token, of) => createTokenVerifier(own())(token, of),
  })
  /** Sets them as an operator does, and waits until the server has noticed. */
  const set = async (changed: Settings, appId = app.id) => {
    const { capabilities, config } = context
    await changeSettings(context.db, context.clock, appId, changed, {
      unbuiltSettings: capabilities.unbuiltSettings,
      ownOrigins: config.ownOrigins,
    })
    context.clock.advanceSeconds(5)
  }
  /** One more app with these settings. */
  const newApp = async () => {
    const made = await testApp(context)
    await set(settings, made.id)
    return made
  }
  const app = await newApp()
  const server = testServer(context)
  const newBrowser = (at = app) => testBrowser(server, context, at)
  /** The rows of the audit log about an event: whose it is, and its details. */
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
    /** The warnings that an operator reads, and whatever is worse; `everyLine` is the whole log. */
    logged,
    everyLine,
  }
}
export type AppFixture = Awaited<ReturnType<typeof appFixture>>

/** A log whose lines a test reads. */
type ListeningLog = {
  log: Logger
  /** Warnings, and what is worse. */
  logged: () => readonly unknown[]
  /** All of it, as it is written where an operator wants the most. */
  everyLine: () => string
}

export function listeningLog(): ListeningLog {
  const lines: string[] = []
  const log = pino(
    { level: 'trace', base: null, mixin: fieldsOfCall },
    { write: (line: string) => lines.push(line) },
  )
  const { warn } = log.levels.values
  return {
    log,
    logged: () => lines.map((line) => JSON.parse(line)).filter(({ level }) => level >= (warn ?? 0)),
    everyLine: () => lines.join(''),
  }
}
