import { apiLimits, LatchkeyError } from '@latchkey/protocol'
import { walletRoutes } from '@latchkey/protocol/api'
import { describe, expect, it } from 'vitest'
import { createTransport } from './transport.ts'

type Answer = Response | Error | (() => Promise<Response>)
const empty = () => Response.json({ wallet: null })
const status = (code: number, body: unknown = {}) => Response.json(body, { status: code })
const timeout = () => Object.assign(new Error('too late'), { name: 'TimeoutError' })

function transport(answers: Answer[], options: { clientId?: string; analyticsId?: string } = {}) {
  const sent: { url: string; init: RequestInit; headers: Headers }[] = []
  const waitedMs: number[] = []
  const deadlinesMs: number[] = []
  let ids = 0
  const api = createTransport({
    origin: 'https://wallet.example',
    appId: 'app',
    client: 'frame:1',
    ...options,
    fetch: async (url, init) => {
      sent.push({ url, init, headers: new Headers(init.headers) })
      const answer = answers.shift()
      if (answer === undefined) throw new Error('One request too many')
      if (answer instanceof Error) throw answer
      return answer instanceof Response ? answer : answer()
    },
    sleep: async (ms) => void waitedMs.push(ms),
    deadline: (ms) => {
      deadlinesMs.push(ms)
      return new AbortController().signal
    },
    newRequestId: () => `request_${++ids}`,
  })
  return { api, sent, waitedMs, deadlinesMs }
}
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
  it('goes to the own origin with the headers of every call, without cookies', async () => {
    const { api, sent, deadlinesMs } = transport([empty()], { clientId: 'c', analyticsId: 'a' })
    await api(walletRoutes.walletStatus, 'token')
    const [request] = sent
    expect(request?.url).toBe('https://wallet.example/api/v1/wallets')
    expect(request?.init).toMatchObject({
      method: 'GET',
      credentials: 'omit',
      mode: 'same-origin',
      redirect: 'error',
    })
    expect(Object.fromEntries(request?.headers ?? [])).toEqual({
      'latchkey-app-id': 'app',
      'latchkey-client': 'frame:1',
      'latchkey-client-id': 'c',
      'latchkey-ca-id': 'a',
      authorization: 'Bearer token',
      'content-type': 'application/json',
    })
    expect(deadlinesMs).toEqual([20_000])
  })

  it('has no client id and no analytics id when there is none', async () => {
    const { api, sent } = transport([empty()])
    await api(walletRoutes.walletStatus, 'token')
    expect(sent[0]?.headers.has('latchkey-client-id')).toBe(false)
    expect(sent[0]?.headers.has('latchkey-ca-id')).toBe(false)
  })

  it('speaks snake_case', async () => {
    const { api, sent } = transport([status(400)])
    await failure(api(walletRoutes.beginWallet, 'token', begin))
    expect(sent[0]?.init.body).toBe('{"chain_type":"ethereum"}')
  })

  it('that changes something carries a request id, the same one at each retry, and a new one for the next call', async () => {
    const { api, sent } = transport([status(503), status(503), status(400), status(400)])
    await failure(api(walletRoutes.beginWallet, 'token', begin))
    await failure(api(walletRoutes.beginWallet, 'token', begin))
    expect(sent.map(({ headers }) => headers.get('latchkey-request-id'))).toEqual([
      'request_1',
      'request_1',
      'request_1',
      'request_2',
    ])
  })

  it.each(apiLimits.retriedStatuses)(
    'that got %d is made again, three times, after triple delays',
    async (code) => {
      const { api, sent, waitedMs } = transport([status(code), status(code), status(code), status(code)])
      expect((await failure(api(walletRoutes.walletStatus, 'token'))).code).toBe('error')
      expect(sent).toHaveLength(4)
      expect(waitedMs).toEqual([500, 1_500, 4_500])
    },
  )

  it.each([400, 401, 403, 404, 422, 429])('that got %d is not made again', async (code) => {
    const { api, sent } = transport([status(code)])
    await failure(api(walletRoutes.walletStatus, 'token'))
    expect(sent).toHaveLength(1)
  })

  it('that was lost or late is made again, and succeeds when the server is back', async () => {
    const { api, sent } = transport([new TypeError('lost'), timeout(), empty()])
    expect(await api(walletRoutes.walletStatus, 'token')).toEqual({ wallet: null })
    expect(sent).toHaveLength(3)
  })

  it('that was always late, or always lost, fails by name', async () => {
    const late = transport([timeout(), timeout(), timeout(), timeout()])
    expect((await failure(late.api(walletRoutes.walletStatus, 'token'))).code).toBe('client_request_timeout')
    const lost = transport(Array.from({ length: 4 }, () => new TypeError('lost')))
    expect((await failure(lost.api(walletRoutes.walletStatus, 'token'))).code).toBe('server_unreachable')
  })
})

describe('an answer of the server', () => {
  it.each<[string, Response]>([
    ['no JSON', new Response('<html>')],
    ['empty', new Response('')],
    ['of another shape', Response.json({ wallet: { address: 'x' } })],
    ['a list', Response.json([])],
  ])('that is %s is refused', async (_name, response) => {
    const { api } = transport([response])
    expect((await failure(api(walletRoutes.walletStatus, 'token'))).code).toBe('invalid_answer')
  })

  it('that is an error keeps a code that we know and its sentence', async () => {
    const { api } = transport([status(404, { error: 'There is none', code: 'embedded_wallet_not_found' })])
    expect(await failure(api(walletRoutes.walletStatus, 'token'))).toMatchObject({
      code: 'embedded_wallet_not_found',
      message: 'There is none',
    })
  })

  it.each<[string, unknown]>([
    ['an unknown code', { code: 'made_up' }],
    ['a name of the language', { code: 'constructor' }],
    ['no body', null],
    ['a code that is no text', { code: 7 }],
  ])('that is an error with %s is `error`', async (_name, body) => {
    const { api } = transport([status(400, body)])
    expect((await failure(api(walletRoutes.walletStatus, 'token'))).code).toBe('error')
  })
})
