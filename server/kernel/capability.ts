/**
 * The server's part of a capability: a folder that exports one object with everything that the capability contributes.
 * `start/capabilities.ts` is the only list of capabilities.
 *
 *     export const email: Capability = {
 *       name: 'email',
 *       endpoints: emailEndpoints,
 *       settings: ['emailAuth'],
 *     }
 */
import type { SwitchedLoginMethod } from '@latchkey/protocol'
import type { Logger } from 'pino'
import { findUnimplementedSettings, type Setting } from './app-settings/settings.ts'
import type { StoredConfig } from './app-settings/stored-config.ts'
import type { CommandSpec } from './command-spec.ts'
import type { ServerConfig } from './config.ts'
import type { ActivityEvents, ServerContext } from './context.ts'
import type { ExpiryRule, OverdueRows, TimedExpiryRule } from './db/cleanup.ts'
import type { Migrations } from './db/migrations/migration.ts'
import type { EnvironmentPart } from './environment.ts'
import type { AdminEndpoint } from './http/admin-endpoint.ts'
import type { Endpoint } from './http/endpoint.ts'
import type { OpenCall } from './http/open-calls.ts'
import type { Page } from './http/pages/page.ts'
import { mergeSources, type PageSources } from './http/pages/page-sources.ts'
import type { KeyColumns, PepperedColumn, WrappedColumn } from './keys/keys.ts'
import type { App, Clock, Db, Forget, Kms, Reader, Trx } from './ports.ts'
import type { Registry, RegistryKey } from './registry.ts'
import type { ThirdParty } from './third-parties.ts'
import { deleteUserRows, type LastRowRule, type UserRowRule } from './user-rows.ts'

export type Capability = {
  /** `area` or `area/part`. Its migrations are recorded under this name. */
  name: string
  /** API calls, each a row of `protocol/api`. */
  endpoints?: readonly Endpoint[]
  /** Other routes: HTML pages, redirects, form posts from other sites, documents. */
  pages?: readonly Page[]
  /** Calls of the Admin API, each a row of `protocol/admin`. */
  adminEndpoints?: AdminEndpoint[]
  /** Calls for third-party clients in the wire format of a standard. */
  openCalls?: readonly OpenCall[]
  /** Rules that delete expired rows of its tables. */
  expiryRules?: readonly (TimedExpiryRule | UserSurplusRule)[]
  /** Its tables with user rows, and the rule by which those rows are deleted. */
  userRows?: readonly UserRowRule[]
  /** Deletes further data of a user, in the transaction of the deletion and before `userRows` are deleted. */
  forget?: Forget
  /** Returns further identifiers of a deleted user, in addition to those of their accounts. */
  identifiers?: (trx: Trx, userId: string) => Promise<readonly string[]>
  /** Audit events that users see in the activity of their wallets, by event name. */
  activity?: ActivityEvents
  /** Changes to its tables after a restore from a backup. */
  restored?: Restored
  /** Columns with wrapped secrets. A master key rotation wraps each again. */
  wrapped?: readonly WrappedColumn[]
  /** Columns that refer to a pepper. The pepper stays as long as a row refers to it. */
  peppered?: readonly PepperedColumn[]
  environment?: EnvironmentPart
  /** Resources that it opens at start and closes at shutdown. */
  ports?: readonly Port[]
  /**
   * Origins that its screens load from in the dialog of this app, for the content security policy. Empty if the app
   * does not use the capability. Pages are rebuilt at most once a second.
   */
  sources?: (app: App, config: ServerConfig, reader: Reader) => PageSources | Promise<PageSources>
  /** Addresses of third parties that its screens need, by unique name. */
  addresses?: (app: App, config: ServerConfig) => Readonly<Record<string, string>>
  /** Cloud storage addresses for the wallet frame of this app, by recovery method. */
  clouds?: (app: App, config: ServerConfig) => Readonly<Record<string, string>>
  /** Migrations in name order. They run after those of the server. */
  migrations?: Migrations
  /** Its login methods, each with the environment variables that the operator has not set yet. */
  logins?: readonly Login[]
  /** Third parties that it calls with this configuration. At start, the log names unreachable ones. */
  thirdParties?: (config: ServerConfig) => readonly ThirdParty[]
  /** Subcommands that it adds to `latchkey app`. */
  appCommands?: readonly AppCommand[]
  /** App settings that it implements. A setting without an implementation cannot be turned on. */
  settings?: readonly Setting[]
}

/**
 * Changes after a restore. A backup is older than the lost database: pending flows are stale, single-use values may
 * have been used since, and revoked sessions exist again.
 */
export type Restored = {
  /** Tables that stay empty: pending flows start again. */
  drops?: readonly string[]
  /** Changes rows that would be wrong or dangerous now, in the transaction of the restore. Must only write. */
  amend?: (writer: Reader, restore: Restore) => Promise<void>
}
export type Restore = {
  nowSeconds: number
  /** The operator confirms that no session was revoked since the backup. */
  keepsSessions: boolean
}

/** Returns surplus rows of users. `lastRows` are the `with the last row` rules of all capabilities. */
type UserSurplusRule = (
  reader: Reader,
  nowSeconds: number,
  lastRows: readonly LastRowRule[],
) => Promise<readonly OverdueRows[]>

/** A command for one app. It manages secrets, which are not part of the app settings. */
export type AppCommand = {
  name: string
  spec: CommandSpec
  run: (appId: string, args: readonly string[], db: Db, place: CommandContext) => Promise<AppCommandResult>
}

/** `misused` prints the usage of the command instead of lines. */
export type AppCommandResult = { type: 'done' | 'refused' | 'misused'; lines: readonly string[] }

/** The server environment that a command runs in. */
export type CommandContext = {
  clock: Clock
  dialogOrigin: string
  /** Parses all variables of the server. Throws if one is missing or invalid. */
  readConfig: () => ServerConfig
  /** Reads the master key file. Most commands do not need it. */
  openKms: () => Promise<Kms>
}

export type Login = {
  method: SwitchedLoginMethod
  /** A setting that the app needs in addition to the switch. */
  needs?: keyof StoredConfig
  missing: (config: ServerConfig) => readonly string[]
}
/** Used by a login method without required environment variables. */
export const needsNoVariables = () => []

export type PortSources = { config: ServerConfig; clock: Clock; log: Logger }

/** Opens a resource, stores it in the registry and returns a function that closes it. */
export type Port = (sources: PortSources, ports: Registry) => Close
export type Close = () => Promise<void> | void

export const port =
  <Value>(key: RegistryKey<Value>, open: (sources: PortSources) => { value: Value; close?: Close }): Port =>
  (sources, ports) => {
    const { value, close } = open(sources)
    key.set(ports, value)
    return close ?? (() => {})
  }

/** Opens the resources of all capabilities. Returns a function that closes them in reverse order. */
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

/** Prefixes each migration with its capability's name, so that names cannot collide. */
export const collectMigrations = (list: readonly Capability[]): Migrations =>
  Object.fromEntries(
    list.flatMap(({ name, migrations = {} }) =>
      Object.entries(migrations).map(([own, migration]) => [`${name}/${own}`, migration]),
    ),
  )

export const collectEnvironment = (list: readonly Capability[]): readonly EnvironmentPart[] =>
  list.flatMap(({ environment }) => environment ?? [])

/** Returns the columns that `latchkey keys` wraps again, and those that it checks before it drops a pepper. */
export const collectKeyColumns = (list: readonly Capability[]): KeyColumns => ({
  wrapped: list.flatMap(({ wrapped = [] }) => wrapped),
  peppered: list.flatMap(({ peppered = [] }) => peppered),
})

export function collectExpiryRules(list: readonly Capability[]): readonly ExpiryRule[] {
  const lastRows = collectUserRows(list).filter((rows) => rows.goes === 'with the last row')
  return list.flatMap(({ expiryRules = [] }) =>
    expiryRules.map(
      (expiry): ExpiryRule =>
        typeof expiry === 'function' ? (reader, nowSeconds) => expiry(reader, nowSeconds, lastRows) : expiry,
    ),
  )
}

export const collectUserRows = (list: readonly Capability[]): readonly UserRowRule[] =>
  list.flatMap(({ userRows = [] }) => userRows)

export const collectDroppedTables = (list: readonly Capability[]): readonly string[] =>
  list.flatMap(({ restored }) => restored?.drops ?? [])

/** Runs the changes one after the other, in list order. */
export async function amendRestored(
  list: readonly Capability[],
  writer: Reader,
  restore: Restore,
): Promise<void> {
  for (const { restored } of list) await restored?.amend?.(writer, restore)
}

export const collectActivity = (list: readonly Capability[]): ActivityEvents =>
  Object.assign({}, ...list.map(({ activity }) => activity))

/**
 * Deletes a user's data. Reads all identifiers first, before any row is deleted. Then runs the capabilities in list
 * order, because logins lock these tables in the same order.
 */
export const createForget =
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

export const collectThirdParties = (list: readonly Capability[], config: ServerConfig): ThirdParty[] =>
  list.flatMap(({ thirdParties }) => thirdParties?.(config) ?? [])

/** Returns a function that lists the API names of enabled settings without an implementation. */
export function createUnbuiltSettings(list: readonly Capability[]) {
  const real = list.flatMap(({ settings = [] }) => settings)
  return (config: Partial<StoredConfig>) => findUnimplementedSettings(config, real)
}

/** Logs each login method at start, so that operators see which ones apps can enable. */
export function logLogins(list: readonly Capability[], config: ServerConfig, log: Logger): void {
  for (const { method, missing } of list.flatMap(({ logins = [] }) => logins)) {
    const names = missing(config)
    if (names.length === 0) log.info({ method }, 'login method configured')
    else log.info({ method, missing: names }, 'login method not configured')
  }
}

/** Builds the questions about all capabilities that other areas may ask through the context. */
export const combineCapabilities = (
  list: readonly Capability[],
  config: ServerConfig,
): ServerContext['capabilities'] => ({
  sourcesFor: async (app, reader) =>
    mergeSources(await Promise.all(list.map(({ sources }) => sources?.(app, config, reader) ?? {}))),
  cloudsFor: (app) => Object.assign({}, ...list.map(({ clouds }) => clouds?.(app, config))),
  addressesFor: (app) => Object.assign({}, ...list.map(({ addresses }) => addresses?.(app, config))),
  unbuiltSettings: createUnbuiltSettings(list),
  thirdParties: collectThirdParties(list, config),
  migrations: collectMigrations(list),
  activity: collectActivity(list),
  forget: createForget(list),
})
