/** Renders docs/reference/command-line.md from the specs that `latchkey` parses its arguments with. */

import { markdownPage, markdownTable } from '@latchkey/protocol/doc/markdown'
import { appTool } from '../commands/app-tool.ts'
import { type CommandSpec, isGroup, listForms, type Spec } from '../commands/spec.ts'
import { specs } from '../commands/specs/specs.ts'

const sentence = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`

function command(name: string, spec: CommandSpec, level: string) {
  const forms = listForms(spec)
  const options = Object.entries(spec.options ?? {})
  return [
    `${level} ${name}`,
    sentence(spec.summary),
    ['```', ...forms.map((form) => `latchkey ${name} ${form.arguments}`.trimEnd()), '```'],
    ...(spec.forms === undefined
      ? []
      : [
          markdownTable(
            ['form', 'meaning'],
            spec.forms.map((form) => [`\`${form.arguments}\``, form.meaning]),
          ),
        ]),
    ...(options.length === 0
      ? []
      : [
          markdownTable(
            ['option', 'meaning'],
            options.map(([option, { value, meaning, isRequired }]) => [
              `\`--${option}${value === undefined ? '' : ` ${value}`}\``,
              `${isRequired === true ? '**Required.** ' : ''}${meaning}`,
            ]),
          ),
        ]),
    ...details(spec),
  ]
}

/** Returns one block or none. Indented lines of details are columns, so they are shown as code. */
function details({ details: text }: Spec): string[][] {
  if (text === undefined) return []
  const isCode = (line: string | undefined) => line?.startsWith('  ') === true
  const lines = text.split('\n').flatMap((line, at, all) => {
    const isLast = at === all.length - 1
    const opens = isCode(line) && !isCode(all[at - 1])
    const closes = isCode(line) && !isCode(all[at + 1])
    return [
      ...(opens && at > 0 ? [''] : []),
      ...(opens ? ['```'] : []),
      isCode(line) ? line.slice(2) : line,
      ...(closes ? ['```'] : []),
      ...(closes && !isLast ? [''] : []),
    ]
  })
  return [lines]
}

export function renderCommandLine(): string {
  const all: Readonly<Record<string, Spec>> = { ...specs, app: appTool.spec }
  return markdownPage(
    'Command line',
    '`latchkey` is the program of the server package. In a checkout of the repository it is `npx latchkey`, or an alias such as `npm run app -- create`, which also knows the product of `npm start`.',
    markdownTable(
      ['option of every command', 'meaning'],
      [
        [
          '`--env-file <path>`',
          'reads variables from a file. Variables that are set already take precedence',
        ],
        ['`--help`', 'describes the command'],
        ['`--version`', 'prints the release and its commit (without a command)'],
      ],
    ),
    markdownTable(
      ['command', 'what it does'],
      Object.entries(all).map(([name, { summary }]) => [`[\`${name}\`](#${name})`, summary]),
    ),
    ...Object.entries(all).flatMap(([name, spec]) =>
      isGroup(spec)
        ? [
            `## ${name}`,
            sentence(spec.summary),
            ...details(spec),
            ...Object.entries(spec.commands).flatMap(([sub, each]) => command(`${name} ${sub}`, each, '###')),
          ]
        : command(name, spec, '##'),
    ),
  )
}
