/** The OpenTelemetry variables that this server reads itself. The exporters read further ones. */
import * as v from 'valibot'
import { environmentPart } from '../../kernel/environment.ts'

const endpoint = v.pipe(
  v.string(),
  v.regex(
    /^https?:\/\/[^\s/]\S*$/,
    'must be the http(s) address of a collector, such as http://127.0.0.1:4318',
  ),
)

const samplers = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const

const attributes = v.pipe(
  v.string(),
  v.regex(
    /^\s*[\w.-]+=[^,=]*(,\s*[\w.-]+=[^,=]*)*$/,
    'must be <name>=<value>, separated by commas, with other signs as %2C',
  ),
  v.check(isDecodable, 'must have a hex number after each %'),
  v.transform((value) =>
    Object.fromEntries(
      value.split(',').map((pair): [string, string] => {
        const [name = '', text = ''] = pair.split('=')
        return [name.trim(), decodeURIComponent(text.trim())]
      }),
    ),
  ),
)

function isDecodable(value: string): boolean {
  try {
    decodeURIComponent(value)
    return true
  } catch {
    return false
  }
}

export const telemetryEnvironment = environmentPart(
  {
    OTEL_EXPORTER_OTLP_ENDPOINT: v.optional(endpoint),
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: v.optional(endpoint),
    OTEL_EXPORTER_OTLP_PROTOCOL: v.optional(
      v.literal('http/json', 'must be http/json, which is how this server exports'),
    ),
    OTEL_TRACES_SAMPLER: v.optional(
      v.picklist(samplers, `must be one of ${samplers.join(', ')}`),
      'parentbased_always_on',
    ),
    OTEL_TRACES_SAMPLER_ARG: v.optional(
      v.pipe(
        v.string(),
        v.regex(/^(0(\.\d+)?|1(\.0+)?)$/, 'must be a share from 0 to 1, such as 0.1'),
        v.transform(Number),
      ),
      '1',
    ),
    OTEL_SERVICE_NAME: v.optional(v.string()),
    OTEL_RESOURCE_ATTRIBUTES: v.optional(attributes),
  },
  {
    OTEL_EXPORTER_OTLP_ENDPOINT:
      'The address of your collector, which receives traces at `/v1/traces` below it. Without it the server exports no traces.',
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'The whole address for traces, which is used unchanged.',
    OTEL_EXPORTER_OTLP_PROTOCOL: 'The export format. The server supports `http/json` only.',
    OTEL_TRACES_SAMPLER:
      'Which calls are sampled: `always_on`, `always_off` or `traceidratio`, each also with `parentbased_`.',
    OTEL_TRACES_SAMPLER_ARG: 'The share of sampled calls for `traceidratio`, such as `0.1`.',
    OTEL_SERVICE_NAME: {
      meaning: '`service.name` in traces and in `target_info`.',
      default: '`latchkey`',
      isPerMachine: true,
    },
    OTEL_RESOURCE_ATTRIBUTES: {
      meaning:
        'Further resource attributes that distinguish processes: `<name>=<value>`, separated by commas.',
      isPerMachine: true,
    },
  },
)
