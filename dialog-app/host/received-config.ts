/**
 * The configuration of a host as it arrives. What the schema does not know is passed over, but its name is kept,
 * so that whoever wrote it can be told.
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

/** Paths in dots, such as `appearance.colour`, of what the schema has no field for. */
export function unknownKeys(schema: Schema, value: unknown, path: readonly string[] = []): readonly string[] {
  const entries = entriesOf(schema)
  if (!entries || typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => {
    const field = Object.hasOwn(entries, key) ? entries[key] : undefined
    return field ? unknownKeys(field, inner, [...path, key]) : [[...path, key].join('.')]
  })
}

type Walked = Schema & { entries?: Readonly<Record<string, Schema>>; wrapped?: Schema }

/** Of an object, behind whatever makes it optional. */
function entriesOf(schema: Walked): Readonly<Record<string, Schema>> | undefined {
  return schema.wrapped ? entriesOf(schema.wrapped) : schema.entries
}

/** Long enough for any field of ours; a host is told of its own names, whatever they are. */
const shownNameLength = 64

export const unknownKeyWarning = (key: string) =>
  `${product.name} has no setting "${key.slice(0, shownNameLength)}": it does nothing.`
