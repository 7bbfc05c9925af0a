/**
 * Maps camelCase in code to snake_case on the wire, guided by the schemas.
 *
 * A schema is written once, in camelCase. A field that keeps its camelCase name on the wire is marked with
 * `keepsName()`. Records and unknown values are not renamed.
 */
import * as v from 'valibot'

type AnySchema = v.BaseSchema<unknown, unknown, v.BaseIssue<unknown>>
type NestedSchema = AnySchema & {
  entries?: Readonly<Record<string, NestedSchema>>
  item?: NestedSchema
  /** The schema of undeclared fields, which are not renamed. */
  rest?: NestedSchema
  wrapped?: NestedSchema
  options?: readonly NestedSchema[]
  key?: string
  literal?: unknown
  pipe?: readonly { type: string; metadata?: Readonly<Record<string, unknown>> }[]
}
type Direction = 'toWire' | 'fromWire'

/** Marks a field that keeps its name on the wire. */
export const keepsName = <Input>() => v.metadata<Input, { wire: 'own name' }>({ wire: 'own name' })

export const snakeCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

export function wireName(field: string, schema: AnySchema): string {
  const { pipe, wrapped } = schema as NestedSchema
  const hasOwnName = pipe?.some((part) => part.type === 'metadata' && part.metadata?.wire === 'own name')
  if (hasOwnName) return field
  return wrapped ? wireName(field, wrapped) : snakeCase(field)
}

export const toWire = (schema: AnySchema, value: unknown): unknown =>
  renameFields(schema as NestedSchema, value, 'toWire')
export const fromWire = (schema: AnySchema, value: unknown): unknown =>
  renameFields(schema as NestedSchema, value, 'fromWire')

/** An invalid value in place of an array where an object is expected. Valibot would accept an array as an object. */
const invalidObject = Number.NaN

function renameFields(schema: NestedSchema, value: unknown, direction: Direction): unknown {
  if (value === null || typeof value !== 'object') return value
  if (schema.wrapped) return renameFields(schema.wrapped, value, direction)
  if (schema.item && Array.isArray(value)) {
    const { item } = schema
    return value.map((entry) => renameFields(item, entry, direction))
  }
  if (schema.options) {
    const option = chooseOption(schema, value as Record<string, unknown>)
    return option ? renameFields(option, value, direction) : value
  }
  if (!schema.entries) return value
  if (Array.isArray(value)) return invalidObject
  const source = value as Record<string, unknown>
  const renamed: Record<string, unknown> = {}
  for (const [field, inner] of Object.entries(schema.entries)) {
    const onWire = wireName(field, inner)
    const [from, to] = direction === 'toWire' ? [field, onWire] : [onWire, field]
    if (Object.hasOwn(source, from) && source[from] !== undefined) {
      renamed[to] = renameFields(inner, source[from], direction)
    }
  }
  if (schema.rest) {
    const declaredNames = new Set(
      Object.entries(schema.entries).flatMap(([field, inner]) => [field, wireName(field, inner)]),
    )
    for (const [field, inner] of Object.entries(source)) if (!declaredNames.has(field)) renamed[field] = inner
  }
  return renamed
}

/** Finds the union option. The discriminator has the same name in both forms, so it can be read before renaming. */
function chooseOption(schema: NestedSchema, value: Record<string, unknown>): NestedSchema | undefined {
  const { key, options = [] } = schema
  if (key === undefined)
    return options.find(({ item }) => item && Array.isArray(value)) ?? options.find(({ entries }) => entries)
  return options.find((option) => {
    const discriminator = option.entries?.[key]
    return discriminator !== undefined && v.is(discriminator, value[key])
  })
}
