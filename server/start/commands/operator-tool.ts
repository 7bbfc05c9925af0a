/** `latchkey operator`: the operators of the dashboard. */
import { readFile } from 'node:fs/promises'
import { oidcReturnPath, signInPrefix } from '@latchkey/protocol/admin'
import { openKms } from '../../kernel/keys/keys.ts'
import {
  admitOperatorByCommand,
  changeOperatorOidc,
  findOperatorOidc,
  getSignIn,
  inviteOperator,
  listOperators,
  OperatorRefusal,
  operatorLimits,
  prepareOperatorOidc,
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

function describeState(operator: Awaited<ReturnType<typeof listOperators>>[number]): string {
  if (operator.revoked_at !== null) return `revoked ${day(operator.revoked_at)}`
  return operator.passkeys > 0 || getSignIn(operator) === 'oidc' ? 'active' : 'invited'
}

const list: Command = async (args, { database, print }) => {
  const { json } = parseOptions(operatorSpec.commands.list, args)
  const operators = await listOperators(database.db, null)
  if (json) {
    for (const operator of operators) print(JSON.stringify(operator))
    return
  }
  if (operators.length === 0) return print('There are no operators.')
  const rows = operators.map((operator) => [
    operator.id,
    operator.email,
    operator.role,
    operator.app_id ?? 'every app',
    getSignIn(operator),
    describeState(operator),
    day(operator.last_sign_in_at),
  ])
  const head = ['OPERATOR', 'E-MAIL', 'ROLE', 'APP', 'SIGN-IN', 'STATE', 'LAST SIGN-IN']
  for (const line of table([head, ...rows])) {
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

const admit: Command = async (args, { database, clock, print }) => {
  const { positionals } = parseCommand(operatorSpec.commands.admit, args)
  const [id, ...more] = positionals
  if (id === undefined || more.length > 0) throw new UsageError()
  const isAdmitted = await database.transaction((trx) => admitOperatorByCommand(trx, clock, id))
  print(isAdmitted ? `Operator ${id} may sign in again.` : `Operator ${id} is not revoked.`)
}

const oidc: Command = async (args, context) => {
  const { values, positionals } = parseCommand(operatorSpec.commands.oidc, args)
  const [action = 'show', ...more] = positionals
  if (more.length > 0) throw new UsageError()
  const { database, clock, config, print } = context
  switch (action) {
    case 'show':
      return printOidc(context)
    case 'remove': {
      if ((await findOperatorOidc(database.db)) === undefined) {
        return print('Operators have no OpenID provider.')
      }
      await database.transaction((trx) => changeOperatorOidc(trx, clock, undefined))
      return print('Removed the OpenID provider of operators, and ended its sessions.')
    }
    case 'set': {
      const { issuer, name, 'client-id': clientId, 'client-secret-file': file } = values
      if (issuer === undefined || name === undefined || clientId === undefined || file === undefined) {
        throw new UsageError('A provider needs --issuer, --client-id, --client-secret-file and --name.')
      }
      const clientSecret = await readFile(file, 'utf8').then(
        (text) => text.trim(),
        (cause: unknown) => {
          throw new OperatorRefusal(`${file} could not be read.`, { cause })
        },
      )
      const row = await prepareOperatorOidc(database.db, () => openKms({ database, clock, ...config }), {
        issuer,
        clientId,
        clientSecret,
        name,
        groups: values.group ?? [],
        groupsClaim: values['groups-claim'] ?? 'groups',
        scopes: values.scope ?? ['email', 'profile'],
      })
      await database.transaction((trx) => changeOperatorOidc(trx, clock, row))
      return printOidc(context)
    }
    default:
      throw new UsageError()
  }
}

async function printOidc({
  database,
  config,
  print,
}: Pick<Parameters<Command>[1], 'database' | 'config' | 'print'>): Promise<void> {
  const provider = await findOperatorOidc(database.db)
  if (provider === undefined) return print('Operators have no OpenID provider.')
  const origin = config.adminOrigin ?? '<ADMIN_ORIGIN>'
  print(`name     ${provider.name}`)
  print(`issuer   ${provider.issuer}`)
  print(`client   ${provider.clientId}`)
  print(`scopes   ${provider.scopes.join(' ')}`)
  print(`claim    ${provider.groupsClaim}`)
  for (const { group, role, appId } of provider.grants) {
    print(`group    ${group}: ${role}, for ${appId ?? 'every app'}`)
  }
  print(`redirect ${origin}${oidcReturnPath}`)
  print(`logout   ${origin}${signInPrefix}/oidc/backchannel-logout`)
}

export const operatorTool: Tool = {
  name: 'operator',
  spec: operatorSpec,
  commands: { invite, list, revoke, admit, oidc },
  isRefusal: (error) => error instanceof OperatorRefusal,
}

export const run = (args: string[]): Promise<void> => runTool(operatorTool, args)
