/**
 * What a capability is to the server: a folder that holds everything that is only its own, and exports one object
 * that says what it brings. `start/capabilities.ts` is the only list; nothing else names one.
 *
 *     export const email: Capability = {
 *       name: 'email',
 *       endpoints: emailEndpoints,
 *       settings: ['emailAuth'],
 *     }
 */
import type { SwitchedLoginMethod } from '@latchkey/protocol'
import type { Logger } from 'pino'
import { type Setting, settingsWithoutCapability } from './app-settings/settings.ts'
import type { StoredConfig } from './app-settings/stored-config.ts'
import type { ServerConfig } from './config.ts'
import type { ActivityEvents, ServerContext } from './context.ts'
import type { Expiry, Overdue, TimedExpiry } from './db/cleanup.ts'
import type { Migrations } from './db/migrations/migration.ts'
import type { EnvironmentPart } from './environment.ts'
import type { Endpoint } from './http/endpoint.ts'
import type { OpenCall } from './http/open-calls.ts'
import type { Page } from './http/pages/page.ts'
import { mergedSources, type PageSources } from './http/pages/page-sources.ts'
import type { KeyColumns, PepperedColumn, WrappedColumn } from './keys/keys.ts'
import type { App, Clock, Db, Forget, Kms, Reader, Trx } from './ports.ts'
import type { Registry, RegistryKey } from './registry.ts'
import type { ThirdParty } from './third-parties.ts'
import { deleteUserRows, type LastRows, type UserRows } from './user-rows.ts'

export type Capability = {
  /** `area` or `area/part`: its migrations are recorded under it. */
  name: string
  /** Calls of the API, a row of `protocol/api` each. */
  endpoints?: readonly Endpoint[]
  /** What else is asked for by an address: HTML, redirects, forms that another site posts, documents. */
  pages?: readonly Page[]
  /** Calls of programs that are not ours, by a standard that has its own form for them. */
  openCalls?: readonly OpenCall[]
  /** What of its tables goes, and when. */
  expiries?: readonly (TimedExpiry | SurplusOfUsers)[]
  /** Its tables that name a user, and when their rows go. */
  userRows?: readonly UserRows[]
  /** It takes what else its tables have of a user who is deleted, in the transaction that does it, before those rows. */
  forget?: Forget
  /** What of its tables names a user who is deleted, beside the identifiers of their accounts. */
  identifiers?: (trx: Trx, userId: string) => Promise<readonly string[]>
  /** Events of the audit that a user sees in the activity of their wallets, by their names. */
  activity?: ActivityEvents
  /** What of its tables does not come back from a backup as it was. */
  restored?: Restored
  /** Columns of its tables that are wrapped: a new master key wraps each anew. */
  wrapped?: readonly WrappedColumn[]
  /** Columns of its tables that keep a pepper from being dropped. */
  peppered?: readonly PepperedColumn[]
  environment?: EnvironmentPart
  /** What it opens from its environment at start, and closes at the end. */
  ports?: readonly Port[]
  /**
   * What its screens load from other origins, in the dialog of this app. Nothing where the app has it off. A page is made
   * anew each second that somebody asks for it.
   */
  sources?: (app: App, config: ServerConfig, reader: Reader) => PageSources | Promise<PageSources>
  /** Where its screens find others, by names that no other capability has. */
  addresses?: (app: App, config: ServerConfig) => Readonly<Record<string, string>>
  /** Where the wallet frame of this app finds what users keep of their own, by recovery method. */
  clouds?: (app: App, config: ServerConfig) => Readonly<Record<string, string>>
  /** The names sort in the order in which they run, which is after the tables of the server. */
  migrations?: Migrations
  /** The ways to log in that it brings, and the variables that each still needs of the operator. */
  logins?: readonly Login[]
  /** Whom it asks with this configuration. The log names those that cannot be reached when the server starts. */
  thirdParties?: (config: ServerConfig) => readonly ThirdParty[]
  /** What it adds to `npm run app`. */
  appCommands?: readonly AppCommand[]
  /** Settings of an app that do something because of it. One that nobody makes real can not be turned on. */
  settings?: readonly Setting[]
}

/**
 * A restored database is from an earlier time. What was under way then is over, what counts once may have been used since,
 * and what was ended since is there again.
 */
export type Restored = {
  /** Tables that stay empty: whoever is in the middle of something begins again. */
  drops?: readonly string[]
  /** It changes rows that would be wrong or dangerous now, in the transaction of the restore. It only writes. */
  amend?: (writer: Reader, restore: Restore) => Promise<void>
}
export type Restore = {
  nowSeconds: number
  /** The operator says that nothing was ended since the backup. */
  keepsSessions: boolean
}

/** It is told what all capabilities leave until the last row of a user goes. */
type SurplusOfUsers = (
  reader: Reader,
  nowSeconds: number,
  lastRows: readonly LastRows[],
) => Promise<readonly Overdue[]>

/** A command is about one app, and about what no browser may know, which is therefore in no setting of the app. */
export type AppCommand = {
  name: string
  /** The line of the usage text: name, arguments, what it does. */
  usage: string
  run: (
    appId: string,
    args: readonly string[],
    db: Db,
    /** Runs what all capabilities have for a user who is forgotten. */
    forget: Forget,
    place: CommandPlace,
  ) => Promise<{ type: 'done' | 'refused'; lines: readonly string[] }>
}

/** What a command knows of the server that it is run for. */
export type CommandPlace = {
  clock: Clock
  /** Asks the operator at the terminal, if there is one. */
  confirm: (question: string) => Promise<'yes' | 'no' | 'no terminal'>
  dialogOrigin: string
  /** Reads the master key file, which most commands have no need of. */
  openKms: () => Promise<Kms>
}

export type Login = {
  method: SwitchedLoginMethod
  /** What else an app has to be told before the switch means anything. */
  needs?: keyof StoredConfig
  missing: (config: ServerConfig) => readonly string[]
}
/** Needs nothing that the server does not have in any case. */
export const nothingMissing = () => []

export type PortSources = { config: ServerConfig; clock: Clock; log: Logger }

/** Puts what it opened in the registry, and tells how to close it. */
export type Port = (sources: PortSources, ports: Registry) => Close
export type Close = () => Promise<void> | void

export const port =
  <Value>(key: RegistryKey<Value>, open: (sources: PortSources) => { value: Value; close?: Close }): Port =>
  (sources, ports) => {
    const { value, close } = open(sources)
    key.put(ports, value)
    return close ?? (() => {})
  }

/** Closes all that was opened, the last first. */
export function openPorts(
  list: readonly Capability[],
  sources: PortSources,
  ports: Registry,
): () => Promise<void> {
  const closes = list.flatMap(({ ports: own = [] }) => own).map((open) => open(sources, ports))
  return async () => {
    for (const close of closes.reverse()) await close()
  }
}

/** Under the name of the capability, so that two may call theirs the same. */
export const migrationsOf = (list: readonly Capability[]): Migrations =>
  Object.fromEntries(
    list.flatMap(({ name, migrations = {} }) =>
      Object.entries(migrations).map(([own, migration]) => [`${name}/${own}`, migration]),
    ),
  )

export const environmentOf = (list: readonly Capability[]): readonly EnvironmentPart[] =>
  list.flatMap(({ environment }) => environment ?? [])

/** What `npm run keys` wraps anew, and looks at before it drops a pepper. */
export const keyColumnsOf = (list: readonly Capability[]): KeyColumns => ({
  wrapped: list.flatMap(({ wrapped = [] }) => wrapped),
  peppered: list.flatMap(({ peppered = [] }) => peppered),
})

export function expiriesOf(list: readonly Capability[]): readonly Expiry[] {
  const lastRows = userRowsOf(list).filter((rows) => rows.goes === 'with the last row')
  return list.flatMap(({ expiries = [] }) =>
    expiries.map(
      (expiry): Expiry =>
        typeof expiry === 'function' ? (reader, nowSeconds) => expiry(reader, nowSeconds, lastRows) : expiry,
    ),
  )
}

export const userRowsOf = (list: readonly Capability[]): readonly UserRows[] =>
  list.flatMap(({ userRows = [] }) => userRows)

export const droppedOf = (list: readonly Capability[]): readonly string[] =>
  list.flatMap(({ restored }) => restored?.drops ?? [])

/** One after the other, in the order of the list. */
export async function amendRestored(
  list: readonly Capability[],
  writer: Reader,
  restore: Restore,
): Promise<void> {
  for (const { restored } of list) await restored?.amend?.(writer, restore)
}

export const activityOf = (list: readonly Capability[]): ActivityEvents =>
  Object.assign({}, ...list.map(({ activity }) => activity))

/**
 * Reads who the user is known as before anything of them goes. Then one after the other, in the order of the list:
 * whoever logs in holds these tables in the same.
 */
export const forgetOf =
  (list: readonly Capability[]): Forget =>
  async (trx, user) => {
    const identifiers = [...user.identifiers]
    for (const { identifiers: own } of list) {
      if (own) identifiers.push(...(await own(trx, user.userId)))
    }
    const leaving = { ...user, identifiers }
    for (const { forget, userRows = [] } of list) {
      await forget?.(trx, leaving)
      await deleteUserRows(trx, leaving, userRows)
    }
  }

export const thirdPartiesOf = (list: readonly Capability[], config: ServerConfig): readonly ThirdParty[] =>
  list.flatMap(({ thirdParties }) => thirdParties?.(config) ?? [])

/** The settings of an app that are on and that none of these makes real, by the names that the API has. */
export function unbuiltSettingsOf(list: readonly Capability[]) {
  const real = list.flatMap(({ settings = [] }) => settings)
  return (config: Partial<StoredConfig>) => settingsWithoutCapability(config, real)
}

/** A line each, so that an operator sees at start what can be turned on for an app. */
export function logLogins(list: readonly Capability[], config: ServerConfig, log: Logger): void {
  for (const { method, missing } of list.flatMap(({ logins = [] }) => logins)) {
    const names = missing(config)
    if (names.length === 0) log.info({ method }, 'login method configured')
    else log.info({ method, missing: names }, 'login method not configured')
  }
}

/** What areas may ask about the list without knowing it. */
export const answersOf = (
  list: readonly Capability[],
  config: ServerConfig,
): ServerContext['capabilities'] => ({
  sourcesFor: async (app, reader) =>
    mergedSources(await Promise.all(list.map(({ sources }) => sources?.(app, config, reader) ?? {}))),
  cloudsFor: (app) => Object.assign({}, ...list.map(({ clouds }) => clouds?.(app, config))),
  addressesFor: (app) => Object.assign({}, ...list.map(({ addresses }) => addresses?.(app, config))),
  unbuiltSettings: unbuiltSettingsOf(list),
  activity: activityOf(list),
  forget: forgetOf(list),
})
