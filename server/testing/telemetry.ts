/** Metrics and spans of a test, as an operator receives them. Open it before the observed database. */
import { InMemorySpanExporter, type ReadableSpan, SimpleSpanProcessor } from '@opentelemetry/sdk-trace'
import { afterAll } from 'vitest'
import { openMeters } from '../start/telemetry/metrics.ts'
import { openSpans } from '../start/telemetry/traces.ts'

export type Sample = {
  name: string
  labels: Readonly<Record<string, string>>
  value: number
}

const sampleLine = /^(\w+)(?:\{(.*)\})? (\S+)$/
const label = /(\w+)="((?:[^"\\]|\\.)*)"/g

export const samplesIn = (text: string): readonly Sample[] =>
  text.split('\n').flatMap((line) => {
    const [, name, labels = '', value] = sampleLine.exec(line) ?? []
    if (name === undefined) return []
    const pairs = [...labels.matchAll(label)].map(([, key = '', text = '']): [string, string] => [key, text])
    return [{ name, labels: Object.fromEntries(pairs), value: Number(value) }]
  })

/** Must be called outside of a test. */
export function openTestTelemetry() {
  const meters = openMeters({ 'service.name': 'test' })
  const exporter = new InMemorySpanExporter()
  const traces = openSpans(new SimpleSpanProcessor({ exporter }), {
    names: { 'service.name': 'test' },
    sampler: 'always_on',
    share: 1,
  })
  afterAll(async () => {
    await meters.close()
    await traces.close()
  })
  const samples = async () => samplesIn(await meters.text())
  return {
    text: meters.text,
    samples,
    /** Returns the sum of all samples with this name and these labels. */
    async sum(name: string, labels: Sample['labels'] = {}): Promise<number> {
      const wanted = Object.entries(labels)
      const found = (await samples()).filter(
        (sample) => sample.name === name && wanted.every(([key, value]) => sample.labels[key] === value),
      )
      return found.reduce((sum, { value }) => sum + value, 0)
    },
    spans: (): readonly ReadableSpan[] => exporter.getFinishedSpans(),
    forgetSpans: () => exporter.reset(),
  }
}
