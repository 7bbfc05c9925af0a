/**
 * Parses the configuration from the host page. Unknown settings are ignored, and their paths are returned for a
 * developer warning.
 */
import { clientConfigSchema, product } from '@latchkey/protocol'
import type { Schema } from '@latchkey/protocol/channel'
import { dialogMessages } from '@latchkey/protocol/host'
import * as v from 'valibot'

const configSchema = v.pipe(
  v.unknown(),
  v.rawTransform(({ dataset: { value }, addIssue, NEVER }) => {
    const parsed = v.safeParse(clientConfigSchema, value)
    if (parsed.success) {
      return { known: parsed.output, unknownKeys: unknownKeys(clientConfigSchema, value) }
    }
    for (const { message, path } of parsed.issues) addIssue({ message, ...(path && { path }) })
    return NEVER
  }),
)

const { hello, configure } = dialogMessages.calls
export const receivedMessages = {
  ...dialogMessages,
  calls: {
    ...dialogMessages.calls,
    hello: v.object({ ...hello.entries, config: configSchema }),
    configure: v.object({ ...configure.entries, config: configSchema }),
  },
} as const

/** Returns the dotted paths, such as `appearance.colour`, that the schema does not define. */
export function unknownKeys(schema: Schema, value: unknown, path: readonly string[] = []): readonly string[] {
  const entries = getEntries(schema)
  if (!entries || typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => {
    const field = Object.hasOwn(entries, key) ? entries[key] : undefined
    return field ? unknownKeys(field, inner, [...path, key]) : [[...path, key].join('.')]
  })
}

type NestedSchema = Schema & { entries?: Readonly<Record<string, Schema>>; wrapped?: Schema }

/** Returns the entries of an object schema, also inside optional wrappers. */
function getEntries(schema: NestedSchema): Readonly<Record<string, Schema>> | undefined {
  return schema.wrapped ? getEntries(schema.wrapped) : schema.entries
}

/** Longer than any real setting name, and a bound for names from the host page. */
const shownNameLength = 64

export const unknownKeyWarning = (key: string) =>
  `${product.name} has no setting "${key.slice(0, shownNameLength)}": it does nothing.`
