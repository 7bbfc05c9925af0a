/** The Admin API of a test server that asks hooks on this machine. */
import type { HookKind } from '@latchkey/protocol/admin'
import { collectEnvironment } from '../../../kernel/capability.ts'
import { parseConfig } from '../../../kernel/config.ts'
import type { Database } from '../../../kernel/db/database.ts'
import { capabilities } from '../../../start/capabilities.ts'
import { createCommandContext } from '../../../testing/context.ts'
import { type AdminRequest, adminFixture } from '../../admin/testing/fixture.ts'
import { openHooks } from '../capability.ts'
import type { HookClientOptions } from '../client.ts'
import { hooksCommand } from '../command.ts'
import { hookLimits } from '../limits.ts'

export async function hookFixture(database: Database, options?: HookClientOptions) {
  const config = parseConfig({ WEBHOOKS_TO_THIS_MACHINE: 'true' }, collectEnvironment(capabilities))
  const base = await adminFixture(database, { config })
  const { context, app } = base
  openHooks(context, context.ports, options)
  const call = (method: string, path: string, request?: AdminRequest) =>
    base.call(method, `/apps/${app.id}/hooks${path}`, request)
  const run = (...args: string[]) => hooksCommand.run(app.id, args, context.db, createCommandContext(context))

  /** Creates a hook as an operator does. Returns its secret. */
  async function addHook(kind: HookKind, url: string, onFailure: 'allow' | 'deny' = 'allow') {
    const { type, lines } = await run('add', kind, url, '--on-failure', onFailure)
    if (type !== 'done') throw new Error(lines.join('\n'))
    // Processes remember the list of hooks for a moment.
    context.clock.advanceMs(hookLimits.freshMs)
    return /whsec_\S+/.exec(lines.join(' '))?.[0] ?? ''
  }

  /** Logs in by an e-mail code. Returns the status and the answer. */
  async function logIn(email = 'ada@acme.example') {
    const code = await base.browser.codeFor(email)
    return base.browser.call('loginWithEmailCode', { body: { email, code } })
  }
  return { ...base, callAdmin: base.call, call, run, addHook, logIn }
}
export type HookFixture = Awaited<ReturnType<typeof hookFixture>>

/** Returns the claims of a token, without verifying it. */
export const readClaims = (token: string) =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
