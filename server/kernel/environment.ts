/**
 * The environment variables of one capability. `config.ts` parses them together with its own at start, so that all
 * invalid values are reported at once. Only code that imports the part can read its typed values.
 *     export const mailEnvironment = environmentPart({ SMTP_URL: v.optional(v.string(), 'smtp://127.0.0.1:4025') })
 *     mailEnvironment.read(config).SMTP_URL
 */
import * as v from 'valibot'
import { type Registry, registryKey } from './registry.ts'

export type Environment = Readonly<Record<string, string | undefined>>

export type EnvironmentPart<Values = unknown> = {
  /** The names of its variables. */
  variables: readonly string[]
  /** Parses the variables and returns error lines. After an empty result, `read` returns the values. */
  parse: (environment: Environment, parts: Registry) => readonly string[]
  read: (config: { parts: Registry }) => Values
}

export function environmentPart<const Entries extends v.ObjectEntries>(
  entries: Entries,
): EnvironmentPart<v.InferOutput<v.ObjectSchema<Entries, undefined>>> {
  const schema = v.object(entries)
  const values = registryKey<v.InferOutput<typeof schema>>(Object.keys(entries).join(', '))
  return {
    variables: Object.keys(entries),
    parse(environment, parts) {
      const parsed = v.safeParse(schema, environment)
      if (!parsed.success) return formatIssues(parsed.issues)
      values.set(parts, parsed.output)
      return []
    },
    read: ({ parts }) => values.get(parts),
  }
}

/** Formats one line per variable. */
export const formatIssues = (issues: readonly v.BaseIssue<unknown>[]): readonly string[] =>
  issues.map((issue) => `${v.getDotPath(issue) ?? 'The environment'} ${issue.message}`)
