/** Renders docs/reference/admin-api.md from the rows of the Admin API. */
import { product, wireName } from '@latchkey/protocol'
import {
  type AdminRoute,
  adminErrors,
  adminPrefix,
  adminRoutes,
  adminScopes,
  commonAdminErrors,
  eventDataSchema,
  importOmissions,
  importReasons,
  webhookEvents,
  webhookEventTypes,
} from '@latchkey/protocol/admin'
import { markdownPage, markdownTable } from '@latchkey/protocol/doc/markdown'
import { isOptionalField, type WireSchema, wireSchema } from '../../kernel/http/wire-schema.ts'
import { forbiddenEffects } from '../../platform/admin/admin.ts'
import { formatType } from './wire-types.ts'

const code = (text: string) => `\`${text}\``
const sentence = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`

function fieldRows(schema: WireSchema | undefined, prefix = ''): string[][] {
  return Object.entries(schema?.entries ?? {}).flatMap(([name, field]) => {
    const wire = `${prefix}${wireName(name, field)}`
    const inner = unwrap(field)
    const item = inner.item && unwrap(inner.item)
    const row = [code(wire), code(describeType(field)), isOptionalField(field) ? '' : 'yes']
    if (inner.entries) return [row, ...fieldRows(inner, `${wire}.`)]
    return item?.entries ? [row, ...fieldRows(item, `${wire}[].`)] : [row]
  })
}

const unwrap = (schema: WireSchema): WireSchema => (schema.wrapped ? unwrap(schema.wrapped) : schema)

function describeType(field: WireSchema): string {
  const inner = unwrap(field)
  const isNullable = field.type === 'nullable' || field.wrapped?.type === 'nullable'
  const own = inner.entries ? 'object' : inner.item?.entries ? 'object[]' : formatType(wireSchema(inner))
  return isNullable ? `${own} | null` : own
}

function renderCall(name: string, route: AdminRoute) {
  const fields = (title: string, schema: WireSchema | undefined) => {
    const rows = fieldRows(schema)
    return rows.length === 0 ? [] : [`${title}:`, markdownTable(['field', 'type', 'always'], rows)]
  }
  return [
    `### ${route.method} ${route.path}`,
    `${sentence(route.summary)} Scope: ${route.scopes.map(code).join(' or ')}. Name in the audit log: ${code(name)}.`,
    ...fields('Parameters', route.query),
    ...fields('Body', route.body),
    ...(route.upload ? [`Body: a file of the type ${route.upload.map(code).join(' or ')}.`] : []),
    ...fields(
      `${route.stream ? 'Each line of the answer' : 'Answer'}, with status ${route.status}`,
      route.output,
    ),
    ...(route.errors.length === 0 ? [] : [`Errors: ${route.errors.map(code).join(', ')}.`]),
  ]
}

export function renderAdminApi(): string {
  return markdownPage(
    'Admin API reference',
    `[Admin API](../admin-api.md) describes how to use it. Paths start with ${code(adminPrefix)}. ${code(`GET ${adminPrefix}/openapi.json`)} returns the same as OpenAPI 3.1. Times are ISO 8601 in UTC.`,
    '## Scopes',
    markdownTable(
      ['scope', 'meaning'],
      Object.entries(adminScopes).map(([scope, meaning]) => [code(scope), meaning]),
    ),
    '## Calls',
    ...Object.entries<AdminRoute>(adminRoutes).flatMap(([name, route]) => renderCall(name, route)),
    '## Events of webhooks',
    `[Webhooks](../webhooks.md) describes how they are sent. ${code('data')} has these fields; types of events are ${code('type')}.`,
    markdownTable(
      ['type', 'sent when', 'fields of `data`'],
      webhookEventTypes.map((type) => [
        code(type),
        `${webhookEvents[type].when}.`,
        fieldRows(eventDataSchema(type))
          .map(([name]) => name)
          .join(', '),
      ]),
    ),
    '## Results of imports',
    `[Moving users](../moving-users.md) describes imports. ${code('why')} of a record is one of these:`,
    markdownTable(
      ['why', 'meaning'],
      Object.entries(importReasons).map(([reason, meaning]) => [code(reason), meaning]),
    ),
    `${code('left_out')} lists accounts that a record has and the user does not expect:`,
    markdownTable(
      ['left out', 'meaning'],
      Object.entries(importOmissions).map(([omission, meaning]) => [code(omission), meaning]),
    ),
    '## Errors',
    `Every call may return ${commonAdminErrors.map(code).join(', ')}.`,
    markdownTable(
      ['code', 'status', 'title'],
      Object.entries(adminErrors).map(([name, { status, title }]) => [code(name), String(status), title]),
    ),
    '## What no call does',
    `A stolen key can read, end sessions, block and delete. It cannot take a wallet of ${product.name}. No call`,
    forbiddenEffects.map(({ effect }) => `- ${effect}.`),
  )
}
