/**
 * Maps camelCase in code to snake_case on the wire, guided by the schemas.
 *
 * A schema is written once, in camelCase. A field that keeps its camelCase name on the wire is marked with
 * `keepsName()`. Records and unknown values are not renamed.
 */
import * as v from 'valibot'

type AnySchema = v.BaseSchema<unknown, unknown, v.BaseIssue<unknown>>
type Walked = AnySchema & {
  entries?: Readonly<Record<string, Walked>>
  item?: Walked
  /** The schema of undeclared fields, which are not renamed. */
  rest?: Walked
  wrapped?: Walked
  options?: readonly Walked[]
  key?: string
  literal?: unknown
  pipe?: readonly { type: string; metadata?: Readonly<Record<string, unknown>> }[]
}
type Direction = 'toWire' | 'fromWire'

/** Marks a field that keeps its name on the wire. */
export const keepsName = <Input>() => v.metadata<Input, { wire: 'own name' }>({ wire: 'own name' })

export const snakeCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

export function wireName(field: string, schema: AnySchema): string {
  const { pipe, wrapped } = schema as Walked
  const hasOwnName = pipe?.some((part) => part.type === 'metadata' && part.metadata?.wire === 'own name')
  if (hasOwnName) return field
  return wrapped ? wireName(field, wrapped) : snakeCase(field)
}

export const toWire = (schema: AnySchema, value: unknown): unknown =>
  rename(schema as Walked, value, 'toWire')
export const fromWire = (schema: AnySchema, value: unknown): unknown =>
  rename(schema as Walked, value, 'fromWire')

/** An invalid value in place of an array where an object is expected. Valibot would accept an array as an object. */
const neither = Number.NaN

function rename(schema: Walked, value: unknown, direction: Direction): unknown {
  if (value === null || typeof value !== 'object') return value
  if (schema.wrapped) return rename(schema.wrapped, value, direction)
  if (schema.item && Array.isArray(value)) {
    const { item } = schema
    return value.map((entry) => rename(item, entry, direction))
  }
  if (schema.options) {
    const option = chooseOption(schema, value as Record<string, unknown>)
    return option ? rename(option, value, direction) : value
  }
  if (!schema.entries) return value
  if (Array.isArray(value)) return neither
  const source = value as Record<string, unknown>
  const renamed: Record<string, unknown> = {}
  for (const [field, inner] of Object.entries(schema.entries)) {
    const onWire = wireName(field, inner)
    const [from, to] = direction === 'toWire' ? [field, onWire] : [onWire, field]
    if (Object.hasOwn(source, from) && source[from] !== undefined) {
      renamed[to] = rename(inner, source[from], direction)
    }
  }
  if (schema.rest) {
    const named = new Set(
      Object.entries(schema.entries).flatMap(([field, inner]) => [field, wireName(field, inner)]),
    )
    for (const [field, inner] of Object.entries(source)) if (!named.has(field)) renamed[field] = inner
  }
  return renamed
}

/** Finds the union option. The discriminator has the same name in both forms, so it can be read before renaming. */
function chooseOption(schema: Walked, value: Record<string, unknown>): Walked | undefined {
  const { key, options = [] } = schema
  if (key === undefined)
    return options.find(({ item }) => item && Array.isArray(value)) ?? options.find(({ entries }) => entries)
  return options.find((option) => {
    const discriminator = option.entries?.[key]
    return discriminator !== undefined && v.is(discriminator, value[key])
  })
}
