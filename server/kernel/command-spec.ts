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

/** One way to call a command that has several. */
export type CommandForm = Readonly<{ arguments: string; meaning: string }>

export type CommandSpec = Readonly<{
  /** One sentence without its full stop, which completes "This command …". */
  summary: string
  /** Positional arguments as in a usage line: `<id> <field>=<value>…`. */
  arguments?: string
  /** Replaces `arguments` if the command has several forms. */
  forms?: readonly CommandForm[]
  options?: CommandOptions
  /** Paragraphs below the options. */
  details?: string
}>
