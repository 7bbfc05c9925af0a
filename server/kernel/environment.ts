/**
 * The environment variables of one capability. `config.ts` parses them together with its own at start, so that all
 * invalid values are reported at once. Only code that imports the part can read its typed values.
 *     export const mailEnvironment = environmentPart(
 *       { SMTP_URL: v.optional(v.string(), 'smtp://127.0.0.1:4025') },
 *       { SMTP_URL: { meaning: 'Your mail server.', isSecret: true } },
 *     )
 *     mailEnvironment.read(config).SMTP_URL
 */
import * as v from 'valibot'
import { type Registry, registryKey } from './registry.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/** A sentence, or one with further properties, for `docs/reference/environment.md`. */
export type VariableDocumentation =
  | string
  | {
      meaning: string
      /** Whether it contains a password or key. */
      isSecret?: boolean
      /** Whether it may differ between the servers of one database. */
      isPerMachine?: boolean
      /** Describes a default that the schema does not contain. */
      default?: string
    }

export type DocumentedVariable = {
  name: string
  meaning: string
  isSecret: boolean
  isPerMachine: boolean
  /** Markdown, or undefined without a default. */
  default: string | undefined
}

export type EnvironmentPart<Values = unknown> = {
  /** The names of its variables. */
  variables: readonly string[]
  documentation: readonly DocumentedVariable[]
  /** Parses the variables and returns error lines. After an empty result, `read` returns the values. */
  parse: (environment: Environment, parts: Registry) => readonly string[]
  read: (config: { parts: Registry }) => Values
}

export function environmentPart<const Entries extends v.ObjectEntries>(
  entries: Entries,
  documentation: Readonly<Record<keyof Entries & string, VariableDocumentation>>,
): EnvironmentPart<v.InferOutput<v.ObjectSchema<Entries, undefined>>> {
  const schema = v.object(entries)
  const values = registryKey<v.InferOutput<typeof schema>>(Object.keys(entries).join(', '))
  return {
    variables: Object.keys(entries),
    documentation: documentVariables(entries, documentation),
    parse(environment, parts) {
      const parsed = v.safeParse(schema, environment)
      if (!parsed.success) return formatIssues(parsed.issues)
      values.set(parts, parsed.output)
      return []
    },
    read: ({ parts }) => values.get(parts),
  }
}

/** Joins the documentation of variables with the defaults of their schemas. */
export const documentVariables = <const Entries extends v.ObjectEntries>(
  entries: Entries,
  documentation: Readonly<Record<keyof Entries & string, VariableDocumentation>>,
): readonly DocumentedVariable[] =>
  Object.entries<v.ObjectEntries[string]>(entries).map(([name, schema]) => {
    const text: VariableDocumentation = documentation[name] ?? ''
    const {
      meaning,
      isSecret = false,
      isPerMachine = false,
      ...rest
    } = typeof text === 'string' ? { meaning: text } : text
    const schemaDefault =
      'default' in schema && typeof schema.default === 'string' && schema.default !== ''
        ? `\`${schema.default}\``
        : undefined
    return { name, meaning, isSecret, isPerMachine, default: rest.default ?? schemaDefault }
  })

/** Formats one line per variable. */
export const formatIssues = (issues: readonly v.BaseIssue<unknown>[]): readonly string[] =>
  issues.map((issue) => `${v.getDotPath(issue) ?? 'The environment'} ${issue.message}`)
