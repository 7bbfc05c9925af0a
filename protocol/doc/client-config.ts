/** Renders docs/reference/client-config.md from the schema of the page's configuration and its descriptions. */
import type * as v from 'valibot'
import { clientConfigSchema } from '../entities/client-config.ts'
import { clientConfigDoc } from '../entities/client-config-doc.ts'
import { markdownPage, markdownTable } from './markdown.ts'

/** The parts of a valibot schema that this page shows. */
type Schema = v.GenericSchema & {
  wrapped?: Schema
  entries?: Readonly<Record<string, Schema>>
  options?: ArrayLike<unknown>
  item?: Schema
}

const unwrap = (schema: Schema | undefined): Schema | undefined =>
  schema?.wrapped === undefined ? schema : unwrap(schema.wrapped)

function describeValue(schema: Schema | undefined): string {
  const inner = unwrap(schema)
  switch (inner?.type) {
    case 'boolean':
      return '`true`, `false`'
    case 'picklist':
      return Array.from(inner.options ?? [])
        .map((option) => `\`${option}\``)
        .join(', ')
    case 'array':
      return `list of ${describeValue(inner.item) || 'values'}`
    case 'string':
      return 'text'
    case 'number':
      return 'number'
    case 'object':
      return 'object'
    default:
      return ''
  }
}

const findSchema = (path: string): Schema | undefined =>
  path
    .split('.')
    .reduce<Schema | undefined>((schema, name) => unwrap(schema)?.entries?.[name], clientConfigSchema)

export function renderClientConfig(): string {
  return markdownPage(
    'Client configuration',
    'Pass these settings as `config` to `createLatchkey()`, to `<LatchkeyProvider>`, or to `setConfig()`. All are optional. They override the [settings of the app](app-settings.md) where the app allows it. The console lists settings without effect.',
    markdownTable(
      ['setting', 'value', 'meaning'],
      Object.entries(clientConfigDoc).map(([path, meaning]) => [
        `\`${path}\``,
        describeValue(findSchema(path)),
        meaning,
      ]),
    ),
  )
}
