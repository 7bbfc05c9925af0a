/** Renders docs/reference/environment.md from the schemas that the server parses its environment with. */

import { markdownPage, markdownTable } from '@latchkey/protocol/doc/markdown'
import { serverDocumentation } from '../../kernel/config.ts'
import type { DocumentedVariable } from '../../kernel/environment.ts'
import { capabilities } from '../capabilities.ts'
import { isRequired } from '../required.ts'
import { telemetryEnvironment } from '../telemetry/environment.ts'

const header = ['variable', 'required', 'default', 'secret', 'scope', 'meaning']

const row = (variable: DocumentedVariable): string[] => [
  `\`${variable.name}\``,
  isRequired(variable.name) ? 'yes' : '',
  isRequired(variable.name) ? '' : (variable.default ?? ''),
  variable.isSecret ? 'yes' : '',
  variable.isPerMachine ? 'machine' : 'shared',
  variable.meaning,
]

const section = (title: string, variables: readonly DocumentedVariable[]) =>
  variables.length === 0 ? [] : [`## ${title}`, markdownTable(header, variables.map(row))]

const titles: Readonly<Record<string, string>> = {
  mail: 'Mail',
  sms: 'SMS',
  chains: 'Chains',
  prices: 'Prices',
  captcha: 'Captcha',
}
const formatTitle = (name: string) =>
  titles[name] ?? name.charAt(0).toUpperCase() + name.slice(1).replaceAll(/[/-]/g, ' ')

export function renderEnvironment(): string {
  const documented = new Map(serverDocumentation.map((variable) => [variable.name, variable]))
  const required = [...documented.keys()].filter(isRequired)
  return markdownPage(
    'Environment',
    'The server reads its environment once, at start. An empty value counts as not set. Relative paths start at the root of the repository. [`deploy/.env.example`](../../deploy/.env.example) has the required variables, and `latchkey init` writes such a file.',
    [
      '- **required**: a server on a public hostname does not start without it. A `DIALOG_ORIGIN` on localhost needs no other variable.',
      '- **secret**: the value contains a password or a key.',
      '- **scope**: a `shared` value is the same for every server of one database; a `machine` value may differ.',
    ],
    ...section(
      'Required',
      required.flatMap((name) => documented.get(name) ?? []),
    ),
    ...section(
      'Server',
      [...documented.values()].filter(({ name }) => !required.includes(name)),
    ),
    ...capabilities.flatMap(({ name, environment }) =>
      section(formatTitle(name), environment?.documentation ?? []),
    ),
    ...section('Traces', telemetryEnvironment.documentation),
    '`OTEL_EXPORTER_OTLP_HEADERS`, `OTEL_EXPORTER_OTLP_TIMEOUT`, `OTEL_EXPORTER_OTLP_COMPRESSION` and the certificates of that family work as [OpenTelemetry describes them](https://opentelemetry.io/docs/specs/otel/protocol/exporter/).',
  )
}
