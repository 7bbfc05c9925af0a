/** Renders docs/reference/metrics.md from the declared instruments. */
import '../../../server/start/server.ts'
import '../../../server/start/telemetry/process.ts'
import '../../../server/kernel/db/postgres-pool.ts'
import { type Declared, declaredInstruments } from '../../../server/kernel/telemetry/instruments.ts'
import { generatedBy, markdownTable } from '../../../server/start/reference/markdown.ts'

const suffixes: Readonly<Record<string, string>> = { s: '_seconds', By: '_bytes' }
const toLabel = (name: string) => name.replaceAll('.', '_')
const nameInPrometheus = ({ name, unit, kind }: Declared) =>
  toLabel(name) + (suffixes[unit] ?? '') + (kind === 'counter' ? '_total' : '')

export function renderMetrics(): string {
  const rows = declaredInstruments().map((one) => [
    `\`${nameInPrometheus(one)}\``,
    one.kind,
    one.attributes.map((name) => `\`${toLabel(name)}\``).join(', ') || 'none',
    one.description,
  ])
  const lines = [
    '# Metrics',
    '',
    generatedBy,
    '',
    'Names and units follow the [semantic conventions of OpenTelemetry](https://opentelemetry.io/docs/specs/semconv/), as Prometheus writes them. A histogram has `_bucket`, `_sum` and `_count`. No label names a user, an app, an address or an IP. [Operating](../operating.md#metrics) describes how to read them.',
    '',
    ...markdownTable(
      ['metric', 'kind', 'labels', 'meaning'],
      rows.toSorted(([one = ''], [other = '']) => one.localeCompare(other, 'en')),
    ),
  ]
  return `${lines.join('\n')}\n`
}
