/** Renders docs/reference/app-settings.md from the schemas that app settings are parsed with. */
import { snakeCase } from '@latchkey/protocol'
import { markdownPage, markdownTable } from '@latchkey/protocol/doc/markdown'
import type * as v from 'valibot'
import { type ColumnSetting, newAppColumns } from '../../identity/apps/manage.ts'
import { settingMeanings } from '../../kernel/app-settings/meanings.ts'
import { defaultStoredConfig, storedConfigSchema } from '../../kernel/app-settings/stored-config.ts'
import { createUnbuiltSettings } from '../../kernel/capability.ts'
import { capabilities } from '../capabilities.ts'

/** The parts of a valibot schema that this page shows. */
type Schema = v.GenericSchema & {
  wrapped?: Schema
  entries?: Readonly<Record<string, Schema>>
  options?: readonly unknown[]
  literal?: unknown
  item?: Schema
}

const columnMeanings: Readonly<Record<ColumnSetting, readonly [value: string, meaning: string]>> = {
  name: ['text', 'The name that users see.'],
  environment: ['`development`, `production`', 'A production app lists exact https origins only.'],
  session_mode: ['`storage`, `cookie`', 'Where browsers keep the session. A `custom_api_url` sets `cookie`.'],
  max_users: ['number or `null`', 'The maximum number of users; `null` is no limit.'],
  deleted_users_kept_days: ['number', "How many days a deleted user's row is kept; 0 deletes it at once."],
  allowed_origins: ['list of origins', 'The origins whose pages may embed the app.'],
  analytics: ['`counts`, `events`', 'Whether each event of the dialog is stored besides the counts.'],
}

const unwrap = (schema: Schema): Schema =>
  (schema.type === 'nullable' || schema.type === 'exact_optional') && schema.wrapped
    ? unwrap(schema.wrapped)
    : schema

function describeValue(schema: Schema): string {
  switch (schema.type) {
    case 'nullable':
      return schema.wrapped ? `${describeValue(schema.wrapped)} or \`null\`` : '`null`'
    case 'exact_optional':
      return schema.wrapped ? describeValue(schema.wrapped) : ''
    case 'boolean':
      return '`true`, `false`'
    case 'picklist':
      return (schema.options ?? []).map((option) => `\`${option}\``).join(', ')
    case 'literal':
      return `\`${schema.literal}\``
    case 'array': {
      const item = schema.item && unwrap(schema.item)
      return item?.type === 'picklist' ? `list of ${describeValue(item)}` : 'list'
    }
    case 'string':
      return 'text'
    case 'number':
      return 'number'
    default:
      return 'object'
  }
}

const formatDefault = (value: unknown) => (value === undefined ? '' : `\`${JSON.stringify(value)}\``)

type Row = [name: string, value: string, fallback: string, meaning: string]

function settingRows(name: string, schema: Schema, fallback: unknown, meaning: unknown, path: string): Row[] {
  const wireName = `${path}${snakeCase(name)}`
  const inner = unwrap(schema)
  if (typeof meaning === 'string') {
    return [[`\`${wireName}\``, describeValue(schema), formatDefault(fallback), meaning]]
  }
  if (typeof meaning !== 'object' || meaning === null || !inner.entries) {
    throw new Error(`The setting ${wireName} has no meaning in kernel/app-settings/meanings.ts.`)
  }
  return Object.entries(inner.entries).flatMap(([each, eachSchema]) =>
    settingRows(
      each,
      eachSchema,
      typeof fallback === 'object' && fallback !== null ? Reflect.get(fallback, each) : undefined,
      Reflect.get(meaning, each),
      `${wireName}.`,
    ),
  )
}

/** Returns whether the server refuses to turn this setting on, because no capability implements it. */
function isRefused(name: string, schema: Schema): boolean {
  const listRefused = createUnbuiltSettings(capabilities)
  const item = schema.item && unwrap(schema.item)
  const listed = item?.options?.[0] ?? 'x'
  const value =
    schema.type === 'boolean'
      ? true
      : item?.type === 'string' || item?.type === 'picklist'
        ? [listed]
        : undefined
  return value !== undefined && listRefused({ [name]: value }).length > 0
}

export function renderAppSettings(): string {
  const columns = (Object.keys(columnMeanings) as ColumnSetting[]).map((name): Row => {
    const [value, meaning] = columnMeanings[name]
    const fallback = name === 'name' ? '' : formatDefault(Reflect.get(newAppColumns, name))
    return [`\`${name}\``, value, fallback, meaning]
  })
  const settings = Object.entries<Schema>(storedConfigSchema.entries).flatMap(([name, schema]) => {
    const fallback = Reflect.get(defaultStoredConfig, name)
    const rows = settingRows(name, schema, fallback, settingMeanings[name], '')
    return isRefused(name, schema)
      ? rows.map(
          ([each, value, its, meaning]): Row => [each, value, its, `${meaning} This release refuses it.`],
        )
      : rows
  })
  const header = ['setting', 'value', 'default', 'meaning']
  return markdownPage(
    'App settings',
    'Change them with `latchkey app set <id> <setting>=<value>` and print them with `latchkey app show <id>`. A value is JSON, or text. [Apps](../apps.md) describes how to use them.',
    '## The app',
    markdownTable(header, columns),
    '## Its settings',
    markdownTable(header, settings),
  )
}
