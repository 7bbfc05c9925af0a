/** Makes calls of the Admin API with the operator's session, by the rows that the server parses them with. */
import { fromWire, toWire, wireName } from '@latchkey/protocol'
import {
  type AdminErrorCode,
  type AdminRoute,
  type AdminRouteOutput,
  adminPrefix,
  confirmationHeader,
  confirmationProblem,
  confirmationSchema,
} from '@latchkey/protocol/admin'
import * as v from 'valibot'
import { assertPasskey } from './passkey.ts'

type SchemaInput<Schema> = Schema extends v.GenericSchema ? v.InferInput<Schema> : undefined

/** Parameters that are undefined are left out. */
type Fields<Input> = { [Name in keyof Input]?: Input[Name] | undefined }

export type CallInput<R extends AdminRoute = AdminRoute> = {
  params?: Readonly<Record<string, string>>
  query?: Fields<SchemaInput<R['query']>>
  body?: SchemaInput<R['body']>
  /** The body of an upload. */
  file?: { content: Blob; type: string }
  /** The `ETag` of the object that the call changes. */
  ifMatch?: string | undefined
}
export type CallAnswer<R extends AdminRoute> = { output: AdminRouteOutput<R>; etag: string | undefined }

/** A refused call, or a server that did not answer. Its message is for operators. */
export class CallFailure extends Error {
  override name = 'CallFailure'
  code: AdminErrorCode | 'unreachable'
  /** The invalid field, in wire names. */
  path: string | undefined

  constructor(code: CallFailure['code'], message: string, options: { path?: string | undefined } = {}) {
    super(message)
    this.code = code
    this.path = options.path
  }
}

const problem = v.object({
  code: v.string(),
  title: v.string(),
  detail: v.string(),
  path: v.exactOptional(v.string()),
})

export type WireRequest = {
  method: string
  path: string
  body: string | Blob | undefined
  contentType: string | undefined
}

/** Returns the request of a call, for `fetch` and for a copy as curl. */
export function toRequest(route: AdminRoute, { params = {}, query, body, file }: CallInput): WireRequest {
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(params[name] ?? ''),
  )
  const fields = new URLSearchParams()
  const entries: Readonly<Record<string, v.GenericSchema>> = Reflect.get(route.query ?? {}, 'entries') ?? {}
  for (const [name, value] of Object.entries(query ?? {})) {
    const schema = entries[name]
    if (value !== undefined && schema) fields.set(wireName(name, schema), String(value))
  }
  const search = fields.size > 0 ? `?${fields}` : ''
  return {
    method: route.method,
    path: `${adminPrefix}${path}${search}`,
    body: file?.content ?? (route.body && JSON.stringify(toWire(route.body, body))),
    contentType: file?.type ?? (route.body && 'application/json'),
  }
}

/** Makes a call, with a confirmation if it needs one. */
export async function callAdmin<const R extends AdminRoute>(
  route: R,
  input: CallInput<R>,
  signal?: AbortSignal,
): Promise<CallAnswer<R>> {
  const { method, path, body, contentType } = toRequest(route, input as CallInput)
  const headers: Record<string, string> = {
    ...(contentType !== undefined && { 'content-type': contentType }),
    ...(route.effect === 'changes' && { 'idempotency-key': crypto.randomUUID() }),
    ...(input.ifMatch !== undefined && { 'if-match': input.ifMatch }),
  }
  const init = { method, headers, ...(body !== undefined && { body }) }
  const answer = await sendConfirmed(path, init, signal)
  const output = v.parse(route.output, fromWire(route.output, answer.value)) as AdminRouteOutput<R>
  return { output, etag: answer.headers.get('etag') ?? undefined }
}

/** Returns the first objects of a stream, and closes the connection after them. */
export async function readStream<const R extends AdminRoute & { stream: true }>(
  route: R,
  input: CallInput<R>,
  limit: number,
  signal?: AbortSignal,
): Promise<AdminRouteOutput<R>[]> {
  const { method, path } = toRequest(route, input as CallInput)
  return send(path, { method }, signal, async (response) => {
    if (!response.ok) assertOk({ ok: false, value: await response.json(), headers: response.headers })
    const lines = await readLines(response, limit)
    return lines.map(
      (line) => v.parse(route.output, fromWire(route.output, JSON.parse(line))) as AdminRouteOutput<R>,
    )
  })
}

async function readLines({ body }: Response, limit: number): Promise<string[]> {
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader()
  if (reader === undefined) return []
  let lines = ['']
  for (let done = false; !done && lines.length <= limit; ) {
    const chunk = await reader.read()
    done = chunk.done
    // The last line may be incomplete.
    lines = [...lines.slice(0, -1), ...((lines.at(-1) ?? '') + (chunk.value ?? '')).split('\n')]
  }
  await reader.cancel()
  return lines.slice(0, limit).filter((line) => line !== '')
}

type JsonAnswer = { ok: boolean; value: unknown; headers: Headers }

const unreachable = () => new CallFailure('unreachable', 'The server did not answer. Check your connection.')

/** Sends a request to the dashboard's own origin. Browsers add the cookie, `Origin` and `Sec-Fetch-Site`. */
async function send<Answer>(
  path: string,
  init: RequestInit,
  signal: AbortSignal | undefined,
  read: (response: Response) => Promise<Answer>,
): Promise<Answer> {
  try {
    return await read(await fetch(path, { ...init, credentials: 'same-origin', ...(signal && { signal }) }))
  } catch (error) {
    signal?.throwIfAborted()
    if (error instanceof CallFailure) throw error
    throw unreachable()
  }
}

const sendJson = (path: string, init: RequestInit, signal?: AbortSignal): Promise<JsonAnswer> =>
  send(path, init, signal, async (response) => ({
    ok: response.ok,
    value: await response.json(),
    headers: response.headers,
  }))

type ConfirmableRequest = RequestInit & { headers: Readonly<Record<string, string>> }

/** Sends a request. If it needs a confirmation, asks for the operator's passkey and sends it again. */
export async function sendConfirmed(
  path: string,
  init: ConfirmableRequest,
  signal?: AbortSignal,
): Promise<JsonAnswer> {
  let answer = await sendJson(path, init, signal)
  const question = v.safeParse(confirmationProblem, fromWire(confirmationProblem, answer.value))
  if (question.success) {
    const assertion = await assertPasskey(question.output.confirmation)
    const confirmation = toBase64url(JSON.stringify(toWire(confirmationSchema, assertion)))
    const headers = { ...init.headers, [confirmationHeader]: confirmation }
    answer = await sendJson(path, { ...init, headers }, signal)
  }
  assertOk(answer)
  return answer
}

function assertOk({ ok, value }: JsonAnswer): void {
  if (ok) return
  const parsed = v.safeParse(problem, value)
  if (!parsed.success) throw unreachable()
  const { code, title, detail, path } = parsed.output
  throw new CallFailure(code as AdminErrorCode, `${title}. ${detail}.`.replace('..', '.'), { path })
}

const toBase64url = (text: string) => btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
