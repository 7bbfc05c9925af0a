/**
 * The description of a command. `--help`, the shell completion, `docs/reference/command-line.md` and the parser of its
 * arguments read it.
 */

export type CommandOption = Readonly<{
  type: 'string' | 'boolean'
  multiple?: boolean
  /** The placeholder of its value: `<path>`. */
  value?: string
  isRequired?: boolean
  meaning: string
}>
export type CommandOptions = Readonly<Record<string, CommandOption>>

/** A usage of a command. Some commands have several. */
export type CommandForm = Readonly<{ arguments: string; meaning: string }>

export type CommandSpec = Readonly<{
  /** Completes "This command …", without a full stop. */
  summary: string
  /** Positional arguments as in a usage line: `<id> <field>=<value>…`. */
  arguments?: string
  /** Replaces `arguments` if the command has several forms. */
  forms?: CommandForm[]
  options?: CommandOptions
  /** Paragraphs below the options. */
  details?: string
}>
