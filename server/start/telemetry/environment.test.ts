import { expect, test } from 'vitest'
import { newRegistry } from '../../kernel/registry.ts'
import { telemetryEnvironment } from './environment.ts'

function read(environment: Readonly<Record<string, string>>) {
  const parts = newRegistry('a test')
  const lines = telemetryEnvironment.parse(environment, parts)
  return lines.length > 0 ? lines : telemetryEnvironment.read({ parts })
}

test('exports nothing by default, with a sampler that keeps everything', () => {
  expect(read({})).toEqual({ OTEL_TRACES_SAMPLER: 'parentbased_always_on', OTEL_TRACES_SAMPLER_ARG: 1 })
})

test('parses resource attributes and the sampler argument by the standard', () => {
  const attributes = 'deployment.environment.name=staging, team=a%20team%2C%20ours'
  expect(read({ OTEL_RESOURCE_ATTRIBUTES: attributes, OTEL_TRACES_SAMPLER_ARG: '0.25' })).toMatchObject({
    OTEL_RESOURCE_ATTRIBUTES: { 'deployment.environment.name': 'staging', team: 'a team, ours' },
    OTEL_TRACES_SAMPLER_ARG: 0.25,
  })
})

test.each([
  [
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' },
    'OTEL_EXPORTER_OTLP_ENDPOINT must be the http(s) address',
  ],
  [
    { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://' },
    'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT must be the http(s)',
  ],
  [{ OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }, 'OTEL_EXPORTER_OTLP_PROTOCOL must be http/json'],
  [{ OTEL_TRACES_SAMPLER: 'sometimes' }, 'OTEL_TRACES_SAMPLER must be one of always_on'],
  [{ OTEL_TRACES_SAMPLER_ARG: '10%' }, 'OTEL_TRACES_SAMPLER_ARG must be a share from 0 to 1'],
  [{ OTEL_TRACES_SAMPLER_ARG: '2' }, 'OTEL_TRACES_SAMPLER_ARG must be a share from 0 to 1'],
  [{ OTEL_RESOURCE_ATTRIBUTES: 'staging' }, 'OTEL_RESOURCE_ATTRIBUTES must be <name>=<value>'],
  [{ OTEL_RESOURCE_ATTRIBUTES: 'team=100%' }, 'OTEL_RESOURCE_ATTRIBUTES must have a hex number after each %'],
])('%o is rejected with the name of the variable', (environment, message) => {
  expect(read(environment)).toEqual([expect.stringContaining(message)])
})
