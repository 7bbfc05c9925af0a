/** Server configuration, parsed once from the environment at start. Errors name the invalid variable. */
import { dirname, isAbsolute, join, relative, resolve } from 'node:path'
import { exactOrigin, isOnSameHost } from '@latchkey/protocol'
import * as v from 'valibot'
import { parseEngine } from './db/database.ts'
import {
  type DocumentedVariable,
  documentVariables,
  type Environment,
  type EnvironmentPart,
  formatIssues,
} from './environment.ts'
import { parseNetwork } from './http/addresses/networks.ts'
import { databaseLimits, shutdownLimits } from './limits.ts'
import { newRegistry, type Registry } from './registry.ts'
import { readBuildCommit, release } from './release.ts'

const repository = resolve(import.meta.dirname, '../..')
const defaultPort = 4000

const origin = v.pipe(
  v.string(),
  v.check(
    (value) => exactOrigin(value) !== undefined,
    'must be an origin as browsers write it: scheme, host and port, without a path or a slash at the end',
  ),
)
const wholeNumber = v.pipe(v.string(), v.digits('must be a number'), v.transform(Number))
const port = v.pipe(wholeNumber, v.maxValue(65_535, 'must be at most 65535'))
const path = v.pipe(
  v.string(),
  v.transform((value) => resolve(repository, value)),
)
const listener = v.pipe(
  v.string(),
  v.regex(/^(\[[0-9a-f:]+\]|[^\s:/]+):\d{1,5}$/i, 'must be <host>:<port>, such as 127.0.0.1:9464'),
  v.transform((value): Listener => {
    const at = value.lastIndexOf(':')
    return { host: value.slice(0, at).replace(/^\[(.*)\]$/, '$1'), port: Number(value.slice(at + 1)) }
  }),
  v.check(({ port }) => port > 0 && port <= 65_535, 'must have a port from 1 to 65535'),
)
const list = v.pipe(
  v.string(),
  v.transform((value) =>
    value
      .split(',')
      .map((entry) => entry.trim())
      .filter((entry) => entry !== ''),
  ),
)

const yesOrNo = v.pipe(
  v.picklist(['true', 'false'], 'must be true or false'),
  v.transform((value) => value === 'true'),
)

/** Variables that the command line tools need too. */
const storageEntries = {
  DATA_DIR: v.optional(path, '.data'),
  DATABASE_URL: v.optional(
    v.pipe(
      v.string(),
      v.check(
        (value) => parseEngine(value) === 'postgres' || !value.includes('://'),
        'must be postgres://… or the path of an SQLite file',
      ),
      v.transform((value) => (parseEngine(value) === 'postgres' ? value : resolve(repository, value))),
    ),
  ),
  MIGRATE_AT_START: v.optional(yesOrNo, 'false'),
  DATABASE_POOLER: v.optional(
    v.picklist(['none', 'transaction'], 'must be none, or transaction where PgBouncer pools by transactions'),
    'none',
  ),
  MASTER_KEY_FILE: v.optional(path),
  RECOVERY_MASTER_KEY_FILE: v.optional(path),
}
const storageSchema = v.pipe(
  v.object({
    ...storageEntries,
    // An invalid port falls back here; the server schema reports it under PORT.
    PORT: v.optional(v.fallback(port, defaultPort), String(defaultPort)),
    DIALOG_ORIGIN: v.optional(origin),
    WALLET_ORIGIN: v.optional(origin),
    ADMIN_ORIGIN: v.optional(origin),
  }),
  v.transform((env) => ({
    ...env,
    DATABASE_URL: env.DATABASE_URL ?? join(env.DATA_DIR, 'database', 'latchkey.sqlite'),
    MASTER_KEY_FILE: env.MASTER_KEY_FILE ?? join(env.DATA_DIR, 'keys', 'master.key'),
  })),
  v.forward(
    v.check(
      ({ DATABASE_URL, MASTER_KEY_FILE }) => !isInSameFolder(MASTER_KEY_FILE, DATABASE_URL),
      'must be outside the database folder, so that nobody gets both by stealing one folder',
    ),
    ['MASTER_KEY_FILE'],
  ),
  v.forward(
    v.check(
      ({ DATABASE_URL, RECOVERY_MASTER_KEY_FILE: file }) =>
        file === undefined || !isInSameFolder(file, DATABASE_URL),
      'must be outside the database folder, so that nobody gets both by stealing one folder',
    ),
    ['RECOVERY_MASTER_KEY_FILE'],
  ),
  v.forward(
    v.check(
      ({ MASTER_KEY_FILE, RECOVERY_MASTER_KEY_FILE }) => MASTER_KEY_FILE !== RECOVERY_MASTER_KEY_FILE,
      'must be another file than MASTER_KEY_FILE, because one file is only one secret',
    ),
    ['RECOVERY_MASTER_KEY_FILE'],
  ),
)

const dialogOriginAt = (localPort: number) => `http://dialog.localhost:${localPort}`

const serverEntries = {
  DATABASE_CONNECTIONS: v.optional(
    v.pipe(wholeNumber, v.minValue(1, 'must be at least 1')),
    String(databaseLimits.postgresConnections),
  ),
  DRAIN_MS: v.optional(wholeNumber, String(shutdownLimits.drainMs)),
  HOST: v.optional(v.pipe(v.string(), v.nonEmpty('must not be empty')), '127.0.0.1'),
  PORT: v.optional(port, String(defaultPort)),
  DIALOG_ORIGIN: v.optional(origin),
  WALLET_ORIGIN: v.optional(origin),
  ISSUER: v.optional(v.pipe(v.string(), v.url('must be a URL'))),
  TRUSTED_PROXIES: v.optional(
    v.pipe(
      list,
      v.everyItem(
        (entry) => parseNetwork(entry) !== undefined,
        'must be addresses or networks such as 10.0.0.0/8, separated by commas',
      ),
    ),
    '',
  ),
  LOG_LEVEL: v.optional(
    v.picklist(
      ['fatal', 'error', 'warn', 'info', 'debug', 'silent'],
      'must be one of fatal, error, warn, info, debug, silent',
    ),
    'info',
  ),
  DIALOG_DIST: v.optional(path, 'dialog-app/dist'),
  WALLET_DIST: v.optional(path, 'wallet-frame/dist'),
  LOADER_DIST: v.optional(path, 'loader/dist'),
  METRICS_ADDRESS: v.optional(listener),
  ADMIN_ADDRESS: v.optional(listener),
  ADMIN_ORIGIN: v.optional(origin),
  DASHBOARD_DIST: v.optional(path, 'dashboard/dist'),
  SOURCE_COMMIT: v.optional(v.pipe(v.string(), v.regex(/^[0-9a-f]{7,64}$/i, 'must be the hash of a commit'))),
}
const serverSchema = v.pipe(
  v.object(serverEntries),
  v.transform((env) => ({
    ...env,
    DIALOG_ORIGIN: env.DIALOG_ORIGIN ?? dialogOriginAt(env.PORT),
    WALLET_ORIGIN: env.WALLET_ORIGIN ?? `http://wallet.localhost:${env.PORT}`,
  })),
  v.forward(
    v.check(
      ({ DIALOG_ORIGIN, WALLET_ORIGIN }) =>
        new URL(DIALOG_ORIGIN).hostname !== new URL(WALLET_ORIGIN).hostname,
      'must have another hostname than DIALOG_ORIGIN, so that the dialog cannot read what the wallet stores',
    ),
    ['WALLET_ORIGIN'],
  ),
  v.forward(
    v.check(
      ({ DIALOG_ORIGIN, WALLET_ORIGIN }) => [DIALOG_ORIGIN, WALLET_ORIGIN].every(isSecureContext),
      'must be https, except on localhost, because browsers offer cryptography only on secure pages',
    ),
    ['DIALOG_ORIGIN'],
  ),
  v.forward(
    v.check(
      ({ METRICS_ADDRESS, PORT }) => METRICS_ADDRESS?.port !== PORT,
      'must have another port than PORT, so that nobody outside reads your metrics',
    ),
    ['METRICS_ADDRESS'],
  ),
  v.forward(
    v.check(
      ({ ADMIN_ADDRESS, METRICS_ADDRESS, PORT }) =>
        ADMIN_ADDRESS === undefined || ![PORT, METRICS_ADDRESS?.port].includes(ADMIN_ADDRESS.port),
      'must have another port than PORT and METRICS_ADDRESS, so that the Admin API is on no other listener',
    ),
    ['ADMIN_ADDRESS'],
  ),
  v.forward(
    v.check(
      ({ ADMIN_ORIGIN, ADMIN_ADDRESS }) => ADMIN_ORIGIN === undefined || ADMIN_ADDRESS !== undefined,
      'needs ADMIN_ADDRESS, the listener of the dashboard',
    ),
    ['ADMIN_ORIGIN'],
  ),
  v.forward(
    v.check(
      ({ ADMIN_ORIGIN }) => ADMIN_ORIGIN === undefined || isSecureContext(ADMIN_ORIGIN),
      'must be https, except on localhost, because browsers offer passkeys only on secure pages',
    ),
    ['ADMIN_ORIGIN'],
  ),
  v.forward(
    v.check(
      ({ ADMIN_ORIGIN, DIALOG_ORIGIN, WALLET_ORIGIN }) =>
        ADMIN_ORIGIN === undefined ||
        ![DIALOG_ORIGIN, WALLET_ORIGIN].some(
          (other) => new URL(other).hostname === new URL(ADMIN_ORIGIN).hostname,
        ),
      'must have another hostname than DIALOG_ORIGIN and WALLET_ORIGIN, so that operators share no cookies and passkeys with users',
    ),
    ['ADMIN_ORIGIN'],
  ),
)

/** The variables of the server itself. Capabilities declare their own in `EnvironmentPart`. */
export const serverVariables: readonly string[] = [
  ...new Set([...Object.keys(serverEntries), ...Object.keys(storageEntries)]),
]

/** The documentation of the variables of the server itself. */
export const serverDocumentation: readonly DocumentedVariable[] = documentVariables(
  { ...serverEntries, ...storageEntries },
  {
    DIALOG_ORIGIN: 'The origin of the dialog, as browsers write it. It must be https, except on localhost.',
    WALLET_ORIGIN:
      'The origin of the wallet frame. It must have another hostname than the dialog, and should be on another site.',
    HOST: {
      meaning: 'The address to listen on. Use `0.0.0.0` if your proxy runs on another machine.',
      isPerMachine: true,
    },
    PORT: { meaning: 'The port to listen on.', isPerMachine: true },
    ISSUER: { meaning: 'The `iss` claim of every token.', default: '`DIALOG_ORIGIN`' },
    TRUSTED_PROXIES:
      'Addresses and networks of your proxies, separated by commas. The server trusts their `X-Forwarded-For` ([Proxies](../operating.md#proxies)).',
    LOG_LEVEL: { meaning: '`fatal`, `error`, `warn`, `info`, `debug` or `silent`.', isPerMachine: true },
    DRAIN_MS: {
      meaning:
        'How long the server keeps serving after SIGTERM, in milliseconds. Meanwhile `/readyz` answers 503.',
      isPerMachine: true,
    },
    DIALOG_DIST: { meaning: 'The folder of the built dialog.', isPerMachine: true },
    WALLET_DIST: { meaning: 'The folder of the built wallet frame.', isPerMachine: true },
    LOADER_DIST: {
      meaning:
        'The folder of the built loader. Beside it, `releases/` has earlier loaders ([Pinned loaders](../operating.md#pinned-loaders)).',
      isPerMachine: true,
    },
    METRICS_ADDRESS: {
      meaning:
        '`<host>:<port>` of a second listener, where Prometheus reads `/metrics` ([Watch it](../operating.md#watch-it)).',
      isPerMachine: true,
    },
    ADMIN_ADDRESS: {
      meaning:
        '`<host>:<port>` of the listener of the Admin API ([Admin API](../admin-api.md)). Without it there is no Admin API.',
      isPerMachine: true,
    },
    ADMIN_ORIGIN:
      'The origin at which operators open the dashboard, as browsers write it ([Dashboard](../dashboard.md)). Without it there is no dashboard.',
    DASHBOARD_DIST: { meaning: 'The folder of the built dashboard.', isPerMachine: true },
    SOURCE_COMMIT: {
      meaning: 'The commit in `/readyz`, the metrics and the log. Set it if you build without `.git`.',
      default: 'the commit of the build',
      isPerMachine: true,
    },
    DATA_DIR: {
      meaning:
        'The folder of the SQLite file (`database/`) and of the master key (`keys/`). It is not required if `DATABASE_URL` and `MASTER_KEY_FILE` are set.',
      isPerMachine: true,
    },
    DATABASE_URL: {
      meaning: 'The path of an SQLite file, or `postgres://…` ([Databases](../databases.md)).',
      default: '`database/latchkey.sqlite` in `DATA_DIR`',
      isSecret: true,
    },
    DATABASE_CONNECTIONS: {
      meaning: 'The maximum number of connections of this process to PostgreSQL.',
      isPerMachine: true,
    },
    DATABASE_POOLER:
      '`transaction` for a pooler in transaction mode between the server and PostgreSQL ([Poolers](../operating.md#poolers)).',
    MIGRATE_AT_START:
      '`true` lets any server or command migrate PostgreSQL at its start. SQLite is always migrated.',
    MASTER_KEY_FILE: {
      meaning:
        'The master key file: mode 0600, outside of the database folder. The first start of a new database creates it.',
      default: '`keys/master.key` in `DATA_DIR`',
      isPerMachine: true,
    },
    RECOVERY_MASTER_KEY_FILE: {
      meaning:
        'A second master key file for recovery shares only ([Two key files](../keys.md#two-key-files)).',
      isPerMachine: true,
    },
  },
)

export type StorageConfig = {
  /** `postgres://…`, or the path of an SQLite file. */
  databaseUrl: string
  /** Whether the first process to start migrates PostgreSQL. SQLite always migrates at start. */
  migratesAtStart: boolean
  /** Whether PostgreSQL is behind a pooler in transaction mode. */
  isPooled: boolean
  masterKeyFile: string
  /** Undefined if recovery shares use the master key, like all other secrets. */
  recoveryMasterKeyFile: string | undefined
  /** The configured origins of the dialog and the wallet. Operator commands may run without them. */
  ownOrigins: readonly string[]
  /** The origin of the dialog page, its API and the loader. */
  dialogOrigin: string
  /** The origin of the dashboard, or undefined if there is none. */
  adminOrigin: string | undefined
}

export type Release = {
  version: string
  /** The hash of the commit, or `unknown`. */
  commit: string
}

export type Listener = { host: string; port: number }

export type ServerConfig = StorageConfig & {
  host: string
  port: number
  /** The listener for the metrics endpoint, or undefined if it is disabled. */
  metricsAddress: Listener | undefined
  /** The listener of the Admin API, or undefined if it is disabled. */
  adminAddress: Listener | undefined
  /** Maximum number of PostgreSQL connections of this process. */
  databaseConnections: number
  /** Time between the shutdown signal and the end of serving, so that load balancers can stop routing here. */
  drainMs: number
  /** The origin of the wallet frame. */
  walletOrigin: string
  /** The `iss` claim of every token. */
  issuer: string
  /** Networks of trusted proxies. The server reads their `X-Forwarded-For`. */
  trustedProxies: readonly string[]
  logLevel: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'silent'
  dialogDist: string
  walletDist: string
  loaderDist: string
  dashboardDist: string
  release: Release
  /** The values of the capabilities: `mailEnvironment.read(config)`. */
  parts: Registry
}

/** Its message is for operators, with one line per variable. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

export function parseStorageConfig(environment: Environment): StorageConfig {
  return toStorageConfig(unwrapResult(v.safeParse(storageSchema, withoutEmpty(environment))))
}

/** Parses the environment, including the capabilities' `parts`. Reports all invalid variables in one error. */
export function parseConfig(environment: Environment, parts: readonly EnvironmentPart[] = []): ServerConfig {
  const set = withoutEmpty(environment)
  const values = newRegistry('the values of the environment')
  const server = v.safeParse(serverSchema, set)
  const storage = v.safeParse(storageSchema, set)
  const wrong = [
    ...formatIssues(server.issues ?? []),
    ...formatIssues(storage.issues ?? []),
    ...parts.flatMap((part) => part.parse(set, values)),
  ]
  if (wrong.length > 0) throw new ConfigError(wrong.join('\n'))
  const env = unwrapResult(server)
  return {
    ...toStorageConfig(unwrapResult(storage)),
    host: env.HOST,
    port: env.PORT,
    metricsAddress: env.METRICS_ADDRESS,
    adminAddress: env.ADMIN_ADDRESS,
    databaseConnections: env.DATABASE_CONNECTIONS,
    drainMs: env.DRAIN_MS,
    dialogOrigin: env.DIALOG_ORIGIN,
    walletOrigin: env.WALLET_ORIGIN,
    issuer: env.ISSUER ?? env.DIALOG_ORIGIN,
    trustedProxies: env.TRUSTED_PROXIES,
    logLevel: env.LOG_LEVEL,
    dialogDist: env.DIALOG_DIST,
    walletDist: env.WALLET_DIST,
    loaderDist: env.LOADER_DIST,
    dashboardDist: env.DASHBOARD_DIST,
    release: { version: release, commit: env.SOURCE_COMMIT ?? readBuildCommit() ?? 'unknown' },
    parts: values,
  }
}

const toStorageConfig = (env: v.InferOutput<typeof storageSchema>): StorageConfig => ({
  databaseUrl: env.DATABASE_URL,
  migratesAtStart: env.MIGRATE_AT_START,
  isPooled: env.DATABASE_POOLER === 'transaction',
  masterKeyFile: env.MASTER_KEY_FILE,
  recoveryMasterKeyFile: env.RECOVERY_MASTER_KEY_FILE,
  ownOrigins: [env.DIALOG_ORIGIN, env.WALLET_ORIGIN].filter((one) => one !== undefined),
  dialogOrigin: env.DIALOG_ORIGIN ?? dialogOriginAt(env.PORT),
  adminOrigin: env.ADMIN_ORIGIN,
})

/** Treats an empty value in an .env file as unset. */
const withoutEmpty = (environment: Environment): Environment =>
  Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''))

function unwrapResult<Schema extends v.GenericSchema>(
  parsed: v.SafeParseResult<Schema>,
): v.InferOutput<Schema> {
  if (parsed.success) return parsed.output
  throw new ConfigError(formatIssues(parsed.issues).join('\n'))
}

function isInSameFolder(keyFile: string, databaseUrl: string): boolean {
  if (parseEngine(databaseUrl) === 'postgres') return false
  const fromData = relative(dirname(databaseUrl), keyFile)
  return !fromData.startsWith('..') && !isAbsolute(fromData)
}

export const isSecureContext = (value: string) => new URL(value).protocol === 'https:' || isLocalhost(value)

function isLocalhost(value: string): boolean {
  const { hostname } = new URL(value)
  return hostname === 'localhost' || hostname.endsWith('.localhost')
}

/** Returns whether the server runs on localhost, for development. Every other server is in production. */
export const isLocal = ({ dialogOrigin }: Pick<ServerConfig, 'dialogOrigin'>) => isLocalhost(dialogOrigin)

/** Returns whether the address has the host of the dialog or the wallet. */
export const isOwnAddress = (
  { dialogOrigin, walletOrigin }: Pick<ServerConfig, 'dialogOrigin' | 'walletOrigin'>,
  address: string,
): boolean => isOnSameHost(address, [dialogOrigin, walletOrigin])
