/**
 * The description of a command: `--help`, the shell completion, `docs/reference/command-line.md` and the parser all read
 * it. Specs import nothing heavy, so that help is printed at once.
 */
import { parseArgs } from 'node:util'
import type { CommandForm, CommandOption, CommandOptions, CommandSpec } from '../../kernel/command-spec.ts'

export type { CommandSpec }

export type GroupSpec = Readonly<{
  summary: string
  commands: Readonly<Record<string, CommandSpec>>
  details?: string
}>
export type Spec = CommandSpec | GroupSpec

/** Thrown for invalid arguments. The usage of the command is printed with it. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

export const isGroup = (spec: Spec): spec is GroupSpec => 'commands' in spec
export const isHelpOption = (argument: string) => argument === '--help' || argument === '-h'

/** Parses the options of a command and its positional arguments. Throws for unknown options. */
export function parseCommand<const Options extends CommandOptions>(
  { options }: { options: Options },
  args: readonly string[],
) {
  return parseArgs({ args: [...args], options, allowPositionals: true })
}

/** Like `parseCommand`, for commands without positional arguments. */
export function parseOptions<const Options extends CommandOptions>(
  { options }: { options: Options },
  args: readonly string[],
) {
  return parseArgs({ args: [...args], options }).values
}

const helpOption: CommandOptions = { help: { type: 'boolean', meaning: 'prints this text' } }

const optionName = (name: string, { value }: CommandOption) =>
  `--${name}${value === undefined ? '' : ` ${value}`}`

function synopsis({ arguments: positionals, options = {} }: CommandSpec): string {
  const parts = Object.entries(options).map(([name, option]) => {
    const text = `${optionName(name, option)}`
    const usage = option.isRequired === true ? text : `[${text}]`
    return option.multiple === true ? `${usage}…` : usage
  })
  return [...(positionals === undefined ? [] : [positionals]), ...parts].join(' ')
}

/** Returns the calls of a command, each after its name. */
export const listForms = (spec: CommandSpec): CommandForm[] =>
  spec.forms ?? [{ arguments: synopsis(spec), meaning: spec.summary }]

const helpWidth = 100

/** Breaks a text into lines. */
function wrap(text: string, width: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + word.length + 1 > width) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  return [...lines, line]
}

const mostNameWidth = 30

export function twoColumns(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([name]) => name.length).filter((length) => length <= mostNameWidth), 0)
  const indent = ' '.repeat(width + 4)
  return rows.flatMap(([name, meaning]) => {
    const [first = '', ...rest] = wrap(meaning, helpWidth - width - 4)
    const start =
      name.length > width ? [`  ${name}`, `${indent}${first}`] : [`  ${name.padEnd(width)}  ${first}`]
    return [...start, ...rest.map((line) => `${indent}${line}`)]
  })
}

const sentence = (summary: string) => `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`

/** Formats the help text of a command. `name` is its full name: `latchkey app create`. */
export function formatHelp(name: string, spec: Spec): string {
  const details = spec.details === undefined ? [] : ['', spec.details]
  if (isGroup(spec)) {
    return [
      `Usage: ${name} <command>`,
      '',
      sentence(spec.summary),
      '',
      'Commands:',
      ...twoColumns(Object.entries(spec.commands).map(([each, { summary }]) => [each, summary])),
      ...details,
      '',
      `A command is described by: ${name} <command> --help`,
    ].join('\n')
  }
  const forms = listForms(spec)
  const calls = forms.map((form) => `${name} ${form.arguments}`.trimEnd())
  const head =
    spec.forms === undefined
      ? [...wrap(`Usage: ${calls[0]}`, helpWidth), '', sentence(spec.summary)]
      : [
          `Usage: ${name} <arguments>`,
          '',
          sentence(spec.summary),
          '',
          ...forms.flatMap(({ meaning }, at) => [
            `  ${calls[at]}`,
            ...wrap(meaning, helpWidth - 6).map((line) => `      ${line}`),
          ]),
        ]
  const options = Object.entries({ ...spec.options, ...helpOption })
  return [
    ...head,
    '',
    'Options:',
    ...twoColumns(options.map(([each, option]) => [optionName(each, option), option.meaning])),
    ...details,
  ].join('\n')
}
