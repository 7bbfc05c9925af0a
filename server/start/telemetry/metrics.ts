/** Prometheus metrics on a separate listener. */
import { createServer, type Server } from 'node:http'
import { product } from '@latchkey/protocol'
import { PrometheusExporter, PrometheusSerializer } from '@opentelemetry/exporter-prometheus'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { DataPointType, MeterProvider, type MetricData } from '@opentelemetry/sdk-metrics'
import { ConfigError, type Listener } from '../../kernel/config.ts'
import { openInstruments } from '../../kernel/telemetry/instruments.ts'
import { watchProcess } from './process.ts'
import type { ResourceNames, Telemetry } from './types.ts'

export const metricsPath = '/metrics'

export async function openMetrics(address: Listener, names: ResourceNames): Promise<Telemetry> {
  const meters = openMeters(names)
  const stopWatching = watchProcess()
  const http = await listening(address, meters.text)
  return {
    async close() {
      stopWatching()
      await new Promise((resolve) => {
        http.close(resolve)
        http.closeAllConnections()
      })
      await meters.close()
    },
  }
}

/** Collects metrics from here on and serialises them as text. */
export function openMeters(names: ResourceNames) {
  // The exporter does not listen here; it only serves as the reader of the provider.
  const reader = new PrometheusExporter({ preventServerStart: true })
  const provider = new MeterProvider({ resource: resourceFromAttributes(names), readers: [reader] })
  // There is one scope, so lines do not name it; the resource is in `target_info`.
  const serializer = new PrometheusSerializer(undefined, false, undefined, false, true)
  const closeInstruments = openInstruments(provider.getMeter(product.key))
  return {
    async text(): Promise<string> {
      const { resourceMetrics } = await reader.collect()
      const scopeMetrics = resourceMetrics.scopeMetrics.map((scope) => ({
        ...scope,
        metrics: scope.metrics.map(withUnitInName),
      }))
      return `${serializer.serialize({ ...resourceMetrics, scopeMetrics }).trimEnd()}\n`
    },
    async close(): Promise<void> {
      closeInstruments()
      await provider.shutdown()
    },
  }
}

const suffixes: Readonly<Record<string, string>> = { s: '_seconds', By: '_bytes' }

/**
 * Appends the unit to the metric name, as Prometheus requires and the serializer omits:
 * https://opentelemetry.io/docs/specs/otel/compatibility/prometheus_and_openmetrics/
 */
function withUnitInName<Metric extends MetricData>(metric: Metric): Metric {
  const { descriptor } = metric
  const isRatio = descriptor.unit === '1' && metric.dataPointType === DataPointType.GAUGE
  const suffix = suffixes[descriptor.unit] ?? (isRatio ? '_ratio' : '')
  return { ...metric, descriptor: { ...descriptor, name: descriptor.name + suffix, unit: '' } }
}

function listening({ host, port }: Listener, text: () => Promise<string>): Promise<Server> {
  const http = createServer(async (request, response) => {
    // `URL.parse` does not throw for malformed URLs; an error here would be unhandled.
    const path = URL.parse(request.url ?? '', 'http://metrics')?.pathname
    if (path !== metricsPath) return response.writeHead(404).end()
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      return response.writeHead(405, { allow: 'GET, HEAD' }).end()
    }
    try {
      const metrics = await text()
      response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' }).end(metrics)
    } catch {
      response.writeHead(500).end()
    }
  })
  return new Promise((resolve, reject) => {
    http.once('listening', () => resolve(http))
    http.once('error', (error: NodeJS.ErrnoException) => {
      const why =
        error.code === 'EADDRINUSE' ? 'is in use by another program' : `cannot be used: ${error.code}`
      reject(new ConfigError(`METRICS_ADDRESS ${host}:${port} ${why}.`))
    })
    http.listen(port, host)
  })
}
