/** The commands of `latchkey app`. */

import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { allLoginMethodRows } from '@latchkey/protocol'
import { parseOrigins } from '../../identity/apps/apps.ts'
import {
  AppRefusal,
  changeAllowlist,
  changeOrigins,
  changeSettings,
  createApp,
  describeApp,
  environments,
  requireApp,
} from '../../identity/apps/manage.ts'
import { recountPlaces } from '../../identity/apps/places.ts'
import { appById, listAllowlist, listApps } from '../../identity/apps/store.ts'
import { appLimits } from '../../kernel/app-settings/limits.ts'
import { contentHash } from '../../kernel/built-files.ts'
import { collectEnvironment, createUnbuiltSettings } from '../../kernel/capability.ts'
import { parseConfig } from '../../kernel/config.ts'
import { AdminError } from '../../kernel/http/admin-endpoint.ts'
import { openKms } from '../../kernel/keys/keys.ts'
import { loaderName, moduleName } from '../../pages/loaders/loaders.ts'
import { capabilities } from '../capabilities.ts'
import { audit } from './audit.ts'
import type { Command, Tool } from './command.ts'
import { enable } from './enable.ts'
import { events } from './events.ts'
import { proposals } from './proposals.ts'
import { type GroupSpec, parseCommand, parseOptions, UsageError } from './spec.ts'
import { appSpec } from './specs/app.ts'
import { table } from './table.ts'

const capabilityCommands = capabilities.flatMap(({ appCommands = [] }) => appCommands)

/** Account types with a numeric identifier. */
const numbered = allLoginMethodRows
  .flatMap(({ account, identifier }) => (identifier === 'number' ? [account.entries.type.literal] : []))
  .join(', ')

const spec: GroupSpec = {
  ...appSpec,
  commands: {
    ...appSpec.commands,
    allowlist: {
      ...appSpec.commands.allowlist,
      details: `The types and their identifiers:
  email, phone, wallet      the address or the number
  google_oauth and so on    the provider's id of the user
  ${numbered.padEnd(25)} a number
  custom_auth               the issuer's id of the user
  cross_app                 <provider app id>:<its id of the user>
  oidc                      '<issuer> <its id of the user>'
Any account of a user lets them in, and so does an e-mail address that a provider has verified.`,
    },
    ...Object.fromEntries(capabilityCommands.map((command) => [command.name, command.spec])),
  },
}

/** The commands of the capabilities. Each runs for an existing app. */
const commandsByName = Object.fromEntries(
  capabilityCommands.map(({ name, run }): readonly [string, Command] => [
    name,
    async ([id, ...args], { database, clock, config, environment, print }) => {
      const { db } = database
      if (id === undefined) throw new UsageError()
      await requireApp(db, id)
      const result = await run(id, args, db, {
        clock,
        dialogOrigin: config.dialogOrigin,
        readConfig: () => parseConfig(environment, collectEnvironment(capabilities)),
        openKms: () => openKms({ database, clock, ...config }),
      })
      if (result.type === 'misused') throw new UsageError()
      if (result.type === 'refused') throw new AppRefusal(result.lines.join('\n'))
      for (const line of result.lines) print(line)
    },
  ]),
)

/** `latchkey app snippet`: prints HTML for the page of an app, which loads the loader of this server. */
const snippet: Command = async (args, { database, environment, print }) => {
  const { values, positionals } = parseCommand(appSpec.commands.snippet, args)
  if (values.module && values.queue)
    throw new AppRefusal('Use --queue with the script tag only, without --module')
  const app = await requireApp(database.db, positionals[0] ?? '')
  const { dialogOrigin, loaderDist } = parseConfig(environment, collectEnvironment(capabilities))
  const name = values.module ? moduleName : loaderName
  const file = readLoaderFile(loaderDist, name)
  const integrity = `sha384-${createHash('sha384').update(file).digest('base64')}`
  const url = `${dialogOrigin}/loader/${values.pin ? contentHash(file) : 'v1'}/${name}`
  if (values.module) {
    if (values.pin) print(`<script type="importmap">{ "integrity": { "${url}": "${integrity}" } }</script>`)
    print('<script type="module">')
    print(`  import { createLatchkey } from '${url}'`)
    print('')
    print(`  const latchkey = createLatchkey({ appId: '${app.id}' })`)
    print('</script>')
  } else {
    if (values.queue) print(readLoaderFile(loaderDist, 'queue-stub.txt').toString().trimEnd())
    const pinned = values.pin ? ` integrity="${integrity}" crossorigin="anonymous"` : ''
    print(
      `<script src="${url}"${pinned} data-app-id="${app.id}" ${values.queue ? 'async' : 'defer'}></script>`,
    )
  }
  const origins = parseOrigins(app)
  print('')
  print(
    origins.length === 0
      ? `<!-- No page may embed this app yet. Run: latchkey app origins ${app.id} add <origin of your page> -->`
      : `<!-- For pages of ${origins.join(', ')} -->`,
  )
}

function readLoaderFile(dist: string, name: string): Buffer {
  try {
    return readFileSync(join(dist, name))
  } catch {
    throw new AppRefusal(`The loader is not built: ${dist} lacks ${name}. Run: npm run build`)
  }
}

const commands: Readonly<Record<string, Command>> = {
  ...commandsByName,

  async create(args, { database: { db }, clock, print }) {
    const values = parseOptions(appSpec.commands.create, args)
    const { env = 'development' } = values
    const environment = environments.find((name) => name === env)
    if (values.name === undefined || !environment) throw new UsageError()
    if (values['if-missing']) {
      if (values.id === undefined) throw new AppRefusal('--if-missing needs --id.')
      if (await appById(db, values.id)) {
        return print(values.json ? JSON.stringify({ id: values.id }) : `App ${values.id} already exists.`)
      }
    }
    const app = await createApp(db, clock, {
      id: values.id,
      name: values.name,
      origins: values.origin ?? [],
      environment,
    })
    if (values.json) return print(JSON.stringify({ id: app.id }))
    print(`App id:  ${app.id}`)
  },

  async list(args, { database: { db }, print }) {
    const values = parseOptions(appSpec.commands.list, args)
    const apps = await listApps(db)
    if (values.json) return print(JSON.stringify(apps.map(describeApp), null, 2))
    if (apps.length === 0)
      return print('There are no apps yet. Create one: latchkey app create --name <name> --origin <origin>')
    const rows = apps.map((app) => [app.id, app.environment, app.name, parseOrigins(app).join(' ')])
    for (const line of table([['ID', 'ENVIRONMENT', 'NAME', 'ORIGINS'], ...rows])) print(line)
  },

  async show(args, { database: { db }, print }) {
    const { values, positionals } = parseCommand(appSpec.commands.show, args)
    const [id] = positionals
    if (id === undefined) throw new UsageError()
    const app = describeApp(await requireApp(db, id))
    if (values.json) return print(JSON.stringify(app, null, 2))
    const { config, ...columns } = app
    for (const line of table([...lines(columns), ...lines(config)])) print(line)
  },

  async set([id, ...pairs], { database, clock, config: { ownOrigins }, print }) {
    if (id === undefined || pairs.length === 0) throw new UsageError()
    const fields = pairs.map((pair) => {
      const at = pair.indexOf('=')
      if (at < 1) throw new AppRefusal(`"${pair}" is not of the form field=value.`)
      return [pair.slice(0, at), parseValue(pair.slice(at + 1))] as const
    })
    const app = await database.transaction((trx) =>
      changeSettings(trx, clock, id, fields, {
        unbuiltSettings: createUnbuiltSettings(capabilities),
        ownOrigins,
      }),
    )
    if (fields.some(([field]) => field === 'max_users') && app.max_users !== null) {
      // Servers that have not read the new limit yet create users without counting them, so count after they have.
      await sleep(2 * appLimits.directoryFreshMs)
      await database.transaction((trx) => recountPlaces(trx, id))
    }
    print(`Changed app ${id}.`)
  },

  audit,
  enable,
  events,
  proposals,
  snippet,

  async origins(args, { database, clock, print }) {
    const { values, positionals } = parseCommand(appSpec.commands.origins, args)
    const [id, action, ...origins] = positionals
    if (id === undefined) throw new UsageError()
    const printAll = (list: readonly string[]) =>
      values.json ? print(JSON.stringify(list)) : list.forEach(print)
    if (action === undefined) return printAll(parseOrigins(await requireApp(database.db, id)))
    if ((action !== 'add' && action !== 'remove') || origins.length === 0) throw new UsageError()
    printAll(await database.transaction((trx) => changeOrigins(trx, clock, id, { [action]: origins })))
  },

  async allowlist(args, { database: { db }, print }) {
    const { values, positionals } = parseCommand(appSpec.commands.allowlist, args)
    const [id, action, type, identifier] = positionals
    if (id === undefined) throw new UsageError()
    if (action === undefined) {
      await requireApp(db, id)
      const entries = await listAllowlist(db, id)
      if (values.json) {
        return print(
          JSON.stringify(entries.map((entry) => ({ type: entry.type, identifier: entry.identifier }))),
        )
      }
      for (const line of table(entries.map((entry) => [entry.type, entry.identifier]))) print(line)
      return
    }
    if ((action !== 'add' && action !== 'remove') || type === undefined || identifier === undefined)
      throw new UsageError()
    await changeAllowlist(db, id, action, type, identifier)
    if (values.json) print(JSON.stringify({ [action]: { type, identifier } }))
    else print(`Changed the allowlist of app ${id}.`)
  },
}

/** Parses JSON values (true, 3, null, ["a"]) and returns any other text unchanged. */
function parseValue(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

const lines = (record: unknown): (readonly string[])[] =>
  Object.entries(record ?? {}).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ])

export const appTool: Tool = {
  name: 'app',
  spec,
  commands,
  isRefusal: (error) => error instanceof AppRefusal || error instanceof AdminError,
}
