/** `latchkey app enable`: turns on login methods by name, instead of single settings. */

import { loginMethodRows, snakeCase } from '@latchkey/protocol'
import { parseStoredConfig } from '../../identity/apps/apps.ts'
import { AppRefusal, changeSettings, requireApp } from '../../identity/apps/manage.ts'
import { collectEnvironment, createUnbuiltSettings, type Login } from '../../kernel/capability.ts'
import { parseConfig } from '../../kernel/config.ts'
import { capabilities } from '../capabilities.ts'
import type { Command } from './command.ts'
import { parseCommand } from './spec.ts'
import { appSpec } from './specs/app.ts'

const logins = capabilities.flatMap(({ logins: own = [] }) => own)

/** Turns on login methods, or lists them without arguments. `all` selects the methods that are fully configured. */
export const enable: Command = async (args, { database, clock, config, environment, print }) => {
  const { values, positionals } = parseCommand(appSpec.commands.enable, args)
  const [id = '', ...wanted] = positionals
  const app = parseStoredConfig(await requireApp(database.db, id))
  const server = parseConfig(environment, collectEnvironment(capabilities))
  const listMissing = ({ missing, needs }: Login) => [
    ...missing(server).map((variable) => `the variable ${variable}`),
    ...(needs === undefined || app[needs] ? [] : [`the setting ${snakeCase(needs)}`]),
  ]
  const unknown = wanted.find((name) => name !== 'all' && !logins.some(({ method }) => method === name))
  if (unknown !== undefined) {
    const names = logins.map(({ method }) => method).join(', ')
    throw new AppRefusal(`There is no login method ${unknown}. There are: ${names}, and all.`)
  }
  const isAll = wanted.includes('all')
  const rows: { method: string; state: 'on' | 'off' | 'not configured'; missing: string[] }[] = []
  const turnedOn: Login[] = []
  for (const login of logins) {
    const { method } = login
    const { setting } = loginMethodRows[method]
    const missing = listMissing(login)
    const isWanted = isAll || wanted.includes(method)
    if (missing.length > 0) {
      // A method that was named explicitly must be available; otherwise nothing is turned on.
      if (isWanted && !isAll)
        throw new AppRefusal(`${method} needs ${missing.join(' and ')}: see docs/providers.md`)
      if (isAll || wanted.length === 0) rows.push({ method, state: 'not configured', missing })
      continue
    }
    if (isWanted && !app[setting]) turnedOn.push(login)
    if (isWanted || wanted.length === 0) {
      rows.push({ method, state: isWanted || app[setting] ? 'on' : 'off', missing })
    }
  }
  if (turnedOn.length > 0) {
    const fields = turnedOn.map(({ method }) => [snakeCase(loginMethodRows[method].setting), true] as const)
    await database.transaction((trx) =>
      changeSettings(trx, clock, id, fields, {
        unbuiltSettings: createUnbuiltSettings(capabilities),
        ownOrigins: config.ownOrigins,
      }),
    )
  }
  if (values.json) return print(JSON.stringify(rows))
  for (const { method, state, missing } of rows) {
    print(
      `${method.padEnd(longest)}  ${state === 'not configured' ? `needs ${missing.join(' and ')}` : state}`,
    )
  }
}

const longest = Math.max(...logins.map(({ method }) => method.length))
