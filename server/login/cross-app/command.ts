/** The CLI command with which an operator registers cross-app providers. */
import { parseArgs } from 'node:util'
import * as v from 'valibot'
import { appById, parseOrigins } from '../../identity/apps/apps.ts'
import type { AppCommand } from '../../kernel/capability.ts'
import type { CommandSpec } from '../../kernel/command-spec.ts'
import { crossAppClientLimits } from './limits.ts'
import { type Described, discover, providerIcon, providerName } from './metadata.ts'
import {
  findProvider,
  getRedirectAddress,
  listProviders,
  type Provider,
  refreshProvider,
  registerProvider,
  removeProvider,
} from './providers.ts'

const spec = {
  summary: 'lists and changes the apps whose wallets users can bring to this one',
  forms: [
    { arguments: '<id> [list]', meaning: 'lists these apps' },
    {
      arguments: '<id> add <issuer> [--name <name>] [--icon <url>] [--read-only]',
      meaning: 'adds such an app and prints the command that its operator has to run',
    },
    { arguments: '<id> refresh <provider app id>', meaning: 'reads its name and addresses again' },
    { arguments: '<id> remove <provider app id>', meaning: 'removes it, with its key' },
  ],
  options: {
    name: { type: 'string', value: '<name>', meaning: 'the name that users see instead of its own' },
    icon: { type: 'string', value: '<url>', meaning: 'the icon that users see instead of its own' },
    'read-only': { type: 'boolean', meaning: 'shows its wallets, without requests to them' },
  },
} as const satisfies CommandSpec

type Ran = Awaited<ReturnType<AppCommand['run']>>
type Place = Parameters<AppCommand['run']>[3] & { db: Parameters<AppCommand['run']>[2] }

const done = (...lines: readonly string[]): Ran => ({ type: 'done', lines })
const misused: Ran = { type: 'misused', lines: [] }
const refused = (...lines: readonly string[]): Ran => ({ type: 'refused', lines })

export const providersCommand: AppCommand = {
  name: 'providers',
  spec,
  async run(appId, [action = 'list', ...args], db, place) {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        name: { type: 'string' },
        icon: { type: 'string' },
        'read-only': { type: 'boolean', default: false },
      },
    })
    const [named, ...more] = positionals
    if (action === 'list' && named === undefined) {
      return done(...(await listProviders(db, appId)).flatMap((provider) => toLines(provider)))
    }
    if (named === undefined || more.length > 0) return misused
    const here = { ...place, db }
    switch (action) {
      case 'add':
        return add(
          appId,
          named,
          { name: values.name, icon: values.icon, readOnly: values['read-only'] },
          here,
        )
      case 'refresh':
        return refresh(appId, named, here)
      case 'remove':
        return (await removeProvider(db, appId, named))
          ? done(
              `App ${appId} no longer uses wallets of ${named}. Accounts from there remain, but nobody can log in with them.`,
            )
          : noSuchProvider(appId, named)
      default:
        return misused
    }
  },
}

const noSuchProvider = (appId: string, named: string) => refused(`App ${appId} has no provider ${named}.`)

type Options = {
  name: string | undefined
  icon: string | undefined
  readOnly: boolean
}

async function add(
  appId: string,
  issuer: string,
  { name, icon, readOnly }: Options,
  place: Place,
): Promise<Ran> {
  const { db } = place
  const own = v.safeParse(v.object({ name: v.optional(providerName), icon: v.optional(providerIcon) }), {
    name,
    icon,
  })
  if (!own.success) return refused(...own.issues.map((issue) => `--${v.getDotPath(issue)} ${issue.message}`))
  if ((await listProviders(db, appId)).length >= crossAppClientLimits.mostProviders) {
    return refused(
      `App ${appId} has ${crossAppClientLimits.mostProviders} providers already, the most that an app can have.`,
    )
  }
  const discovery = await discover(issuer)
  if (discovery.type === 'refused') return refused(...discovery.lines)
  const { described } = discovery
  const provider = await registerProvider({ db, kms: await place.openKms(), clock: place.clock }, appId, {
    described,
    ownName: own.output.name ?? null,
    ownIconUrl: own.output.icon ?? null,
    readOnly,
  })
  if (!provider) {
    return refused(
      `App ${appId} has the provider ${described.appId} already. Refresh it, or remove it first.`,
    )
  }
  const app = await appById(db, appId)
  if (!app) return refused(`There is no app ${appId}.`)
  const origin = parseOrigins(app).find((one) => !one.includes('*')) ?? place.dialogOrigin
  const redirect = getRedirectAddress(place.dialogOrigin, provider.providerAppId)
  return done(
    ...toLines(provider, described),
    `redirect ${redirect}`,
    `key      ${JSON.stringify(provider.publicKey)}`,
    '',
    `Send this command to the operator of ${provider.providerAppId}, who runs it to let your app in:`,
    [
      'latchkey app requesters',
      provider.providerAppId,
      'add',
      provider.clientId,
      `--name ${quoted(app.name)}`,
      `--origin ${quoted(origin)}`,
      `--redirect ${quoted(redirect)}`,
      `--key ${quoted(JSON.stringify(provider.publicKey))}`,
    ].join(' '),
  )
}

async function refresh(appId: string, named: string, { db }: Place): Promise<Ran> {
  const provider = await findProvider(db, appId, named)
  if (!provider) return noSuchProvider(appId, named)
  const discovery = await discover(provider.issuer)
  if (discovery.type === 'refused') return refused(...discovery.lines)
  const { described } = discovery
  if (described.appId !== named)
    return refused(`latchkey_app_id: the provider now calls itself ${described.appId}.`)
  const refreshed = await refreshProvider(db, appId, described)
  if (!refreshed) return noSuchProvider(appId, named)
  return done(...toLines(refreshed, described))
}

/** Shows the provider's own name if it differs. */
const toLines = (provider: Provider, said?: Pick<Described, 'name'>): string[] => [
  `provider ${provider.providerAppId}${provider.readOnly ? '  read only' : ''}`,
  `name     ${provider.name}`,
  ...(said && said.name !== provider.name ? [`it says  ${said.name}`] : []),
  `issuer   ${provider.issuer}`,
  ...(provider.customApiUrl === null ? [] : [`api      ${provider.customApiUrl}`]),
  `client   ${provider.clientId}`,
]

/** Quotes a text as one shell word. */
const quoted = (word: string) => `'${word.replaceAll("'", `'\\''`)}'`
