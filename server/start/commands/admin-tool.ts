/** `latchkey admin`: keys of the Admin API. */
import {
  AdminKeyRefusal,
  adminServerLimits,
  createAdminKey,
  listAdminKeys,
  revokeAdminKey,
} from '../../platform/admin/admin.ts'
import { type Command, runTool, type Tool } from './command.ts'
import { parseCommand, UsageError } from './spec.ts'
import { adminSpec } from './specs/admin.ts'
import { table } from './table.ts'

const iso = (seconds: number) => new Date(seconds * 1_000).toISOString().replace('.000Z', 'Z')
const day = (seconds: number | null) => (seconds === null ? 'never' : iso(seconds).slice(0, 10))

function parseDays(text: string | undefined): number {
  if (text === undefined) return adminServerLimits.defaultKeyDays
  const [, days] = /^(\d{1,4})d$/.exec(text) ?? []
  if (days === undefined) throw new AdminKeyRefusal('--expires must be a number of days such as 90d.')
  return Number(days)
}

const keys: Command = async (args, { database, clock, print }) => {
  const { values, positionals } = parseCommand(adminSpec.commands.keys, args)
  const [action, id, ...more] = positionals
  if (more.length > 0 || (id === undefined) === (action === 'revoke')) throw new UsageError()
  switch (action) {
    case 'create': {
      if (values.name === undefined) throw new UsageError('A key needs --name.')
      const created = await database.transaction((trx) =>
        createAdminKey(trx, clock, {
          name: values.name ?? '',
          operator: values.operator,
          scopes: values.scope ?? [],
          appId: values.app ?? null,
          networks: values.address ?? [],
          days: parseDays(values.expires),
        }),
      )
      const { key, secret } = created
      if (values.json) return print(JSON.stringify({ id: key.id, key: secret, expires: iso(key.expiresAt) }))
      print(`Key:     ${secret}`)
      print(`Expires: ${iso(key.expiresAt)}`)
      print('Store it now: it is not shown again.')
      return
    }
    case 'list': {
      const all = await listAdminKeys(database.db)
      if (values.json) {
        for (const key of all) print(JSON.stringify(key))
        return
      }
      if (all.length === 0) return print('There are no admin keys.')
      const rows = all.map((key) => [
        key.id,
        key.name,
        key.operator ?? '',
        key.appId ?? 'every app',
        key.scopes.join(' '),
        key.revokedAt === null ? `until ${day(key.expiresAt)}` : `revoked ${day(key.revokedAt)}`,
        day(key.lastUsedDay),
      ])
      for (const line of table([['KEY', 'NAME', 'OPERATOR', 'APP', 'SCOPES', 'STATE', 'LAST USED'], ...rows]))
        print(line)
      return
    }
    case 'revoke': {
      const isRevoked = await database.transaction((trx) => revokeAdminKey(trx, clock, id ?? ''))
      print(isRevoked ? `Revoked key ${id}.` : `Key ${id} is revoked already.`)
      return
    }
    default:
      throw new UsageError()
  }
}

export const adminTool: Tool = {
  name: 'admin',
  spec: adminSpec,
  commands: { keys },
  isRefusal: (error) => error instanceof AdminKeyRefusal,
}

export const run = (args: string[]): Promise<void> => runTool(adminTool, args)
