/** Formats JSON schemas as TypeScript types. */
import type { JsonSchema } from '../../kernel/http/wire-schema.ts'

const isSchema = (value: unknown): value is JsonSchema => typeof value === 'object' && value !== null

/** Returns the type of a value. Objects have one field per line. */
export function formatType(schema: JsonSchema, indent = ''): string {
  const { type, anyOf, items, properties, enum: values, const: constant, required } = schema
  if (Array.isArray(anyOf)) return anyOf.map((option) => formatType(option, indent)).join(' | ')
  if (Array.isArray(values)) return values.map((value) => quote(value)).join(' | ')
  if (constant !== undefined) return quote(constant)
  if (type === 'array' && isSchema(items)) {
    const item = formatType(items, indent)
    return item.includes(' | ') && !item.startsWith('{') ? `(${item})[]` : `${item}[]`
  }
  if (isSchema(properties)) {
    const names = Array.isArray(required) ? required : []
    const fields = Object.entries(properties).flatMap(([name, field]) =>
      isSchema(field)
        ? [`${indent}  ${name}${names.includes(name) ? '' : '?'}: ${formatType(field, `${indent}  `)}`]
        : [],
    )
    return `{\n${fields.join('\n')}\n${indent}}`
  }
  if (type === 'integer') return 'number'
  return typeof type === 'string' ? type : 'unknown'
}

const quote = (value: unknown) => (typeof value === 'string' ? `'${value}'` : JSON.stringify(value))
