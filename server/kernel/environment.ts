/**
 * The variables that one capability reads. `config.ts` parses them at start together with its own, so that every
 * wrong value is named at once; who has the part has its values, with their types, and nobody else.
 *
 *     export const mailEnvironment = environmentPart({ SMTP_URL: v.optional(v.string(), 'smtp://127.0.0.1:4025') })
 *     mailEnvironment.of(config).SMTP_URL
 */
import * as v from 'valibot'
import { type Registry, registryKey } from './registry.ts'

export type Environment = Readonly<Record<string, string | undefined>>

export type EnvironmentPart<Values = unknown> = {
  /** The names of its variables. */
  variables: readonly string[]
  /** The lines that say what is wrong; with none, `of` has the values from here on. */
  parse: (environment: Environment, parts: Registry) => readonly string[]
  of: (config: { parts: Registry }) => Values
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
      if (!parsed.success) return linesOf(parsed.issues)
      values.put(parts, parsed.output)
      return []
    },
    of: ({ parts }) => values.on(parts),
  }
}

/** A line a variable. */
export const linesOf = (issues: readonly v.BaseIssue<unknown>[]): readonly string[] =>
  issues.map((issue) => `${v.getDotPath(issue) ?? 'The environment'} ${issue.message}`)
