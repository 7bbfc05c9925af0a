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
import type { LoginMethod } from '@latchkey/protocol'
import type { Migration } from 'kysely'
import type { Logger } from 'pino'
import { type Setting, settingsWithoutCapability } from './app-settings/settings.ts'
import type { StoredConfig } from './app-settings/stored-config.ts'
import type { ServerConfig } from './config.ts'
import type { ServerContext } from './context.ts'
import type { Expiry } from './db/cleanup.ts'
import type { EnvironmentPart } from './environment.ts'
import type { Endpoint } from './http/endpoint.ts'
import type { OpenCall } from './http/open-calls.ts'
import type { Page } from './http/page.ts'
import { mergedSources, type PageSources } from './http/page-sources.ts'
import type { App, Clock, Db, Forget, Kms, Reader } from './ports.ts'
import type { Registry, RegistryKey } from './registry.ts'

export type Capability = {
  /** `area` or `area/part`: its migrations are recorded under it. */
  readonly name: string
  /** Calls of the API, a row of `protocol/api` each. */
  readonly endpoints?: readonly Endpoint[]
  /** What else is asked for by an address: HTML, redirects, forms that another site posts, documents. */
  readonly pages?: readonly Page[]
  /** Calls of programs that are not ours, by a standard that has its own form for them. */
  readonly openCalls?: readonly OpenCall[]
  /** What of its tables goes, and when. */
  readonly expiries?: readonly Expiry[]
  /** Takes what its tables have of a user who is deleted, in the transaction that does it. */
  readonly forget?: Forget
  readonly environment?: EnvironmentPart
  /** What it opens from its environment at start, and closes at the end. */
  readonly ports?: readonly Port[]
  /**
   * What its screens load from other origins, in the dialog of this app. Nothing where the app has it off. A page is made
   * anew each second that somebody asks for it.
   */
  readonly sources?: (app: App, config: ServerConfig, reader: Reader) => PageSources | Promise<PageSources>
  /** Where its screens find others, by names that no other capability has. */
  readonly addresses?: (app: App, config: ServerConfig) => Readonly<Record<string, string>>
  /** Where the wallet frame of this app finds what users keep of their own, by recovery method. */
  readonly clouds?: (app: App, config: ServerConfig) => Readonly<Record<string, string>>
  /** The names sort in the order in which they run, which is after the tables of the server. */
  readonly migrations?: Readonly<Record<string, Migration>>
  /** The ways to log in that it brings, and the variables that each still needs of the operator. */
  readonly logins?: readonly Login[]
  /** What it adds to `npm run app`. */
  readonly appCommands?: readonly AppCommand[]
  /** Settings of an app that do something because of it. One that nobody makes real can not be turned on. */
  readonly settings?: readonly Setting[]
}

/** Of one app, for what no browser may know and is therefore in no setting of it. */
export type AppCommand = {
  readonly name: string
  /** The line of the usage text: name, arguments, what it does. */
  readonly usage: string
  readonly run: (
    appId: string,
    args: readonly string[],
    db: Db,
    /** Runs what all capabilities have for a user who is forgotten. */
    forget: Forget,
    place: CommandPlace,
  ) => Promise<{ readonly type: 'done' | 'refused'; readonly lines: readonly string[] }>
}

/** What a command knows of the server that it is run for. */
export type CommandPlace = {
  readonly clock: Clock
  readonly dialogOrigin: string
  /** Reads the master key file, which most commands have no need of. */
  readonly openKms: () => Promise<Kms>
}

export type Login = {
  readonly method: LoginMethod
  readonly missing: (config: ServerConfig) => readonly string[]
}
/** Needs nothing that the server does not have in any case. */
export const nothingMissing = () => []

export type PortSources = { readonly config: ServerConfig; readonly clock: Clock; readonly log: Logger }

/** Puts what it opened in the registry, and tells how to close it. */
export type Port = (sources: PortSources, ports: Registry) => Close
export type Close = () => Promise<void> | void

export const port =
  <Value>(
    key: RegistryKey<Value>,
    open: (sources: PortSources) => { readonly value: Value; readonly close?: Close },
  ): Port =>
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
export const migrationsOf = (list: readonly Capability[]): Readonly<Record<string, Migration>> =>
  Object.fromEntries(
    list.flatMap(({ name, migrations = {} }) =>
      Object.entries(migrations).map(([own, migration]) => [`${name}/${own}`, migration]),
    ),
  )

export const environmentOf = (list: readonly Capability[]): readonly EnvironmentPart[] =>
  list.flatMap(({ environment }) => environment ?? [])

export const expiriesOf = (list: readonly Capability[]): readonly Expiry[] =>
  list.flatMap(({ expiries = [] }) => expiries)

/** One after the other, in the order of the list: whoever logs in holds these tables in the same. */
export const forgetOf =
  (list: readonly Capability[]): Forget =>
  async (trx, user) => {
    for (const { forget } of list) await forget?.(trx, user)
  }

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
  forget: forgetOf(list),
})
