/** The CLI command with which an operator configures OpenID providers. */
import { readFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { isOidcProvider } from '@latchkey/protocol'
import { adminLimits, oidcClientText, oidcProviderName } from '@latchkey/protocol/admin'
import * as v from 'valibot'
import type { AppCommand, AppCommandResult } from '../../kernel/capability.ts'
import type { CommandSpec } from '../../kernel/command-spec.ts'
import { nowSeconds } from '../../kernel/ports.ts'
import { discover } from './discovery.ts'
import {
  findProvider,
  getProviderUris,
  insertProvider,
  listProviders,
  type Provider,
  toLoginMethod,
  wrapClientSecret,
} from './providers.ts'
import * as store from './store.ts'

const spec = {
  summary: 'lists and changes the OpenID providers that log users in',
  forms: [
    { arguments: '<id> [list]', meaning: 'lists the providers' },
    {
      arguments:
        '<id> add <provider> --issuer <url> --client-id <id> --client-secret-file <file> --name <name>',
      meaning: 'adds a provider and prints its login method and the URLs to register there',
    },
    { arguments: '<id> refresh <provider>', meaning: 'reads its discovery document again' },
    { arguments: '<id> disable <provider>', meaning: 'refuses its logins. Its id stays bound to its issuer' },
    { arguments: '<id> enable <provider>', meaning: 'accepts its logins again' },
    { arguments: '<id> remove <provider>', meaning: 'removes it, with its secret' },
  ],
  options: {
    issuer: { type: 'string', value: '<url>', meaning: 'its issuer, exactly as in its tokens' },
    'client-id': { type: 'string', value: '<id>', meaning: 'the id of your client there' },
    'client-secret-file': {
      type: 'string',
      value: '<file>',
      meaning: 'a file with the secret of that client',
    },
    name: { type: 'string', value: '<name>', meaning: 'the name that users see' },
  },
} as const satisfies CommandSpec

const done = (...lines: string[]): AppCommandResult => ({ type: 'done', lines })
const refused = (...lines: string[]): AppCommandResult => ({ type: 'refused', lines })
const misused: AppCommandResult = { type: 'misused', lines: [] }

type Place = Parameters<AppCommand['run']>[3] & { db: Parameters<AppCommand['run']>[2] }

export const oidcCommand: AppCommand = {
  name: 'oidc',
  spec,
  async run(appId, [action = 'list', ...args], db, place) {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: spec.options,
    })
    const [id, ...more] = positionals
    if (action === 'list' && id === undefined) {
      return done(
        ...(await listProviders(db, appId)).flatMap((each) => toLines(each, appId, place.dialogOrigin)),
      )
    }
    if (id === undefined || more.length > 0) return misused
    switch (action) {
      case 'add':
        return add(appId, id, values, { ...place, db })
      case 'refresh':
        return refresh(appId, id, { ...place, db })
      case 'disable':
        return change(appId, id, { disabled_at: nowSeconds(place.clock) }, { ...place, db })
      case 'enable':
        return change(appId, id, { disabled_at: null }, { ...place, db })
      case 'remove':
        return (await store.removeProvider(db, appId, id))
          ? done(`App ${appId} no longer offers ${id}. Its accounts remain, but nobody can log in with them.`)
          : missing(appId, id)
      default:
        return misused
    }
  },
}

const missing = (appId: string, id: string) => refused(`App ${appId} has no provider ${id}.`)

type Options = {
  issuer?: string | undefined
  'client-id'?: string | undefined
  'client-secret-file'?: string | undefined
  name?: string | undefined
}

async function add(appId: string, id: string, options: Options, place: Place): Promise<AppCommandResult> {
  const { issuer, 'client-id': clientId, 'client-secret-file': file, name } = options
  if (issuer === undefined || clientId === undefined || file === undefined || name === undefined)
    return misused
  if (!isOidcProvider(toLoginMethod(id))) {
    return refused(`${id} is not an id: use at most 32 lower-case letters, digits and hyphens`)
  }
  const parsedName = v.safeParse(oidcProviderName, name)
  if (!parsedName.success)
    return refused(`--name must have 1 to ${adminLimits.maxProviderNameLength} visible characters`)
  if (!v.is(oidcClientText, clientId)) return refused('--client-id must have visible ASCII characters only')
  const secret = await readFile(file, 'utf8').then(
    (text) => text.trim(),
    () => undefined,
  )
  if (secret === undefined) return refused(`${file} could not be read`)
  if (!v.is(oidcClientText, secret)) return refused(`${file} must contain the secret only`)
  if ((await listProviders(place.db, appId)).length >= adminLimits.mostOidcProviders) {
    return refused(`App ${appId} already has ${adminLimits.mostOidcProviders} providers, the maximum.`)
  }
  const discovery = await discover(issuer)
  if (discovery.type === 'refused') return refused(...discovery.lines)
  const provider = { id, name: parsedName.output, issuer, clientId, metadata: discovery.metadata }
  const wrappedSecret = await wrapClientSecret(await place.openKms(), appId, provider, secret)
  if (!(await insertProvider(place.db, place.clock, appId, { ...provider, wrappedSecret }))) {
    return refused(`App ${appId} already has a provider with this id or issuer. Remove it first.`)
  }
  return done(...toLines({ ...provider, isDisabled: false }, appId, place.dialogOrigin))
}

async function refresh(appId: string, id: string, place: Place): Promise<AppCommandResult> {
  const provider = await findProvider(place.db, appId, id)
  if (!provider) return missing(appId, id)
  const discovery = await discover(provider.issuer)
  if (discovery.type === 'refused') return refused(...discovery.lines)
  return change(appId, id, { metadata: JSON.stringify(discovery.metadata) }, place)
}

async function change(
  appId: string,
  id: string,
  columns: Parameters<typeof store.changeProvider>[2],
  { db, dialogOrigin }: Place,
): Promise<AppCommandResult> {
  const provider = await findProvider(db, appId, id)
  if (!provider) return missing(appId, id)
  await store.changeProvider(db, { app_id: appId, ...provider }, columns)
  return done(...toLines((await findProvider(db, appId, id)) ?? provider, appId, dialogOrigin))
}

const toLines = (provider: Provider, appId: string, dialogOrigin: string): string[] => {
  const { redirectUri, logoutUri } = getProviderUris(provider, appId, dialogOrigin)
  return [
    `method   ${toLoginMethod(provider.id)}`,
    `name     ${provider.name}`,
    ...(provider.isDisabled ? ['state    disabled'] : []),
    `issuer   ${provider.issuer}`,
    `client   ${provider.clientId}`,
    `redirect ${redirectUri}`,
    `logout   ${logoutUri}`,
  ]
}
