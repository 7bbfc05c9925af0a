/** Renders docs/reference/metrics.md from the declared instruments. */
import '../server.ts'
import '../telemetry/process.ts'
import '../../kernel/db/postgres-pool.ts'
import { markdownPage, markdownTable } from '@latchkey/protocol/doc/markdown'
import { type Declared, declaredInstruments } from '../../kernel/telemetry/instruments.ts'

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
  return markdownPage(
    'Metrics',
    'Names and units follow the [semantic conventions of OpenTelemetry](https://opentelemetry.io/docs/specs/semconv/), as Prometheus writes them. A histogram has `_bucket`, `_sum` and `_count`. No label names a user, an app, an address or an IP. [Operating](../operating.md#metrics) describes how to read them.',
    markdownTable(
      ['metric', 'kind', 'labels', 'meaning'],
      rows.toSorted(([one = ''], [other = '']) => one.localeCompare(other, 'en')),
    ),
  )
}
