/** JSON schemas of values with wire names, for OpenAPI. */
import { wireName } from '@latchkey/protocol'
import { toJsonSchema } from '@valibot/to-json-schema'
import type * as v from 'valibot'

export type JsonSchema = { [name: string]: unknown }
/** The parts of a valibot schema that are read. */
export type WireSchema = v.GenericSchema & {
  entries?: Readonly<Record<string, WireSchema>>
  item?: WireSchema
  wrapped?: WireSchema
  options?: readonly WireSchema[]
  rest?: WireSchema
}

/** Returns the JSON schema of a value with wire names. */
export function wireSchema(schema: WireSchema): JsonSchema {
  const { entries, item, wrapped, options, rest } = schema
  if (wrapped) {
    const inner = wireSchema(wrapped)
    return allowsNull(schema) ? { anyOf: [inner, { type: 'null' }] } : inner
  }
  if (entries) {
    const fields = Object.entries(entries)
    return {
      type: 'object',
      properties: Object.fromEntries(
        fields.map(([name, field]) => [wireName(name, field), wireSchema(field)]),
      ),
      required: fields
        .filter(([, field]) => !isOptionalField(field))
        .map(([name, field]) => wireName(name, field)),
      ...(rest && { additionalProperties: wireSchema(rest) }),
    }
  }
  if (item) return { type: 'array', items: wireSchema(item) }
  if (options?.every((option) => typeof option === 'object')) return { anyOf: options.map(wireSchema) }
  // Transformations and checks in code have no JSON schema equivalent and are omitted.
  const { $schema: _, ...plain } = toJsonSchema(schema, { errorMode: 'ignore' })
  return plain
}

const allowsNull = ({ type }: WireSchema) => type === 'nullable' || type === 'nullish'
export const isOptionalField = ({ type }: WireSchema) =>
  type === 'optional' || type === 'exact_optional' || type === 'nullish'
