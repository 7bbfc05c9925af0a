/** A real provider with its own server, database and clock. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { collectMigrations } from '../../../kernel/capability.ts'
import { openDatabase } from '../../../kernel/db/database.ts'
import { connectedAppsCommand } from '../../../platform/provider/command.ts'
import { providerFixture } from '../../../platform/provider/testing/fixture.ts'
import { capabilities } from '../../../start/capabilities.ts'
import { createCommandContext } from '../../../testing/context.ts'

export async function startRealProvider() {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-provider-'))
  const database = openDatabase(join(folder, 'provider.sqlite'), {
    migrations: collectMigrations(capabilities),
  })
  await database.migrate()
  const fixture = await providerFixture(database, { atItsPort: true })
  const { app, context, issuer } = fixture
  const owner = await fixture.newSession()

  /** The command that the provider's operator must run. */
  const letIn = (line: string) => {
    const words = [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '')
    const [command, appId, ...args] = words.slice(words.indexOf('app') + 1)
    if (command !== 'requesters' || appId !== app.id) throw new Error(line)
    return fixture.requesters(...args)
  }

  /** Logs in at the provider in the window, and decides on the wallet page. */
  async function decide(url: URL, decision: 'allow' | 'deny' = 'allow', change: object = {}, by = owner) {
    const agent = fixture.newUserAgent()
    const { headers } = await agent.open(url.href)
    const interaction = /#authorize\.(.+)$/.exec(headers.location ?? '')?.[1] ?? ''
    const scopes = url.searchParams.get('scope')?.split(' ') ?? []
    if (decision === 'allow') return fixture.allowed({ agent, interaction }, by, { scopes, ...change })
    const { answer } = await fixture.decide(by, interaction, { decision: 'deny' })
    const { resumed } = await fixture.finish(agent, answer)
    return new URL(resumed?.headers.location ?? 'about:blank')
  }

  const tellOf = async (token: string) =>
    (await connectedAppsCommand.run(app.id, ['token', token], context.db, createCommandContext(context)))
      .lines

  return {
    ...fixture,
    owner,
    appId: app.id,
    provider: `latchkey:${app.id}`,
    issuer,
    tokenEndpoint: `${issuer}/token`,
    letIn,
    decide,
    tellOf,
    async stop() {
      await fixture.close()
      await database.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
export type RealProvider = Awaited<ReturnType<typeof startRealProvider>>
