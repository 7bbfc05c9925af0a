/** Renders sdk/server/admin/contract.ts: the types of the admin client, and the method and path of each call. */
import { wireName } from '@latchkey/protocol'
import { type AdminRoute, adminErrors, adminPrefix, adminRoutes } from '@latchkey/protocol/admin'
import { isOptionalField, type WireSchema, wireSchema } from '../../kernel/http/wire-schema.ts'
import { formatType } from './wire-types.ts'

/** The input types of query parameters. The server parses their text. */
const inputTypes: Readonly<Record<string, string>> = { limit: 'number', blocked: 'boolean' }

function formatQuery(schema: WireSchema): string {
  const fields = Object.entries(schema.entries ?? {}).map(([name, field]) => {
    const mark = isOptionalField(field) ? '?' : ''
    return `  ${wireName(name, field)}${mark}: ${inputTypes[name] ?? formatType(wireSchema(field))}`
  })
  return `{\n${fields.join('\n')}\n}`
}

const typeName = (name: string) => `${name.charAt(0).toUpperCase()}${name.slice(1)}`

function renderTypes(name: string, { query, body, output, summary }: AdminRoute): string[] {
  return [
    '',
    ...(query ? [`export type ${typeName(name)}Query = ${formatQuery(query)}`] : []),
    ...(body ? [`export type ${typeName(name)}Body = ${formatType(wireSchema(body))}`] : []),
    `/** The answer of a call that ${summary}. */`,
    `export type ${typeName(name)}Answer = ${formatType(wireSchema(output))}`,
  ]
}

export function renderAdminContract(): string {
  const routes = Object.entries<AdminRoute>(adminRoutes)
  const lines = [
    '// Written by `npm run reference` from the rows of protocol/admin. Do not edit.',
    ...routes.flatMap(([name, route]) => renderTypes(name, route)),
    '',
    'export type AdminErrorCode =',
    ...Object.keys(adminErrors).map((name) => `  | '${name}'`),
    '',
    '/** The method and path of each call. */',
    'export const calls = {',
    ...routes.map(
      ([name, { method, path, effect, upload }]) =>
        `  ${name}: { method: '${method}', path: '${adminPrefix}${path}', changes: ${effect === 'changes' && !upload} },`,
    ),
    '} as const',
  ]
  return `${lines.join('\n')}\n`
}
