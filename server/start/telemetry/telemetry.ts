/**
 * Opens metrics and traces if they are configured. Their libraries are loaded only then.
 */
import { product } from '@latchkey/protocol'
import type { Logger } from 'pino'
import type { ServerConfig } from '../../kernel/config.ts'
import { telemetryEnvironment } from './environment.ts'
import type { ResourceNames, Telemetry } from './types.ts'

export async function openTelemetry(
  config: ServerConfig,
  { log, serverId }: { log: Logger; serverId: string },
): Promise<Telemetry> {
  const { metricsAddress } = config
  const environment = telemetryEnvironment.read(config)
  const endpoint = tracesEndpoint(environment)
  const names: ResourceNames = {
    'service.instance.id': serverId,
    ...environment.OTEL_RESOURCE_ATTRIBUTES,
    'service.name':
      environment.OTEL_SERVICE_NAME ?? environment.OTEL_RESOURCE_ATTRIBUTES?.['service.name'] ?? product.key,
  }
  const openTelemetries: Telemetry[] = []
  if (endpoint !== undefined) {
    const { openTraces } = await import('./traces.ts')
    const { OTEL_TRACES_SAMPLER: sampler, OTEL_TRACES_SAMPLER_ARG: share } = environment
    openTelemetries.push(openTraces({ url: endpoint, names, sampler, share, log }))
  }
  if (metricsAddress) {
    const { openMetrics } = await import('./metrics.ts')
    openTelemetries.push(await openMetrics(metricsAddress, names))
    log.info({ ...metricsAddress }, 'metrics listening')
  }
  return {
    async close() {
      await Promise.all(openTelemetries.map(({ close }) => close()))
    },
  }
}

type TelemetryVariables = ReturnType<typeof telemetryEnvironment.read>

/**
 * The general endpoint is a base URL; that of traces is complete:
 * https://opentelemetry.io/docs/specs/otel/protocol/exporter/
 */
function tracesEndpoint({
  OTEL_EXPORTER_OTLP_ENDPOINT: root,
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: whole,
}: TelemetryVariables): string | undefined {
  return whole ?? (root === undefined ? undefined : `${root.replace(/\/$/, '')}/v1/traces`)
}
