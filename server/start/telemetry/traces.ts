/** Traces, exported by OTLP over HTTP to the operator's collector. */
import { setTimeout as sleep } from 'node:timers/promises'
import { product } from '@latchkey/protocol'
import { DiagLogLevel, diag, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type SpanProcessor,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import type { Logger } from 'pino'
import * as v from 'valibot'
import { openTracing } from '../../kernel/telemetry/spans.ts'
import type { ResourceNames, Telemetry } from './types.ts'

/** An unreachable collector must not delay the shutdown. */
const traceLimits = { lastExportMs: 3_000 } as const

type Traces = {
  url: string
  names: ResourceNames
  sampler: string
  share: number
  log: Logger
}

export function openTraces({ url, log, ...options }: Traces): Telemetry {
  // Export failures would otherwise go unnoticed.
  const logger = (said: string) => log.warn({ why: reasonIn(said) }, 'OpenTelemetry failed')
  const silent = () => {}
  diag.setLogger(
    { error: logger, warn: logger, info: silent, debug: silent, verbose: silent },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  )
  return openSpans(new BatchSpanProcessor({ exporter: new OTLPTraceExporter({ url }) }), options)
}

const flattened = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ code: v.optional(v.string()), name: v.optional(v.string()) }),
)

/** Returns the code of a JSON error. Its message and stack may contain an address. */
function reasonIn(said: string): string {
  const error = v.safeParse(flattened, said)
  return error.success ? (error.output.code ?? error.output.name ?? 'unknown') : said
}

type Spans = Pick<Traces, 'names' | 'sampler' | 'share'>

export function openSpans(processor: SpanProcessor, { names, sampler, share }: Spans): Telemetry {
  const provider = new TracerProvider({
    resource: resourceFromAttributes(names),
    // Child spans follow the sampling decision of their call.
    sampler: new ParentBasedSampler({ root: rootSampler(sampler, share) }),
    spanProcessors: [processor],
  })
  const tracer = provider.getTracer(product.key)
  const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT } as const
  const closeTracing = openTracing({
    start: (name, { kind, attributes, startedAtMs }, parent) =>
      tracer.startSpan(
        name,
        { kind: kinds[kind], attributes, ...(startedAtMs !== undefined && { startTime: startedAtMs }) },
        parent ? trace.setSpan(ROOT_CONTEXT, parent) : ROOT_CONTEXT,
      ),
    fail: (span) => span.setStatus({ code: SpanStatusCode.ERROR }),
  })
  return {
    async close() {
      closeTracing()
      await Promise.race([provider.shutdown(), sleep(traceLimits.lastExportMs, undefined, { ref: false })])
    },
  }
}

function rootSampler(sampler: string, share: number) {
  if (sampler.endsWith('always_off')) return new AlwaysOffSampler()
  return sampler.endsWith('traceidratio') ? new TraceIdRatioBasedSampler(share) : new AlwaysOnSampler()
}
