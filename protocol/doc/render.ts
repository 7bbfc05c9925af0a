/** Prints the contracts for a reader. What stands in docs/protocol.md is what the code enforces, or a test fails. */
import { toJsonSchema } from '@valibot/to-json-schema'
import { apiDoc } from '../api/doc.ts'
import { apiPrefix, apiRoutes, type Route, type RouteDoc } from '../api/index.ts'
import { type EthereumMethodRow, ethereumMethods } from '../capabilities/ethereum/methods.ts'
import type { CallRow, CallRule, Contract, ReceivedMessages, Schema } from '../channel/contract.ts'
import type { CallDoc, ContractDoc } from '../channel/doc.ts'
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
    '<!-- Written by `npm run protocol:doc` from protocol/. Do not edit. -->',
    '',
    `Everything that crosses a boundary of ${product.name}. Three boundaries: host page and dialog, dialog and wallet frame, browser and server. Each message is parsed by who receives it; what does not parse is answered with a code and changes nothing.`,
    '',
    '## Messages between windows',
    '',
    'Penpal 7 carries them: exact origin, exact source window, a private MessagePort after the handshake. Each side exposes one method, `call(message)`.',
    '',
    '```',
    'request  { v: 1, id, event, data }',
    'answer   { id, event, data }  or  { id, event, error: { type, message, retryAfterSeconds?, details? } }',
    '```',
    '',
    `- Versions ${channelLimits.oldestProtocolVersion} to ${channelLimits.protocolVersion}; another is \`unsupported_protocol\`.`,
    `- At most ${channelLimits.maxMessageBytes / 1024} KB (${channelLimits.maxTypedDataBytes / 1024} KB where a row says so) and ${channelLimits.maxDepth} levels of plain data, else \`message_too_large\` or \`invalid_message_envelope\`.`,
    '- An id is used once (`message_replayed`). An event that the table lacks is `method_not_found`; data that the row refuses is `invalid_data` with the path.',
    `- ${channelLimits.callsPerSecond} calls a second, ${channelLimits.maxQueuedCalls} may wait, what comes then is \`too_many_requests\`.`,
    '- Every call settles: `call_timeout` at its deadline, `frame_reloaded`, `frame_unresponsive` or `channel_closed` before.',
    `- \`${product.eventPrefix}cancel\` with the \`id\` of a call takes it back: nothing works on for a caller that is gone. Fields and events that a side does not know are passed over.`,
    `- \`${product.eventPrefix}pulse\` is answered by every channel for itself; a call that waits for a person is watched with it every ${channelLimits.pulseIntervalMs / 1000} s.`,
    '',
    ...boundaries.flatMap(renderBoundary),
    ...renderMore(),
    ...renderProvider(),
    ...renderApi(),
    ...renderReserved(),
  ].join('\n')
}

/** A contract with everything that is said of it, however its parts are kept. */
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

/** Calls of capabilities, which go in one row. Their data and answers are read by those who know the capability. */
const renderMore = () => [
  '## Calls that few pages use, of loader and dialog',
  '',
  `Each goes in the row \`${product.eventPrefix}more\`, or \`${product.eventPrefix}moreForUser\` where its policy is needs-user, under its name. The loader's second file makes its data and reads its answer; the dialog reads its data with the code of the capability.`,
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
      `- data: ${fields(row.input)}`,
      `- answer: ${answers[call] ? fields(answers[call]) : 'nothing'}`,
      `- errors: ${codes(doc[call]?.errors ?? [])}`,
      '',
    ]),
  ]),
]

/** What libraries ask of the provider that the loader gives them, in the two calls `ethereumRequest…`. */
const renderProvider = () => [
  '## Methods of the provider (EIP-1193)',
  '',
  'What has no row here is refused with -32601, and with 4200 where a reason can be told (`eth_sign`, `eth_sendRawTransaction`, `wallet_watchAsset`). The dialog parses the params (-32602 with the path) and lets chains be asked at the addresses of the app alone; a transaction with a field that is not named is refused.',
  '',
  ...Object.entries<EthereumMethodRow>(ethereumMethods).map(
    ([method, { by, policy, deadlineMs, params, required = params.length }]) =>
      `- \`${method}\`: answered by the ${by}; policy ${policy}; ${deadlineMs === undefined ? 'no deadline' : `deadline ${seconds(deadlineMs)}`}; params: ${required === params.length ? required : `${required} to ${params.length}`}`,
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
  `- ${rule(row)}`,
  ...Object.entries(row.methods ?? {}).map(
    ([method, own]) => `- method \`${method}\`: ${rule({ ...row, ...own })}`,
  ),
  `- data: ${data ? fields(data) : 'nothing'}`,
  `- answer: ${answer ? fields(answer) : 'nothing'}`,
  `- errors: ${codes(doc?.errors ?? [])}`,
  '',
]

const seconds = (ms: number) => `${ms / 1000} s`
const verifications = {
  never: '',
  first: '; a second factor is asked for before the first try',
  retry: '; a second factor is asked for when the server wants one',
} as const

const rule = ({ policy, deadlineMs, maxBytes, verification = 'never' }: CallRule) =>
  `policy: ${policy}; deadline: ${
    deadlineMs === undefined
      ? `the one who serves it ends it after ${seconds(channelLimits.userCallDeadlineMs)}`
      : seconds(deadlineMs)
  }; at most ${(maxBytes ?? channelLimits.maxMessageBytes) / 1024} KB${verifications[verification]}`

function renderApi(): string[] {
  const { headers } = product
  return [
    '## Boundary: browser and server',
    '',
    `JSON over HTTP below \`${apiPrefix}\`, on the dialog and on the wallet origin themselves. A failure is \`{ error, code, details? }\`; a body that does not parse is 422 \`invalid_data\` with the path.`,
    '',
    `- A call that changes something needs the exact \`Origin\` of a first-party page, \`application/json\`, and \`${headers.appId}\`: cookies alone change nothing.`,
    `- \`${headers.requestId}\`: where a row says _replayed_, the answer of an id is given again for two minutes instead of doing it twice.`,
    `- \`${headers.loginBinding}\`: a random value of the browser; a code is used by the browser that asked for it.`,
    '- `accept-language`: what the dialog speaks. In it the server mails; what comes of a wallet token, in that of the call which asked for the token. English, where it is not spoken.',
    '- `DPoP`: a proof by the key of the browser (RFC 9449, ES256 on P-256) on every call with a dialog token, and on every call that starts or refreshes a session; no session starts without one. Claims: `htm`; `htu`, the address without its query; `iat`, at most 60 s old and 30 s of skew; `jti`, which is the request id of a changing call; `bth`, the SHA-256 of the body as it is sent (of nothing, where there is none), base64url; `ath`, the same of the token that the call relies on: of the `refresh_token` in its body, else of the bearer token; and in cookie mode `rtc`, the number in the readable marker cookie, where the refresh cookie is what the call relies on. A refusal is 401 `missing_or_invalid_token` with `details.reason`. Without a proof analytics and the app config count as anonymous.',
    '- Token scopes: `dialog` acts for the user; `host` names the user and is refused wherever something changes; `wallet` is for one vault and one minute.',
    '',
    ...Object.entries(apiRoutes).flatMap(([name, route]) => renderRoute(route, apiDoc[name])),
  ]
}

const renderReserved = (): string[] => [
  '## Codes that nothing sends',
  '',
  'The catalogue has them, and you may meet them in types. Each says why it does not come.',
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
  ...(route.headers ? [`- headers: ${fields(route.headers, 'wire')}`] : []),
  ...(route.query ? [`- query: ${fields(route.query, 'wire')}`] : []),
  ...(route.body ? [`- body: ${fields(route.body, 'wire')}`] : []),
  `- answer: ${fields(route.output, 'wire')}`,
  `- errors: ${codes(doc?.errors ?? [])}`,
  '',
]

const codes = (errors: readonly string[]) =>
  errors.length ? errors.map((code) => `\`${code}\``).join(', ') : 'none of its own'

/** Whose names are shown: those in code, or those on the wire. */
type Names = 'code' | 'wire'
type Walked = Schema & {
  entries?: Readonly<Record<string, Walked>>
  item?: Walked
  wrapped?: Walked
  options?: readonly Walked[]
}
const unwrapped = (schema: Walked): Walked => (schema.wrapped ? unwrapped(schema.wrapped) : schema)
/** What an optional or nullable one may be besides, its JSON schema says as one more option. */
const optionAt = ({ options = [], ...schema }: Walked, at: number): Walked => {
  const option = options[at]
  return typeof option === 'object' ? unwrapped(option) : schema
}

function fields(schema: Walked, names: Names = 'code'): string {
  const json = toJsonSchema(schema, { errorMode: 'ignore', typeMode: 'input' }) as JsonSchema
  const own = unwrapped(schema)
  const options = json.oneOf ?? json.anyOf
  if (options) return options.map((option, at) => objectFields(option, optionAt(own, at), names)).join(' or ')
  return objectFields(json, own, names)
}

function objectFields(json: JsonSchema, schema: Walked, names: Names): string {
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

function shownName(field: string, { entries }: Walked, names: Names): string {
  const own = entries?.[field]
  if (names === 'code') return field
  return own ? wireName(field, own) : snakeCase(field)
}

function typeName(json: JsonSchema, schema: Walked, names: Names): string {
  const own = unwrapped(schema)
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
    const shown = Object.keys(json.properties ?? {}).map((field) => shownName(field, own, names))
    return shown.length
      ? `{ ${shown.length > 6 ? `${shown.slice(0, 6).join(', ')}, …` : shown.join(', ')} }`
      : 'object'
  }
  if (json.type === 'string' && json.maxLength !== undefined && json.maxLength <= 256) {
    return json.minLength === json.maxLength
      ? `string of ${json.maxLength}`
      : `string up to ${json.maxLength}`
  }
  return typeof json.type === 'string' ? json.type : 'anything'
}
