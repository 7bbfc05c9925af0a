/** CLI commands to register requesters and to end connections. */
import { parseArgs } from 'node:util'
import * as v from 'valibot'
import { findOneUser } from '../../identity/users/users.ts'
import type { AppCommand } from '../../kernel/capability.ts'
import type { CommandSpec } from '../../kernel/command-spec.ts'
import { withTransaction } from '../../kernel/db/transaction.ts'
import { nowSeconds } from '../../kernel/ports.ts'
import { endConnection, findActiveConnections, removeRequesterWithConnections } from './connections.ts'
import { describeRecord } from './openid/records.ts'
import { listRequesters, putRequester, type RegisteredRequester, registrationSchema } from './requesters.ts'

type Outcome = Awaited<ReturnType<AppCommand['run']>>
const done = (...lines: readonly string[]): Outcome => ({ type: 'done', lines })
const refused = (...lines: readonly string[]): Outcome => ({ type: 'refused', lines })
const misused: Outcome = { type: 'misused', lines: [] }
const onDay = (seconds: number) => new Date(seconds * 1_000).toISOString()

const requestersSpec = {
  summary: 'lists and changes the apps that may ask users of this one for their wallets',
  forms: [
    { arguments: '<id> list', meaning: 'lists these apps' },
    {
      arguments: "<id> add <client id> --name <name> --origin <origin> --redirect <address>… [--key '<jwk>']",
      meaning: 'registers such an app, or changes its registration',
    },
    { arguments: '<id> remove <client id>', meaning: 'removes it and ends its tokens and connections' },
  ],
  options: {
    name: { type: 'string', value: '<name>', meaning: 'the name that users see' },
    origin: { type: 'string', value: '<origin>', meaning: 'the origin of its pages' },
    redirect: {
      type: 'string',
      multiple: true,
      value: '<address>',
      meaning: 'an address that the login returns to',
    },
    key: { type: 'string', value: '<jwk>', meaning: 'its public key as a JWK' },
  },
} as const satisfies CommandSpec

const toLines = ({ clientId, name, origin, redirectAddresses, jwk }: RegisteredRequester) => [
  `${clientId}  ${name}  ${origin}  ${jwk === null ? 'no key' : 'has a key'}`,
  ...redirectAddresses.map((address) => `  ${address}`),
]

const fields = { clientId: '<client id>', redirectAddresses: '--redirect', jwk: '--key' } as const
const toFieldName = (path: unknown) =>
  typeof path === 'string' ? (Reflect.get(fields, path) ?? `--${path}`) : 'The registration'

export const requestersCommand: AppCommand = {
  name: 'requesters',
  spec: requestersSpec,
  async run(appId, [action = 'list', ...args], db, { clock }) {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: requestersSpec.options,
    })
    const [clientId, ...tooMany] = positionals
    if (tooMany.length > 0) return misused
    if (action === 'list' && clientId === undefined) {
      return done(...(await listRequesters(db, appId)).flatMap(toLines))
    }
    if (clientId === undefined) return misused
    switch (action) {
      case 'add': {
        const { name, origin, redirect, key } = values
        const registration = {
          clientId,
          name,
          origin,
          redirectAddresses: redirect ?? [],
          jwk: parseJson(key),
        }
        const parsed = v.safeParse(registrationSchema, registration)
        if (!parsed.success) {
          const [issue] = parsed.issues
          return refused(`${toFieldName(issue.path?.[0]?.key)}: ${issue.message}`)
        }
        await putRequester(db, appId, parsed.output, nowSeconds(clock))
        return done(
          `${parsed.output.name} (${clientId}) may now ask users of app ${appId} for their wallets.`,
        )
      }
      case 'remove': {
        const ended = await withTransaction(db, (trx) =>
          removeRequesterWithConnections(trx, clock, { appId, clientId }),
        )
        if (ended === undefined) return refused(`App ${appId} has no requester ${clientId}.`)
        return done(`Removed ${clientId} and ended its connections.`)
      }
      default:
        return misused
    }
  },
}

/** Parses JSON. Returns invalid JSON as text, which the key schema then rejects. */
function parseJson(text: string | undefined): unknown {
  if (text === undefined) return null
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

const connectionsSpec = {
  summary: 'lists and ends the connections of users to other apps',
  forms: [
    { arguments: '<id> list [<user>]', meaning: 'lists what users allowed other apps' },
    { arguments: '<id> end <connection>', meaning: 'ends a connection' },
    { arguments: '<id> token <token>', meaning: 'shows the user of a token and how long it is valid' },
  ],
} as const satisfies CommandSpec

export const connectedAppsCommand: AppCommand = {
  name: 'connected-apps',
  spec: connectionsSpec,
  async run(appId, [action = 'list', target, ...tooMany], db, { clock }) {
    if (tooMany.length > 0) return misused
    if (action === 'list') {
      const match = target === undefined ? undefined : await findOneUser(db, target, appId)
      if (match?.type === 'refused') return match
      const rows = await findActiveConnections(db, { appId, ...(match && { userId: match.user.userId }) })
      return done(
        ...rows.map(
          ({ id, user_id, client_id, scopes, address, created_at }) =>
            `${id}  ${user_id}  ${client_id}  ${address}  ${onDay(created_at)}  ${scopes}`,
        ),
      )
    }
    if (target === undefined) return misused
    switch (action) {
      case 'end': {
        const isEnded = await withTransaction(db, async (trx) => {
          const row = (await findActiveConnections(trx, { appId })).find(({ id }) => id === target)
          if (row) await endConnection(trx, clock, row, 'operator')
          return row !== undefined
        })
        return isEnded
          ? done(`Ended connection ${target}.`)
          : refused(`App ${appId} has no connection ${target}.`)
      }
      case 'token': {
        for (const kind of ['AccessToken', 'RefreshToken']) {
          const record = await describeRecord(db, { appId, kind, id: target })
          if (!record) continue
          const { user_id, client_id, expires_at, consumed_at } = record
          const isActive = consumed_at === null && expires_at > nowSeconds(clock)
          return done(
            `active ${isActive}`,
            `kind ${kind}`,
            `user ${user_id}`,
            `client ${client_id}`,
            `until ${onDay(expires_at)}`,
          )
        }
        return done('active false')
      }
      default:
        return misused
    }
  },
}
