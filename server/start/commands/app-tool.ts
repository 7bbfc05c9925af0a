/** The commands of `npm run app`. */

import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { allLoginMethodRows, toWire } from '@latchkey/protocol'
import { parseOrigins, parseStoredConfig } from '../../identity/apps/apps.ts'
import {
  AppRefusal,
  changeAllowlist,
  changeOrigins,
  changeSettings,
  createApp,
  environments,
  requireApp,
} from '../../identity/apps/manage.ts'
import { recountPlaces } from '../../identity/apps/places.ts'
import { type AppRow, appById, listAllowlist, listApps } from '../../identity/apps/store.ts'
import { appLimits } from '../../kernel/app-settings/limits.ts'
import { storedConfigSchema } from '../../kernel/app-settings/stored-config.ts'
import { contentHash } from '../../kernel/built-files.ts'
import { collectEnvironment, createForget, createUnbuiltSettings } from '../../kernel/capability.ts'
import { parseConfig } from '../../kernel/config.ts'
import { openKms } from '../../kernel/keys/keys.ts'
import { loaderName, moduleName } from '../../pages/loaders/loaders.ts'
import { capabilities } from '../capabilities.ts'
import { audit } from './audit.ts'
import type { Command, Tool } from './command.ts'
import { enable } from './enable.ts'
import { table } from './table.ts'
import { users, usersUsage } from './users.ts'

const capabilityCommands = capabilities.flatMap(({ appCommands = [] }) => appCommands)

/** Account types with a numeric identifier. */
const numbered = allLoginMethodRows
  .flatMap(({ account, identifier }) => (identifier === 'number' ? [account.entries.type.literal] : []))
  .join(', ')

const usage = `Usage: npm run app -- <command>

  create --name <name> [--id <id>] [--origin <origin>]… [--env development|production] [--if-missing]
                                      creates an app and prints its id
  list [--json]                       lists all apps
  show <id> [--json]                  prints the settings of an app
  set <id> <field>=<value>…           changes settings, named as in the API. Nested settings have a dot:
                                      embedded_wallet_config.create_on_login=off
                                      Also: name, environment, session_mode, max_users, deleted_users_kept_days.
                                      A setting that this server does not support is refused: not_supported
  enable <id> [all | <method>…]       turns on login methods by name; all selects the fully configured ones.
                                      Without a method it lists them, and their missing configuration
  snippet <id> [--module] [--queue] [--pin]
                                      prints the script tag for your page, with the address of this server
                                      --module   an ES module import instead of the tag
                                      --queue    also the stub that queues calls until the script has run
                                      --pin      the present loader, by an immutable address and an integrity hash
  origins <id> [add|remove <origin>…]
                                      lists or changes the origins that may embed the app
  allowlist <id> [add|remove <type> <identifier>]
                                      lists or changes who may log in while allowlist_enabled is true
                                      email, phone, wallet      the address or the number
                                      google_oauth and so on    the provider's id of the user
                                      ${numbered.padEnd(25)} a number
                                      custom_auth               the issuer's id of the user
                                      cross_app                 <provider app id>:<its id of the user>
                                      Any account of a user lets them in, and so does an e-mail address that a
                                      provider has verified
  ${usersUsage}
                                      <user> is an e-mail address, a phone number with its country code, a wallet
                                      address, <account type>:<identifier> as above, or the id of a user
  audit [--app <id>] [--user <user>] [--event <event>] [--since <time>] [--until <time>] [--limit <number>] [--json]
                                      prints the audit log, the newest entry first
                                      event: wallet.signed, or an area such as wallet
                                      time: an age such as 30m, 12h or 7d, or 2026-05-01 or 2026-05-01T09:30Z
                                      --json prints one object a line; --before <place> prints what is older
${capabilityCommands.map(({ usage }) => `  ${usage}`).join('\n')}

Commands change the database that DATABASE_URL names.`

const usageError = () => new AppRefusal(usage)

/** The commands of the capabilities. Each runs for an existing app. */
const commandsByName = Object.fromEntries(
  capabilityCommands.map(({ name, run }): readonly [string, Command] => [
    name,
    async ([id, ...args], { database, clock, config, print, confirm }) => {
      const { db } = database
      if (id === undefined) throw usageError()
      await requireApp(db, id)
      const { type, lines } = await run(id, args, db, createForget(capabilities), {
        clock,
        confirm,
        dialogOrigin: config.dialogOrigin,
        openKms: () => openKms({ database, clock, ...config }),
      })
      if (type === 'refused') throw new AppRefusal(lines.join('\n'))
      for (const line of lines) print(line)
    },
  ]),
)

/** `npm run snippet`: prints HTML for the page of an app, which loads the loader of this server. */
const snippet: Command = async (args, { database, environment, print }) => {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      module: { type: 'boolean', default: false },
      pin: { type: 'boolean', default: false },
      queue: { type: 'boolean', default: false },
    },
  })
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
      ? `<!-- No page may embed this app yet. Run: npm run app -- origins ${app.id} add <origin of your page> -->`
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
    const { values } = parseArgs({
      args: [...args],
      options: {
        id: { type: 'string' },
        name: { type: 'string' },
        origin: { type: 'string', multiple: true, default: [] },
        env: { type: 'string', default: 'development' },
        'if-missing': { type: 'boolean', default: false },
      },
    })
    const environment = environments.find((name) => name === values.env)
    if (values.name === undefined || !environment) throw usageError()
    if (values['if-missing']) {
      if (values.id === undefined) throw new AppRefusal('--if-missing needs --id.')
      if (await appById(db, values.id)) return print(`App ${values.id} already exists.`)
    }
    const app = await createApp(db, clock, {
      id: values.id,
      name: values.name,
      origins: values.origin,
      environment,
    })
    print(`App id:  ${app.id}`)
  },

  async list(args, { database: { db }, print }) {
    const { values } = parseArgs({ args: [...args], options: { json: { type: 'boolean', default: false } } })
    const apps = await listApps(db)
    if (values.json) return print(JSON.stringify(apps.map(describeApp), null, 2))
    if (apps.length === 0)
      return print('There are no apps yet. Create one: npm run app -- create --name <name> --origin <origin>')
    const rows = apps.map((app) => [app.id, app.environment, app.name, parseOrigins(app).join(' ')])
    for (const line of table([['ID', 'ENVIRONMENT', 'NAME', 'ORIGINS'], ...rows])) print(line)
  },

  async show(args, { database: { db }, print }) {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { json: { type: 'boolean', default: false } },
    })
    const [id] = positionals
    if (id === undefined) throw usageError()
    const app = describeApp(await requireApp(db, id))
    if (values.json) return print(JSON.stringify(app, null, 2))
    const { config, ...columns } = app
    for (const line of table([...lines(columns), ...lines(config)])) print(line)
  },

  async set([id, ...pairs], { database, clock, config: { ownOrigins }, print }) {
    if (id === undefined || pairs.length === 0) throw usageError()
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
  snippet,
  users,

  async origins([id, action, ...origins], { database, clock, print }) {
    if (id === undefined) throw usageError()
    if (action === undefined) return parseOrigins(await requireApp(database.db, id)).forEach(print)
    if ((action !== 'add' && action !== 'remove') || origins.length === 0) throw usageError()
    const listed = await database.transaction((trx) => changeOrigins(trx, clock, id, { [action]: origins }))
    listed.forEach(print)
  },

  async allowlist([id, action, type, identifier], { database: { db }, print }) {
    if (id === undefined) throw usageError()
    if (action === undefined) {
      await requireApp(db, id)
      for (const line of table(
        (await listAllowlist(db, id)).map((entry) => [entry.type, entry.identifier]),
      )) {
        print(line)
      }
      return
    }
    if ((action !== 'add' && action !== 'remove') || type === undefined || identifier === undefined)
      throw usageError()
    await changeAllowlist(db, id, action, type, identifier)
    print(`Changed the allowlist of app ${id}.`)
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

function describeApp(app: AppRow) {
  const { secret_hash: _, allowed_origins: __, config: ___, ...columns } = app
  return {
    ...columns,
    allowed_origins: parseOrigins(app),
    config: toWire(storedConfigSchema, parseStoredConfig(app)),
  }
}

const lines = (record: unknown): (readonly string[])[] =>
  Object.entries(record ?? {}).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ])

export const appTool: Tool = { commands, usage, isRefusal: (error) => error instanceof AppRefusal }
