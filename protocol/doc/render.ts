/** Renders the contracts as docs/protocol.md. A test fails if the file is stale. */
import { toJsonSchema } from '@valibot/to-json-schema'
import { apiDoc } from '../api/doc.ts'
import { apiPrefix, apiRoutes, type Route, type RouteDoc } from '../api/index.ts'
import { type EthereumMethodRow, ethereumMethods } from '../capabilities/ethereum/methods.ts'
import type { CallRow, CallRule, Contract, ReceivedMessages, Schema } from '../channel/contract.ts'
import type { CallDoc, ContractDoc } from '../channel/doc.ts'
import { tokenTypes } from '../entities/session.ts'
import { reservedCodes } from '../errors/reserved-codes.ts'
import { hostContract } from '../host/calls.ts'
import { dialogMessages } from '../host/dialog-messages.ts'
import { hostDoc } from '../host/doc.ts'
import { loaderMessages } from '../host/loader-messages.ts'
import { channelLimits } from '../limits/limits.ts'
import { snakeCase, wireName } from '../names/naming.ts'
import { product } from '../names/product.ts'
import { walletContract } from '../wallet/calls.ts'
import { walletParentMessages } from '../wallet/dialog-messages.ts'
import { walletDoc } from '../wallet/doc.ts'
import { frameMessages } from '../wallet/frame-messages.ts'
import { hostCalls } from './host-calls.ts'

type JsonSchema = {
  type?: string | readonly string[]
  properties?: Readonly<Record<string, JsonSchema>>
  required?: readonly string[]
  items?: JsonSchema
  anyOf?: readonly JsonSchema[]
  oneOf?: readonly JsonSchema[]
  const?: unknown
  enum?: readonly unknown[]
  pattern?: string
  minLength?: number
  maxLength?: number
}

export function renderProtocol(): string {
  return [
    '# Protocol',
    '',
    '<!-- Written by `npm run reference` from the sources. Do not edit. -->',
    '',
    `All messages across the boundaries of ${product.name}. There are three boundaries: host page and dialog, dialog and wallet frame, browser and server. The receiver parses each message; an invalid message is answered with an error code and changes nothing.`,
    '',
    '## Messages between windows',
    '',
    'Penpal 7 transports them: exact origin, exact source window, a private MessagePort after the handshake. Each side exposes one method, `call(message)`.',
    '',
    '```',
    'request  { v: 1, id, event, data }',
    'answer   { id, event, data }  or  { id, event, error: { type, message, retryAfterSeconds?, details? } }',
    '```',
    '',
    `- Versions ${channelLimits.oldestProtocolVersion} to ${channelLimits.protocolVersion}; others are \`unsupported_protocol\`.`,
    `- Messages have at most ${channelLimits.maxMessageBytes / 1024} KB (${channelLimits.maxTypedDataBytes / 1024} KB where a row allows it) and ${channelLimits.maxDepth} levels of plain data. Otherwise the answer is \`message_too_large\` or \`invalid_message_envelope\`.`,
    '- An id is used once (`message_replayed`). An unknown event is `method_not_found`; invalid data is `invalid_data` with the path.',
    `- ${channelLimits.callsPerSecond} calls per second. ${channelLimits.maxQueuedCalls} more can wait; further calls are \`too_many_requests\`.`,
    '- Every call settles: with `call_timeout` at its deadline, or with `frame_reloaded`, `frame_unresponsive` or `channel_closed` before.',
    `- \`${product.eventPrefix}cancel\` with the \`id\` of a call cancels the call and aborts its work. Unknown fields and events are ignored.`,
    `- \`${product.eventPrefix}pulse\` is a heartbeat that every channel answers itself. It is sent during calls that wait for the user, every ${channelLimits.pulseIntervalMs / 1000} s.`,
    '',
    ...boundaries.flatMap(renderBoundary),
    ...renderMore(),
    ...renderProvider(),
    ...renderApi(),
    ...renderReserved(),
  ].join('\n')
}

/** A contract with its documentation and schemas. */
type Boundary = {
  contract: Contract
  doc: ContractDoc<Contract>
  receives: { parent: ReceivedMessages; child: ReceivedMessages }
}

const boundaries: readonly Boundary[] = [
  { contract: hostContract, doc: hostDoc, receives: { parent: loaderMessages, child: dialogMessages } },
  {
    contract: walletContract,
    doc: walletDoc,
    receives: { parent: walletParentMessages, child: frameMessages },
  },
]

function renderBoundary(boundary: Boundary): string[] {
  const { parties, originRule } = boundary.doc
  return [
    `## Boundary: ${parties.parent} and ${parties.child}`,
    '',
    `- The ${parties.parent} ${originRule.parent}.`,
    `- The ${parties.child} ${originRule.child}.`,
    '',
    ...renderSide(boundary, 'child', 'parent'),
    ...renderSide(boundary, 'parent', 'child'),
  ]
}

/** Renders the host calls of capabilities, which share one row of the contract. */
const renderMore = () => [
  '## Less common calls of loader and dialog',
  '',
  `Each is sent through the row \`${product.eventPrefix}more\`, or \`${product.eventPrefix}moreForUser\` if its policy is needs-user, with its name. The loader's second file creates its data and parses its answer; the dialog parses its data with the capability's code.`,
  '',
  ...hostCalls.flatMap(({ name, calls, answers, doc }) => [
    `### Served by the capability ${name}`,
    '',
    ...Object.entries(calls).flatMap(([call, row]) => [
      `#### \`${call}\``,
      '',
      doc[call]?.summary ?? '',
      '',
      `- policy: ${row.policy}; at most ${(row.maxBytes ?? channelLimits.maxMessageBytes) / 1024} KB`,
      `- data: ${renderFields(row.input)}`,
      `- answer: ${answers[call] ? renderFields(answers[call]) : 'nothing'}`,
      `- errors: ${renderCodes(doc[call]?.errors ?? [])}`,
      '',
    ]),
  ]),
]

/** Renders the provider methods, which use the calls `ethereumRequest…`. */
const renderProvider = () => [
  '## Methods of the provider (EIP-1193)',
  '',
  'Unlisted methods are rejected with -32601, or with 4200 and a reason (`eth_sign`, `eth_sendRawTransaction`, `wallet_watchAsset`). The dialog parses the params (-32602 with the path) and only uses the RPC nodes of the app. A transaction with an unknown field is rejected.',
  '',
  ...Object.entries<EthereumMethodRow>(ethereumMethods).map(
    ([method, { by, policy, deadlineMs, params, required = params.length }]) =>
      `- \`${method}\`: answered by the ${by}; policy ${policy}; ${deadlineMs === undefined ? 'no deadline' : `deadline ${formatSeconds(deadlineMs)}`}; params: ${required === params.length ? required : `${required} to ${params.length}`}`,
  ),
  '',
]

const renderSide = (
  { contract, doc, receives }: Boundary,
  side: 'parent' | 'child',
  other: 'parent' | 'child',
) => [
  `### Served by the ${doc.parties[side]}`,
  '',
  ...Object.entries(contract[side]).flatMap(([name, row]) =>
    renderRow(name, row, doc[side][name], receives[side].calls[name], receives[other].answers[name]),
  ),
]

const renderRow = (name: string, row: CallRow, doc: CallDoc | undefined, data?: Schema, answer?: Schema) => [
  `#### \`${product.eventPrefix}${name}\``,
  '',
  doc?.summary ?? '',
  '',
  `- ${renderRule(row)}`,
  ...Object.entries(row.methods ?? {}).map(
    ([method, own]) => `- method \`${method}\`: ${renderRule({ ...row, ...own })}`,
  ),
  `- data: ${data ? renderFields(data) : 'nothing'}`,
  `- answer: ${answer ? renderFields(answer) : 'nothing'}`,
  `- errors: ${renderCodes(doc?.errors ?? [])}`,
  '',
]

const formatSeconds = (ms: number) => `${ms / 1000} s`
const verifications = {
  never: '',
  first: '; requires a second factor before the first try',
  retry: '; requires a second factor if the server demands one',
} as const

const renderRule = ({ policy, deadlineMs, maxBytes, verification = 'never' }: CallRule) =>
  `policy: ${policy}; deadline: ${
    deadlineMs === undefined
      ? `none, the serving side ends it after ${formatSeconds(channelLimits.userCallDeadlineMs)}`
      : formatSeconds(deadlineMs)
  }; at most ${(maxBytes ?? channelLimits.maxMessageBytes) / 1024} KB${verifications[verification]}`

function renderApi(): string[] {
  const { headers } = product
  return [
    '## Boundary: browser and server',
    '',
    `JSON over HTTP below \`${apiPrefix}\`, on the dialog origin and on the wallet origin. An error is \`{ error, code, details? }\`; an invalid body is 422 \`invalid_data\` with the path.`,
    '',
    `- A changing call requires the exact \`Origin\` of a first-party page, \`application/json\`, and \`${headers.appId}\`. Cookies alone authorize no change (CSRF).`,
    `- \`${headers.requestId}\`: the idempotency key. Rows marked _replayed_ return the stored response to a repeated id for two minutes, without a second effect.`,
    `- \`${headers.loginBinding}\`: a random value of the browser. A code can only be used by the browser that requested it.`,
    '- `accept-language`: the language of the dialog, used for mails. For operations with a wallet token, the language of the call that requested the token. Falls back to English.',
    "- `DPoP`: a proof by the browser's key (RFC 9449, ES256 on P-256) on every call with a dialog token, and on every call that starts or refreshes a session. Claims: `htm`; `htu`, the URL without its query; `iat`, at most 60 s old with 30 s of clock skew; `jti`, which is the request id of a changing call; `bth`, the SHA-256 of the sent body (or of the empty string), base64url; `ath`, the SHA-256 of the `refresh_token` in the body, or else of the bearer token; in cookie mode also `rtc`, the number in the readable marker cookie, if the call uses the refresh cookie. A rejected proof is 401 `missing_or_invalid_token` with `details.reason`. Without a proof, analytics and app config calls are anonymous.",
    '- Token scopes: `dialog` acts for the user; `host` identifies the user and is rejected by every changing call; `wallet` is for one vault and one minute.',
    `- Access tokens are JWTs (ES256). Each scope has its own type and audience. \`host\`: \`${tokenTypes.host}\` (RFC 9068) and the app id. \`dialog\`: \`${tokenTypes.dialog}\` and the issuer. \`wallet\`: \`${tokenTypes.wallet}\` and the issuer. \`client_id\` is the app id in every token. A database of release 0.1.0 has tokens of the type \`JWT\`, with the app id as audience and without \`client_id\`, until its signing key is rotated.`,
    '',
    ...Object.entries(apiRoutes).flatMap(([name, route]) => renderRoute(route, apiDoc[name])),
  ]
}

const renderReserved = (): string[] => [
  '## Reserved codes',
  '',
  'These codes are part of the types, but are never sent, for the stated reason.',
  '',
  ...Object.entries(reservedCodes).map(([code, reason]) => `- \`${code}\`: ${reason}`),
  '',
]

const renderRoute = (route: Route, doc: RouteDoc | undefined) => [
  `#### ${route.method} \`${apiPrefix}${route.path}\``,
  '',
  doc?.summary ?? '',
  '',
  `- token: ${route.auth}${route.purposes ? ` for ${route.purposes.join(' or ')}` : ''}; ${route.effect}; ${route.forks ? 'forked sessions too' : 'no forked session'}`,
  ...(route.headers ? [`- headers: ${renderFields(route.headers, 'wire')}`] : []),
  ...(route.query ? [`- query: ${renderFields(route.query, 'wire')}`] : []),
  ...(route.body ? [`- body: ${renderFields(route.body, 'wire')}`] : []),
  `- answer: ${renderFields(route.output, 'wire')}`,
  `- errors: ${renderCodes(doc?.errors ?? [])}`,
  '',
]

const renderCodes = (errors: readonly string[]) =>
  errors.length ? errors.map((code) => `\`${code}\``).join(', ') : 'none specific to this call'

/** Which names to print: those in code or those on the wire. */
type Names = 'code' | 'wire'
type NestedSchema = Schema & {
  entries?: Readonly<Record<string, NestedSchema>>
  item?: NestedSchema
  wrapped?: NestedSchema
  options?: readonly NestedSchema[]
}
const unwrap = (schema: NestedSchema): NestedSchema => (schema.wrapped ? unwrap(schema.wrapped) : schema)
/** JSON Schema lists null and undefined as additional options. */
const optionAt = ({ options = [], ...schema }: NestedSchema, at: number): NestedSchema => {
  const option = options[at]
  return typeof option === 'object' ? unwrap(option) : schema
}

function renderFields(schema: NestedSchema, names: Names = 'code'): string {
  const json = toJsonSchema(schema, { errorMode: 'ignore', typeMode: 'input' }) as JsonSchema
  const own = unwrap(schema)
  const options = json.oneOf ?? json.anyOf
  if (options)
    return options.map((option, at) => renderObjectFields(option, optionAt(own, at), names)).join(' or ')
  return renderObjectFields(json, own, names)
}

function renderObjectFields(json: JsonSchema, schema: NestedSchema, names: Names): string {
  const entries = Object.entries(json.properties ?? {})
  if (entries.length === 0)
    return json.type === 'object' || json.type === undefined ? 'nothing' : typeName(json, schema, names)
  return entries
    .map(([field, property]) => {
      const optional = json.required?.includes(field) ? '' : '?'
      const type = typeName(property, schema.entries?.[field] ?? schema, names)
      return `\`${shownName(field, schema, names)}${optional}\` ${type}`
    })
    .join(', ')
}

function shownName(field: string, { entries }: NestedSchema, names: Names): string {
  const own = entries?.[field]
  if (names === 'code') return field
  return own ? wireName(field, own) : snakeCase(field)
}

function typeName(json: JsonSchema, schema: NestedSchema, names: Names): string {
  const own = unwrap(schema)
  const options = json.anyOf ?? json.oneOf
  if (options) {
    if (options.length > 4) return `one of ${options.length} kinds`
    return options.map((option, at) => typeName(option, optionAt(own, at), names)).join(' or ')
  }
  if (json.const !== undefined) return JSON.stringify(json.const)
  if (json.enum) return json.enum.map((value) => JSON.stringify(value)).join(' or ')
  if (json.type === 'array')
    return `list of ${json.items ? typeName(json.items, own.item ?? own, names) : 'anything'}`
  if (json.type === 'object') {
    const fieldNames = Object.keys(json.properties ?? {}).map((field) => shownName(field, own, names))
    return fieldNames.length
      ? `{ ${fieldNames.length > 6 ? `${fieldNames.slice(0, 6).join(', ')}, …` : fieldNames.join(', ')} }`
      : 'object'
  }
  if (json.type === 'string' && json.maxLength !== undefined && json.maxLength <= 256) {
    return json.minLength === json.maxLength
      ? `string of ${json.maxLength}`
      : `string up to ${json.maxLength}`
  }
  return typeof json.type === 'string' ? json.type : 'anything'
}
