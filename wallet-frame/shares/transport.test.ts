import { createHash } from 'node:crypto'
import { getEventListeners } from 'node:events'
import { LatchkeyError } from '@latchkey/protocol'
import { walletRoutes } from '@latchkey/protocol/api'
import { describe, expect, it } from 'vitest'
import { pause } from '../clock.ts'
import { testClock } from '../testing/clock.ts'
import { createTransport, prepareCall } from './transport.ts'

type Answer = Response | Error | ((signal: AbortSignal | null | undefined) => Promise<Response>)
const wallet = {
  status: 'committed',
  wallet_id: 'wallet_1',
  user_id: 'user_1',
  kind: 'entropy',
  chain: 'ethereum',
  generation: 1,
  address: `0x${'1'.repeat(40)}`,
  recovery_method: 'latchkey',
}
const good = () => Response.json({ wallet })
const status = (code: number, body: unknown = {}) => Response.json(body, { status: code })

function transport(answers: Answer[], options: { clientId?: string; analyticsId?: string } = {}) {
  const sent: { url: string; init: RequestInit; headers: Headers }[] = []
  const waitedMs: number[] = []
  const proven: object[] = []
  const clock = testClock()
  let ids = 0
  const ports = {
    origin: 'https://wallet.example',
    appId: 'app',
    client: 'frame:1',
    ...options,
    fetch: async (url: string, init: RequestInit) => {
      sent.push({ url, init, headers: new Headers(init.headers) })
      const answer = answers.shift()
      if (answer === undefined) throw new Error('One request too many')
      if (answer instanceof Error) throw answer
      return answer instanceof Response ? answer : answer(init.signal)
    },
    clock,
    pause: async (ms: number) => void waitedMs.push(ms),
    newRequestId: () => `request_${++ids}`,
    prove: async (call: object) => {
      proven.push(call)
      return `proof ${proven.length}`
    },
  }
  const api = createTransport(ports)
  return { api, ports, clock, sent, waitedMs, proven }
}
/** Returns a fetch that hangs until it is aborted, and then rejects with this name. */
const hangs =
  (name: string): Answer =>
  (signal) =>
    new Promise((_, reject) => {
      signal?.addEventListener('abort', () => reject(Object.assign(new Error('given up'), { name })))
    })
/** A token of user_1, issued at 1,800,000,000. */
const token = `header.${Buffer.from('{"sub":"user_1","iat":1800000000}').toString('base64url')}.signature`
const caller = { token, signal: new AbortController().signal }
const begin = { chainType: 'ethereum' } as const
const failure = async (attempt: Promise<unknown>) => {
  const error = await attempt.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof LatchkeyError)) throw new Error('No coded error')
  return error
}

describe('a call to the server', () => {
  it('goes to its own origin with the common headers, without cookies', async () => {
    const { api, sent } = transport([good()], { clientId: 'c', analyticsId: 'a' })
    await api(walletRoutes.walletStatus, caller)
    const [request] = sent
    expect(request?.url).toBe('https://wallet.example/api/v1/wallets')
    expect(request?.init).toMatchObject({
      method: 'GET',
      credentials: 'omit',
      redirect: 'error',
      cache: 'no-store',
      signal: expect.any(AbortSignal),
    })
    expect(Object.fromEntries(request?.headers ?? [])).toEqual({
      'latchkey-app-id': 'app',
      'latchkey-client': 'frame:1',
      'latchkey-client-id': 'c',
      'latchkey-ca-id': 'a',
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      dpop: 'proof 1',
    })
  })

  it("is proved by the session's device key, anew for each attempt", async () => {
    const { api, sent, proven, clock } = transport([
      async () => {
        clock.advance(2_500)
        return status(503)
      },
      status(400),
    ])
    const call = failure(api(walletRoutes.beginWallet, caller, begin))
    const proof = {
      userId: 'user_1',
      method: 'POST',
      url: 'https://wallet.example/api/v1/wallets/begin',
      requestId: 'request_1',
      tokenHash: createHash('sha256').update(token).digest('base64url'),
      bodyHash: createHash('sha256').update('{"chain_type":"ethereum"}').digest('base64url'),
      // By the token's time, because the clock of the machine may be wrong.
      atSeconds: 1_800_000_000,
    }
    await call
    expect(proven).toEqual([proof, { ...proof, atSeconds: 1_800_000_002 }])
    expect(sent.map(({ headers }) => headers.get('dpop'))).toEqual(['proof 1', 'proof 2'])
    expect(sent[0]?.headers.get('latchkey-request-id')).toBe('request_1')
  })

  // With an explicit mode, two engines send `Origin: null`, which the server refuses.
  it('leaves mode and referrer to the page, and sends only the headers it needs', async () => {
    const { api, sent } = transport([status(400)])
    await failure(api(walletRoutes.beginWallet, caller, begin))
    expect(Object.keys(sent[0]?.init ?? {}).sort()).toEqual([
      'body',
      'cache',
      'credentials',
      'headers',
      'method',
      'redirect',
      'signal',
    ])
  })

  it('omits client ID and analytics ID if there are none', async () => {
    const { api, sent } = transport([good()])
    await api(walletRoutes.walletStatus, caller)
    expect(sent[0]?.headers.has('latchkey-client-id')).toBe(false)
    expect(sent[0]?.headers.has('latchkey-ca-id')).toBe(false)
  })

  it('sends snake_case', async () => {
    const { api, sent } = transport([status(400)])
    await failure(api(walletRoutes.beginWallet, caller, begin))
    expect(sent[0]?.init.body).toBe('{"chain_type":"ethereum"}')
  })

  it('with an effect has a request ID, the same for each retry and a new one for the next call', async () => {
    const { api, sent } = transport([status(503), status(503), status(400), status(400)])
    await failure(api(walletRoutes.beginWallet, caller, begin))
    await failure(api(walletRoutes.beginWallet, caller, begin))
    expect(sent.map(({ headers }) => headers.get('latchkey-request-id'))).toEqual([
      'request_1',
      'request_1',
      'request_1',
      'request_2',
    ])
  })

  it.each([408, 409, 425, 500, 502, 503, 504])(
    'is retried three times after status %d, with tripling delays',
    async (code) => {
      const { api, sent, waitedMs } = transport([status(code), status(code), status(code), status(code)])
      expect((await failure(api(walletRoutes.walletStatus, caller))).code).toBe('error')
      expect(sent).toHaveLength(4)
      expect(waitedMs).toEqual([500, 1_500, 4_500])
    },
  )

  it.each([400, 401, 403, 404, 422, 429])('is not retried after status %d', async (code) => {
    const { api, sent } = transport([status(code)])
    await failure(api(walletRoutes.walletStatus, caller))
    expect(sent).toHaveLength(1)
  })

  it('is retried after a network failure, and succeeds when the server is back', async () => {
    const { api, sent } = transport([new TypeError('lost'), good()])
    expect((await api(walletRoutes.walletStatus, caller)).wallet.walletId).toBe('wallet_1')
    expect(sent).toHaveLength(2)
  })

  it('fails with server_unreachable if every attempt is lost', async () => {
    const lost = Array.from({ length: 4 }, (_, index) => new TypeError(`lost ${index}`))
    const { api } = transport([...lost])
    expect(await failure(api(walletRoutes.walletStatus, caller))).toMatchObject({
      code: 'server_unreachable',
      cause: lost[3],
    })
  })

  it.each(['AbortError', 'TimeoutError', 'Error'])(
    'that hangs is aborted after 20 s and retried, and then fails by name (%s)',
    async (name) => {
      const { api, clock, sent } = transport(Array.from({ length: 4 }, () => hangs(name)))
      const failed = failure(api(walletRoutes.walletStatus, caller))
      for (const attempt of [1, 2, 3, 4]) {
        await expect.poll(() => sent.length).toBe(attempt)
        clock.advance(19_999)
        expect(sent.at(-1)?.init.signal?.aborted).toBe(false)
        clock.advance(1)
      }
      expect((await failed).code).toBe('client_request_timeout')
      expect(clock.timers()).toBe(0)
    },
  )

  it('with a stalled response body is aborted like one that hangs', async () => {
    const stuck: Answer = async (signal) =>
      new Response(
        new ReadableStream({
          start: (controller) => signal?.addEventListener('abort', () => controller.error(signal.reason)),
        }),
      )
    const { api, clock, sent } = transport([stuck, good()])
    const asked = api(walletRoutes.walletStatus, caller)
    await expect.poll(() => sent.length).toBe(1)
    clock.advance(20_000)
    expect((await asked).wallet.walletId).toBe('wallet_1')
  })
})

describe('a caller that aborts', () => {
  const leaving = new LatchkeyError('call_cancelled', 'Taken back')

  it('aborts the current request, and no other follows', async () => {
    const { api, sent, waitedMs, clock } = transport([hangs('AbortError'), good()])
    const patience = new AbortController()
    const asked = failure(api(walletRoutes.walletStatus, { token, signal: patience.signal }))
    await expect.poll(() => sent.length).toBe(1)
    patience.abort(leaving)
    expect(sent[0]?.init.signal?.aborted).toBe(true)
    expect((await asked).code).toBe('call_cancelled')
    expect([sent.length, waitedMs.length, clock.timers()]).toEqual([1, 0, 0])
  })

  it('ends the delay before a retry, without a remaining timer', async () => {
    const { ports, sent, clock } = transport([status(503), good()])
    const api = createTransport({ ...ports, pause: (ms, signal) => pause(clock, ms, signal) })
    const patience = new AbortController()
    const asked = failure(api(walletRoutes.walletStatus, { token, signal: patience.signal }))
    await expect.poll(() => clock.timers()).toBe(1)
    patience.abort(leaving)
    expect((await asked).code).toBe('call_cancelled')
    expect([sent.length, clock.timers()]).toEqual([1, 0])
  })

  it('has no listeners on its signal after the call', async () => {
    const { api } = transport([status(503), good()])
    const patience = new AbortController()
    await api(walletRoutes.walletStatus, { token, signal: patience.signal })
    expect(getEventListeners(patience.signal, 'abort')).toEqual([])
  })

  it('before the call prevents every request', async () => {
    const { api, sent } = transport([good()])
    const asked = api(walletRoutes.walletStatus, { token, signal: AbortSignal.abort(leaving) })
    expect((await failure(asked)).code).toBe('call_cancelled')
    expect(sent).toEqual([])
  })
})

describe('a response of the server', () => {
  it.each<[string, Response]>([
    ['no JSON', new Response('<html>')],
    ['empty', new Response('')],
    ['of another shape', Response.json({ wallet: { address: 'x' } })],
    ['a list', Response.json([])],
  ])('that is %s is refused', async (_name, response) => {
    const { api } = transport([response])
    expect((await failure(api(walletRoutes.walletStatus, caller))).code).toBe('invalid_answer')
  })

  it('with an error keeps a known code and its message', async () => {
    const { api } = transport([status(404, { error: 'There is none', code: 'embedded_wallet_not_found' })])
    expect(await failure(api(walletRoutes.walletStatus, caller))).toMatchObject({
      code: 'embedded_wallet_not_found',
      message: 'There is none',
    })
  })

  it.each<[string, unknown]>([
    ['an unknown code', { code: 'made_up' }],
    ['a name of the language', { code: 'constructor' }],
    ['no body', null],
    ['a code that is no text', { code: 7 }],
  ])("with %s as its error becomes `error`, and keeps the server's message", async (_name, body) => {
    const { api } = transport([status(400, body)])
    expect(await failure(api(walletRoutes.walletStatus, caller))).toMatchObject({
      code: 'error',
      message: 'The server answered 400',
    })
  })

  it('with an error reports the retry delay, for every code', async () => {
    const headers = { 'retry-after': '7' }
    const { api } = transport([Response.json({ code: 'invalid_data' }, { status: 422, headers })])
    expect(await failure(api(walletRoutes.walletStatus, caller))).toMatchObject({
      code: 'invalid_data',
      retryAfterSeconds: 7,
    })
  })

  it.each([
    ['7', 7],
    ['0', 0],
    [null, undefined],
    ['', undefined],
    ['soon', undefined],
    ['-1', undefined],
    ['1.5', undefined],
    ['Wed, 21 Oct 2026 07:28:00 GMT', undefined],
  ])('with a rate limit is recognized, with retry-after %j as its delay', async (header, seconds) => {
    const headers = header === null ? {} : { 'retry-after': header }
    const { api } = transport([Response.json({ error: 'x', code: 'x' }, { status: 429, headers })])
    const error = await failure(api(walletRoutes.walletStatus, caller))
    expect(error.code).toBe('too_many_requests')
    expect(error.message).toContain('code 429')
    expect(error.retryAfterSeconds).toBe(seconds)
  })

  it.each([
    [429, 'mfa_verification_max_attempts_reached', 'mfa_verification_max_attempts_reached'],
    [429, 'too_many_requests', 'too_many_requests'],
    [503, 'too_many_requests', 'too_many_requests'],
    [503, 'unavailable', 'unavailable'],
  ])('with status %d and %s keeps the code of its limit', async (status, code, told) => {
    const { api } = transport(
      Array.from({ length: 4 }, () => Response.json({ error: 'In words', code }, { status })),
    )
    const error = await failure(api(walletRoutes.walletStatus, caller))
    expect(error.code).toBe(told)
    expect(error.message).toBe(
      status === 429 && told === 'too_many_requests' ? 'Too many requests (code 429)' : 'In words',
    )
  })
})

describe('a prepared call', () => {
  it('is proved when it is prepared, and sent synchronously, even if its page goes away', async () => {
    const { ports, sent } = transport([good()])
    const seen: unknown[] = []
    const authorize = async (call: object) => {
      seen.push(call)
      return async () => ({ authorization: 'Bearer x', dpop: 'proof' })
    }
    const send = await prepareCall(
      ports,
      walletRoutes.beginWallet,
      { signal: caller.signal, authorize },
      begin,
    )
    expect(seen).toEqual([
      {
        method: 'POST',
        url: 'https://wallet.example/api/v1/wallets/begin',
        text: '{"chain_type":"ethereum"}',
        requestId: 'request_1',
      },
    ])
    expect(sent).toEqual([])
    send()
    expect(sent).toHaveLength(1)
    expect(sent[0]?.init).toMatchObject({ keepalive: true, body: '{"chain_type":"ethereum"}' })
    expect(sent[0]?.headers.get('dpop')).toBe('proof')
    expect(sent[0]?.headers.get('latchkey-request-id')).toBe('request_1')
  })

  it('fails silently', async () => {
    const { ports } = transport([new Error('offline')])
    const authorize = async () => async () => ({})
    const send = await prepareCall(
      ports,
      walletRoutes.beginWallet,
      { signal: caller.signal, authorize },
      begin,
    )
    expect(send).not.toThrow()
  })
})
