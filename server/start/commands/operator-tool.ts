/** `latchkey operator`: the operators of the dashboard. */
import {
  inviteOperator,
  listOperators,
  OperatorRefusal,
  operatorLimits,
  revokeOperatorByCommand,
} from '../../platform/admin/admin.ts'
import { type Command, runTool, type Tool } from './command.ts'
import { parseCommand, parseOptions, UsageError } from './spec.ts'
import { operatorSpec } from './specs/admin.ts'
import { table } from './table.ts'

const iso = (seconds: number) => new Date(seconds * 1_000).toISOString().replace('.000Z', 'Z')
const day = (seconds: number | null) => (seconds === null ? 'never' : iso(seconds).slice(0, 10))

function parseHours(text: string | undefined): number {
  if (text === undefined) return operatorLimits.defaultInvitationHours
  const [, hours] = /^(\d{1,3})h$/.exec(text) ?? []
  if (hours === undefined) throw new OperatorRefusal('--expires must be a number of hours such as 24h.')
  return Number(hours)
}

const invite: Command = async (args, { database, clock, config, print }) => {
  const { values, positionals } = parseCommand(operatorSpec.commands.invite, args)
  const [email, ...more] = positionals
  if (email === undefined || more.length > 0) throw new UsageError()
  const { adminOrigin } = config
  if (adminOrigin === undefined) {
    throw new OperatorRefusal('Set ADMIN_ORIGIN, the origin at which operators open the dashboard.')
  }
  const role = values.role ?? ((await listOperators(database.db, null)).length === 0 ? 'owner' : undefined)
  if (role === undefined) throw new UsageError('An operator after the first one needs --role.')
  const { operator, invitation, expiresAt } = await database.transaction((trx) =>
    inviteOperator(trx, clock, { email, role, appId: values.app ?? null, hours: parseHours(values.expires) }),
  )
  // Browsers do not send the part after #, so the secret is in no log.
  const link = `${adminOrigin}/invitation#${invitation}`
  if (values.json) return print(JSON.stringify({ id: operator.id, link, expires: iso(expiresAt) }))
  print(`Link:    ${link}`)
  print(`Role:    ${operator.role}, for ${operator.app_id ?? 'every app'}`)
  print(`Expires: ${iso(expiresAt)}`)
  print('The link works once. Send it to the operator only, over a channel that you trust.')
}

const list: Command = async (args, { database, print }) => {
  const { json } = parseOptions(operatorSpec.commands.list, args)
  const operators = await listOperators(database.db, null)
  if (json) {
    for (const operator of operators) print(JSON.stringify(operator))
    return
  }
  if (operators.length === 0) return print('There are no operators.')
  const rows = operators.map(({ id, email, role, app_id, revoked_at, passkeys, last_sign_in_at }) => [
    id,
    email,
    role,
    app_id ?? 'every app',
    revoked_at !== null ? `revoked ${day(revoked_at)}` : passkeys > 0 ? 'active' : 'invited',
    day(last_sign_in_at),
  ])
  for (const line of table([['OPERATOR', 'E-MAIL', 'ROLE', 'APP', 'STATE', 'LAST SIGN-IN'], ...rows])) {
    print(line)
  }
}

const revoke: Command = async (args, { database, clock, print }) => {
  const { positionals } = parseCommand(operatorSpec.commands.revoke, args)
  const [id, ...more] = positionals
  if (id === undefined || more.length > 0) throw new UsageError()
  const isRevoked = await database.transaction((trx) => revokeOperatorByCommand(trx, clock, id))
  print(isRevoked ? `Revoked operator ${id}.` : `Operator ${id} is revoked already.`)
}

export const operatorTool: Tool = {
  name: 'operator',
  spec: operatorSpec,
  commands: { invite, list, revoke },
  isRefusal: (error) => error instanceof OperatorRefusal,
}

export const run = (args: string[]): Promise<void> => runTool(operatorTool, args)
