/** App management for operators. Invalid changes are refused with a reason before anything is written. */
import { isDeepStrictEqual } from 'node:util'
import {
  appId as appIdSchema,
  appLimits,
  exactOrigin,
  findOwnAddress,
  fromWire,
  isListableOrigin,
  isOriginWildcard,
  serverLimits,
  toTurnstileSiteKey,
  toWire,
  unsupportedSiteKeyMessage,
} from '@latchkey/protocol'
import * as v from 'valibot'
import {
  defaultStoredConfig,
  type StoredConfig,
  storedConfigSchema,
} from '../../kernel/app-settings/stored-config.ts'
import { isSecureContext } from '../../kernel/config.ts'
import { randomLetters } from '../../kernel/ids.ts'
import { retentionLimits } from '../../kernel/limits.ts'
import { type Clock, nowSeconds, type Reader } from '../../kernel/ports.ts'
import { findListRefusal } from './approval-rules.ts'
import { normalizeIdentifier } from './identifiers.ts'
import { recountPlaces } from './places.ts'
import { AppRefusal } from './refusal.ts'
import {
  type AppRow,
  addToAllowlist,
  appById,
  insertApp,
  lockApp,
  removeFromAllowlist,
  updateApp,
} from './store.ts'
import { parseOrigins, parseStoredConfig } from './stored-app.ts'

export { AppRefusal } from './refusal.ts'

export type Environment = AppRow['environment']
export const environments = ['development', 'production'] as const satisfies readonly Environment[]

export type NewApp = {
  id?: string | undefined
  name: string
  origins: readonly string[]
  environment: Environment
}

/** The defaults of settings in columns of their own. */
export const newAppColumns = {
  environment: 'development',
  session_mode: 'storage',
  max_users: null,
  deleted_users_kept_days: retentionLimits.deletedUserDays,
  analytics: 'counts',
} as const

export async function createApp(reader: Reader, clock: Clock, input: NewApp): Promise<AppRow> {
  const now = nowSeconds(clock)
  const app: AppRow = {
    id: parseOrRefuse(appIdSchema, input.id ?? randomLetters(appLimits.appIdLength), appIdRule),
    name: parseName(input.name),
    secret_hash: '',
    config: JSON.stringify(defaultStoredConfig),
    allowed_origins: JSON.stringify(validateOrigins(input.environment, input.origins)),
    ...newAppColumns,
    environment: input.environment,
    created_at: now,
    updated_at: now,
  }
  if (!(await insertApp(reader, app))) throw new AppRefusal(`App ${app.id} already exists.`)
  return app
}

const appIdRule = `An app id has ${appLimits.appIdLength} letters and digits.`

/** Returns the time of a change. Two changes in the same second get different times, so clients can tell them apart. */
const nextUpdate = (app: AppRow, clock: Clock) => Math.max(nowSeconds(clock), app.updated_at + 1)

export async function changeOrigins(
  reader: Reader,
  clock: Clock,
  id: string,
  change: { add?: readonly string[]; remove?: readonly string[] },
): Promise<readonly string[]> {
  const app = await lockExistingApp(reader, id)
  const listed = parseOrigins(app)
  const unknown = change.remove?.find((origin) => !listed.includes(origin))
  if (unknown !== undefined) throw new AppRefusal(`The app does not list ${unknown}.`)
  const remaining = listed.filter((origin) => !change.remove?.includes(origin))
  const origins = validateOrigins(app.environment, [...remaining, ...(change.add ?? [])])
  await updateApp(reader, id, {
    allowed_origins: JSON.stringify(origins),
    updated_at: nextUpdate(app, clock),
  })
  return origins
}

/** Validates origins. Production apps list exact https origins; wildcards and http are for development. */
function validateOrigins(environment: Environment, origins: readonly string[]): readonly string[] {
  for (const origin of origins) {
    if (!isListableOrigin(origin)) {
      throw new AppRefusal(
        `${origin} is not an origin. Write scheme, host and port as browsers do, without a path or a slash at the end.`,
      )
    }
    if (environment === 'development') continue
    if (isOriginWildcard(origin))
      throw new AppRefusal(`${origin}: only a development app can list a wildcard.`)
    if (!origin.startsWith('https://'))
      throw new AppRefusal(`${origin}: a production app can list only https origins.`)
  }
  const unique = [...new Set(origins)]
  if (unique.length > serverLimits.maxAllowedOrigins) {
    throw new AppRefusal(`An app can list at most ${serverLimits.maxAllowedOrigins} origins.`)
  }
  return unique
}

const parseName = (name: string) =>
  parseOrRefuse(
    v.pipe(
      v.string(),
      v.trim(),
      v.nonEmpty(),
      v.maxLength(appLimits.maxNameLength),
      v.regex(/^[^\p{Cc}\p{Cf}]+$/u),
    ),
    name,
    `A name needs 1 to ${appLimits.maxNameLength} visible characters.`,
  )

/** Settings in columns of their own, by their CLI names. */
const columns = {
  name: (_, value) => ({ name: parseName(String(value)) }),
  environment: (app, value) => {
    const environment = parseOrRefuse(
      v.picklist(environments),
      value,
      `environment must be ${environments.join(' or ')}.`,
    )
    validateOrigins(environment, parseOrigins(app))
    return { environment }
  },
  session_mode: (_, value) => ({
    session_mode: parseOrRefuse(
      v.picklist(['storage', 'cookie']),
      value,
      'session_mode must be storage or cookie.',
    ),
  }),
  max_users: (_, value) => ({
    max_users: parseOrRefuse(
      v.nullable(v.pipe(v.number(), v.safeInteger(), v.minValue(0))),
      value,
      'max_users must be a whole number, or null for no limit.',
    ),
  }),
  deleted_users_kept_days: (_, value) => ({
    deleted_users_kept_days: parseOrRefuse(
      v.pipe(v.number(), v.safeInteger(), v.minValue(0), v.maxValue(retentionLimits.longestDeletedUserDays)),
      value,
      `deleted_users_kept_days must be a whole number up to ${retentionLimits.longestDeletedUserDays}.`,
    ),
  }),
  analytics: (_, value) => ({
    analytics: parseOrRefuse(v.picklist(['counts', 'events']), value, 'analytics must be counts or events.'),
  }),
  allowed_origins: (app, value) => {
    const origins = parseOrRefuse(v.array(v.string()), value, 'allowed_origins must be a list of origins.')
    return { allowed_origins: JSON.stringify(validateOrigins(app.environment, origins)) }
  },
} satisfies Readonly<Record<string, (app: AppRow, value: unknown) => Partial<AppRow>>>

export type ColumnSetting = keyof typeof columns
const isColumn = (name: string): name is ColumnSetting => Object.hasOwn(columns, name)

/** Setting paths in wire names, with dots for nesting. */
export type Fields = readonly (readonly [path: string, value: unknown])[]

/** Sets all fields or none. */
export async function setFields(reader: Reader, clock: Clock, id: string, fields: Fields): Promise<AppRow> {
  const changed = applyFields(await lockExistingApp(reader, id), clock, fields)
  await saveApp(reader, changed)
  return changed
}

async function saveApp(reader: Reader, changed: AppRow): Promise<void> {
  await updateApp(reader, changed.id, changed)
  if (changed.max_users !== null) await recountPlaces(reader, changed.id)
}

/** Locks the app, so that of two concurrent read-modify-write changes the second sees the first. */
async function lockExistingApp(reader: Reader, id: string): Promise<AppRow> {
  const app = await lockApp(reader, id)
  if (!app) throw noSuchApp(id)
  return app
}

/** The settings that this server does not support, and its own origins. */
export type ServerSupport = {
  unbuiltSettings: (config: StoredConfig) => readonly string[]
  ownOrigins: readonly string[]
  /** Throws if the caller may not make this change. */
  authorize?: (before: AppRow, after: AppRow) => void
}

/** Refuses links and images on this server's own origins. */
function refuseOwnAddress(config: StoredConfig, origins: readonly string[]): void {
  const {
    custom_api_url: api,
    rpc_urls: _,
    solana_rpc_urls: __,
    ...links
  } = Object(toWire(storedConfigSchema, config))
  const path = findOwnAddress(links, typeof api === 'string' ? [...origins, api] : origins)
  if (path !== undefined) throw new AppRefusal(`${path} cannot be an address of this server itself.`)
}

/** Changes settings for an operator. Refuses to turn on settings that this server does not support. */
export async function changeSettings(
  reader: Reader,
  clock: Clock,
  id: string,
  fields: Fields,
  support: ServerSupport,
): Promise<AppRow> {
  const app = await lockExistingApp(reader, id)
  const changed = previewSettings(app, clock, fields, support)
  await saveApp(reader, changed)
  return changed
}

/** Returns the changed app without storing it. Has the checks of `changeSettings`. */
export function previewSettings(
  app: AppRow,
  clock: Clock,
  fields: Fields,
  { unbuiltSettings, ownOrigins, authorize }: ServerSupport,
): AppRow {
  const changed = applyFields(app, clock, fields)
  authorize?.(app, changed)
  refuseOwnAddress(parseStoredConfig(changed), ownOrigins)
  const previous = new Set(unbuiltSettings(parseStoredConfig(app)))
  const [turnedOn] = unbuiltSettings(parseStoredConfig(changed)).filter((setting) => !previous.has(setting))
  if (turnedOn !== undefined) throw notSupported(turnedOn)
  return changed
}

const notSupported = (setting: string) =>
  new AppRefusal(
    `${setting} cannot be turned on: this server does not support it (not_supported).`,
    'not_supported',
  )

function applyFields(app: AppRow, clock: Clock, fields: Fields): AppRow {
  let change: Partial<AppRow> = {}
  let config = parseStoredConfig(app)
  for (const [path, value] of fields) {
    const column = isColumn(path) ? columns[path] : undefined
    if (column) change = { ...change, ...column({ ...app, ...change }, value) }
    else config = applyField(config, path, value)
  }
  const { captchaSiteKey } = config
  if (
    (captchaSiteKey !== null || config.captchaEnabled) &&
    toTurnstileSiteKey(captchaSiteKey) === undefined
  ) {
    throw new AppRefusal(
      `captcha_site_key cannot be ${JSON.stringify(captchaSiteKey)}: ${unsupportedSiteKeyMessage}`,
    )
  }
  const { environment } = { ...app, ...change }
  for (const [name, urls] of [
    ['rpc_urls', config.rpcUrls],
    ['solana_rpc_urls', config.solanaRpcUrls],
  ] as const) {
    const plain = Object.values(urls)
      .flat()
      .find((url) => !url.startsWith('https://'))
    if (plain !== undefined && environment !== 'development') {
      throw new AppRefusal(`${name} cannot contain ${plain}: a production app needs https.`)
    }
  }
  if (config.testAccounts.length > 0 && environment !== 'development') {
    throw new AppRefusal('test_accounts are for development apps: whoever knows a fixed code can log in.')
  }
  // An API on another site can only keep tokens of the page in its own cookies.
  if (config.customApiUrl !== null) change = { ...change, session_mode: 'cookie' }
  return { ...app, ...change, config: JSON.stringify(config), updated_at: nextUpdate(app, clock) }
}

function applyField(config: StoredConfig, path: string, value: unknown): StoredConfig {
  const wire = toWire(storedConfigSchema, config)
  const changed = replaceAt(wire, path.split('.'), value)
  const parsed = v.safeParse(storedConfigSchema, fromWire(storedConfigSchema, changed))
  if (!parsed.success) {
    const [issue] = parsed.issues
    throw new AppRefusal(`${path} cannot be ${JSON.stringify(value)}: ${issue.message}`)
  }
  const storedValue = valueAt(toWire(storedConfigSchema, parsed.output), path.split('.'))
  if (!isDeepStrictEqual(storedValue, value)) throw new AppRefusal(`There is no setting ${path}.`)
  const [setting = ''] = path.split('.')
  const refusal = findListRefusal(setting, parsed.output)
  if (refusal !== undefined) throw new AppRefusal(`${setting} cannot list this: ${refusal}`)
  const { customApiUrl } = parsed.output
  if (customApiUrl !== null && !(exactOrigin(customApiUrl) && isSecureContext(customApiUrl))) {
    throw new AppRefusal(
      `custom_api_url cannot be ${customApiUrl}: it must be an https origin without a path.`,
    )
  }
  return parsed.output
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function replaceAt(target: unknown, [head, ...rest]: readonly string[], value: unknown): unknown {
  if (head === undefined) return value
  const record = isRecord(target) ? target : {}
  const inner = Object.hasOwn(record, head) ? record[head] : undefined
  return { ...record, [head]: replaceAt(inner, rest, value) }
}

function valueAt(target: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (inner, name) => (isRecord(inner) && Object.hasOwn(inner, name) ? inner[name] : undefined),
    target,
  )
}

/** Returns the settings as the command line and the Admin API show them. */
export function describeApp(app: AppRow) {
  const { secret_hash: _, allowed_origins: __, config: ___, ...columns } = app
  return {
    ...columns,
    allowed_origins: parseOrigins(app),
    config: toWire(storedConfigSchema, parseStoredConfig(app)),
  }
}

export async function changeAllowlist(
  reader: Reader,
  id: string,
  action: 'add' | 'remove',
  type: string,
  identifier: string,
): Promise<void> {
  await requireApp(reader, id)
  const entry = allowlistEntry(type, identifier)
  if (action === 'add') return addToAllowlist(reader, id, entry)
  if (!(await removeFromAllowlist(reader, id, entry)))
    throw new AppRefusal(`The allowlist does not contain ${identifier}.`)
}

const allowlistEntry = (type: string, identifier: string) => ({
  type,
  identifier: normalizeIdentifier(type, identifier),
})

export async function requireApp(reader: Reader, id: string): Promise<AppRow> {
  const app = await appById(reader, id)
  if (!app) throw noSuchApp(id)
  return app
}

const noSuchApp = (id: string) => new AppRefusal(`There is no app ${id}.`)

function parseOrRefuse<Schema extends v.GenericSchema>(
  schema: Schema,
  value: unknown,
  reason: string,
): v.InferOutput<Schema> {
  const parsed = v.safeParse(schema, value)
  if (!parsed.success) throw new AppRefusal(reason)
  return parsed.output
}
