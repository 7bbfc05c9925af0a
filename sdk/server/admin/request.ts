/** Sends one call of the Admin API, and repeats it if that is safe. */
import { type AdminErrorCode, calls } from './contract.ts'
import { LatchkeyAdminError } from './errors.ts'

export type AdminClientOptions = {
  /** The address of the admin listener: `http://127.0.0.1:4100`. */
  url: string
  /** A key of `latchkey admin keys create`. */
  key: string
  /** How often a call is sent at most. 4 unless set. */
  attempts?: number
  /** The deadline of each attempt. 10 seconds unless set. */
  timeoutMs?: number
  /** Replaces the global `fetch`, for a proxy or a test. */
  fetch?: typeof fetch
  /** Replaces the pause between attempts, for a test. */
  sleep?: (ms: number) => Promise<void>
}

export type CallOptions = {
  /** Repeats of a change with the same key get the first answer. Random unless set. */
  idempotencyKey?: string
  signal?: AbortSignal
}

export type ChangeOptions = CallOptions & {
  /** The `etag` of the object. The call fails if the object has changed since. */
  ifMatch?: string
}

export type CallName = keyof typeof calls
export type Input = {
  params?: Record<string, string>
  query?: object | undefined
  body?: object
  /** The body of an upload. */
  file?: { content: string | Uint8Array<ArrayBuffer> | Blob; type: string; encoding?: string }
  options?: ChangeOptions | undefined
}
export type Answer<Body> = { body: Body; etag: string | undefined }

const retryLimits = { firstMs: 250, longestMs: 8_000, longestRetryAfterMs: 60_000 } as const
const defaults = { attempts: 4, timeoutMs: 10_000 } as const

/** The server did not process these, or it returns the stored answer of a change. */
const retriedStatuses = new Set([429, 502, 503, 504])

export function createRequest(options: AdminClientOptions) {
  const { key, attempts = defaults.attempts, timeoutMs = defaults.timeoutMs } = options
  const send = options.fetch ?? ((...args: Parameters<typeof fetch>) => fetch(...args))
  const sleep = options.sleep ?? ((ms: number) => new Promise((resolve) => setTimeout(resolve, ms)))
  const origin = new URL(options.url).origin

  function prepare(name: CallName, { params = {}, query, body, file, options: call = {} }: Input) {
    const { method, path, changes } = calls[name]
    const url = new URL(origin + fillPath(path, params))
    for (const [field, value] of Object.entries(query ?? {})) {
      if (value !== undefined) url.searchParams.set(field, String(value))
    }
    const headers: Record<string, string> = { authorization: `Bearer ${key}`, accept: 'application/json' }
    if (body !== undefined) headers['content-type'] = 'application/json'
    if (file !== undefined) headers['content-type'] = file.type
    if (file?.encoding !== undefined) headers['content-encoding'] = file.encoding
    // All attempts have the same key, so a change that was made is not made again.
    if (changes) headers['idempotency-key'] = call.idempotencyKey ?? crypto.randomUUID()
    if (call.ifMatch !== undefined) headers['if-match'] = call.ifMatch
    const content = file?.content ?? (body === undefined ? undefined : JSON.stringify(body))
    const request = { method, headers, ...(content !== undefined && { body: content }) }
    return (signal: AbortSignal) =>
      send(url, {
        ...request,
        signal: call.signal ? AbortSignal.any([call.signal, signal]) : signal,
        redirect: 'error',
      })
  }

  /** Waits before the next attempt, or throws. */
  async function waitToRetry(
    { error, isRetried, retryAfterMs }: Failure,
    attempt: number,
    call?: CallOptions,
  ) {
    call?.signal?.throwIfAborted()
    if (attempt >= attempts || !isRetried) throw error
    await sleep(retryAfterMs ?? backoffMs(attempt))
  }

  async function request<Body>(name: CallName, input: Input): Promise<Answer<Body>> {
    const sendOnce = prepare(name, input)
    for (let attempt = 1; ; attempt += 1) {
      const answer = await readAnswer<Body>(() => sendOnce(AbortSignal.timeout(timeoutMs)))
      if ('body' in answer) return answer
      await waitToRetry(answer, attempt, input.options)
    }
  }

  /** Yields the objects of a stream. `continueAfter` changes the query, so that a new attempt continues it. */
  async function* stream<Line>(name: CallName, input: Input, continueAfter: (line: Line) => object) {
    let { query } = input
    for (let attempt = 1; ; attempt += 1) {
      const idle = createIdleSignal(timeoutMs)
      try {
        const response = await prepare(name, { ...input, query })(idle.signal)
        if (!response.ok) {
          await waitToRetry(toFailure(response, await response.text()), attempt, input.options)
          continue
        }
        for await (const line of readLines(response, idle.extend)) {
          const object = JSON.parse(line) as Line
          query = continueAfter(object)
          attempt = 1
          yield object
        }
        return
      } catch (cause) {
        if (cause instanceof LatchkeyAdminError) throw cause
        await waitToRetry(toUnreachable(cause), attempt, input.options)
      } finally {
        idle.stop()
      }
    }
  }

  return { request, stream }
}

/** A signal that aborts unless it is extended in time. */
function createIdleSignal(timeoutMs: number) {
  const controller = new AbortController()
  const start = () =>
    setTimeout(() => controller.abort(new Error('The stream paused for too long')), timeoutMs)
  let timer = start()
  return {
    signal: controller.signal,
    extend() {
      clearTimeout(timer)
      timer = start()
    },
    stop: () => clearTimeout(timer),
  }
}

/** Yields complete lines. A part of a line at the end is an error, because the connection broke. */
async function* readLines({ body }: Response, onChunk: () => void): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of body ?? []) {
    onChunk()
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
  if (rest !== '') throw new Error('The stream ended within a line')
}

const fillPath = (path: string, params: Record<string, string>) =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name] ?? ''
    // A path segment of dots would name another call.
    if (!/^(?!\.+$)[A-Za-z0-9._-]+$/.test(value))
      throw new TypeError(`${JSON.stringify(value)} is no id of a ${name}`)
    return value
  })

/** Doubles with each attempt, with jitter, so that clients do not return at the same moment. */
const backoffMs = (attempt: number) =>
  Math.min(retryLimits.firstMs * 2 ** (attempt - 1), retryLimits.longestMs) * (0.5 + Math.random() / 2)

type Failure = { error: LatchkeyAdminError; isRetried: boolean; retryAfterMs: number | undefined }

async function readAnswer<Body>(send: () => Promise<Response>): Promise<Answer<Body> | Failure> {
  let response: Response
  let text: string
  try {
    response = await send()
    text = await response.text()
  } catch (cause) {
    return toUnreachable(cause)
  }
  const value = parseJson(text)
  if (!response.ok || value === undefined) return toFailure(response, text)
  return { body: value as Body, etag: response.headers.get('etag') ?? undefined }
}

function toUnreachable(cause: unknown): Failure {
  const error = new LatchkeyAdminError('unreachable', 'The Admin API did not answer', { cause })
  return { error, isRetried: true, retryAfterMs: undefined }
}

function toFailure({ status, headers }: Response, text: string): Failure {
  const problem = Object(parseJson(text))
  const isProblem = typeof problem.code === 'string'
  const retryAfterMs = Number(headers.get('retry-after') ?? Number.NaN) * 1_000
  const error = new LatchkeyAdminError(
    isProblem ? (problem.code as AdminErrorCode) : 'unreachable',
    isProblem ? `${problem.title}: ${problem.detail}` : `The Admin API did not answer (status ${status})`,
    { status, path: problem.path, requestId: problem.request_id },
  )
  return {
    error,
    isRetried: retriedStatuses.has(status) && !(retryAfterMs > retryLimits.longestRetryAfterMs),
    retryAfterMs: Number.isNaN(retryAfterMs) ? undefined : retryAfterMs,
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
