import { LatchkeyError } from '@latchkey/protocol'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, test, vi } from 'vitest'
import { makeClient, resolvedCalls } from '../../testing/client.ts'
import type { EthereumProvider } from '../../types/options.ts'

const address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const other = '0x71C7656EC7ab88b098defB751B7401B5f6d8976F'
const userWith = (address: string) => ({
  id: 'u1',
  createdAt: 1,
  linkedAccounts: [
    { type: 'wallet', address, chainType: 'ethereum', connectorType: 'embedded', verifiedAt: 1 },
  ],
})

let page: EventTarget
beforeEach(() => {
  page = new EventTarget()
  vi.stubGlobal('document', Object.assign(new EventTarget(), { prerendering: false }))
  for (const name of ['addEventListener', 'dispatchEvent'] as const) {
    vi.stubGlobal(name, page[name].bind(page))
  }
})
afterEach(() => vi.unstubAllGlobals())

const first = { chainId: 1, accounts: [address] }

async function open(state: object = first, options?: { announce: boolean }) {
  const setup = makeClient()
  const provider = setup.handle.getEthereumProvider(options)
  const [asked] = await resolvedCalls(setup.opened[0])
  expect(asked).toMatchObject({
    name: 'more',
    data: { call: 'ethereumState', data: { announce: options?.announce ?? false } },
  })
  asked?.resolve(state)
  return { ...setup, provider: await provider }
}
type Opened = Awaited<ReturnType<typeof open>>

/** Returns the last request, once it was sent. */
const lastAsk = async ({ opened }: Pick<Opened, 'opened'>) => (await resolvedCalls(opened.at(-1))).at(-1)

async function answered(setup: Opened, method: string, params: unknown, answer: unknown) {
  const result = setup.provider.request({ method, params })
  result.catch(() => {})
  const asked = await lastAsk(setup)
  asked?.resolve(answer)
  return result
}
const errorOf = (promise: Promise<unknown>) =>
  promise.then(
    () => expect.unreachable(),
    (error: unknown) => error as Error & { code: number; data?: unknown },
  )
function recordEvents(provider: EthereumProvider) {
  const received: unknown[] = []
  for (const name of ['connect', 'disconnect', 'chainChanged', 'accountsChanged'] as const) {
    provider.on(name, (event) => received.push([name, event instanceof Error ? event.code : event]))
  }
  return received
}

describe('the provider', () => {
  it('is the same object for all callers of an app', async () => {
    const setup = await open()
    const again = setup.makeHandle().getEthereumProvider()
    ;(await lastAsk(setup))?.resolve(first)
    expect(await again).toBe(setup.provider)
  })

  it.each([
    [true, [false, false, false, false, true]],
    [false, [true, true, true, true, true]],
  ])('covers the page only for requests that show a card; noPromptOnSignature: %s', async (none, shows) => {
    const setup = await open()
    await setup.handle.setConfig({ embeddedWallets: { noPromptOnSignature: none } })
    const before = setup.opened[0]?.calls.length ?? 0
    const requests = [
      ['personal_sign', ['0x6869', address]],
      ['eth_signTypedData_v4', [address, '{}']],
      ['eth_signTransaction', [{ from: address, to: other }]],
      ['eth_sendTransaction', [{ from: address, to: other }]],
      ['eth_requestAccounts', []],
    ] as const
    for (const [method, params] of requests) setup.provider.request({ method, params }).catch(() => {})
    const asked = (await resolvedCalls(setup.opened[0])).slice(before)
    expect(asked.map(({ name }) => name)).toEqual(requests.map(() => 'moreForUser'))
    expect(asked.map((one) => one.shows)).toEqual(shows)
    setup.client.close(new LatchkeyError('client_destroyed', 'over'))
  })

  it.each([
    ['eth_chainId', undefined, 'more', 'ethereumRequest', []],
    ['eth_getBalance', [address, 'latest'], 'read', 'ethereumRead', [address, 'latest']],
    ['personal_sign', ['0x68', address], 'moreForUser', 'ethereumRequestForUser', ['0x68', address]],
    [
      'eth_sendTransaction',
      [{ to: address, value: 10n, data: undefined }],
      'moreForUser',
      'ethereumRequestForUser',
      [{ to: address, value: '0xa' }],
    ],
    [
      'eth_sendTransaction',
      [{ to: address, value: -10n }],
      'moreForUser',
      'ethereumRequestForUser',
      [{ to: address, value: '-10' }],
    ],
  ])('sends %s to the dialog as JSON', async (method, params, name, call, sent) => {
    const setup = await open()
    const result = answered(setup, method, params, { result: 'done' })
    expect(await lastAsk(setup)).toMatchObject({ name, data: { call, data: { method, params: sent } } })
    expect(await result).toBe('done')
  })

  it.each([
    [undefined, -32_600],
    [{}, -32_600],
    [{ method: 7 }, -32_600],
    [{ method: 'eth_getBalance', params: { address } }, -32_602],
    [{ method: 'eth_sign', params: [address, '0x00'] }, 4200],
    // Named params as in EIP-747, which libraries send.
    [{ method: 'wallet_watchAsset', params: { type: 'ERC20', options: { address } } }, 4200],
    [{ method: 'wallet_requestPermissions' }, -32_601],
    [{ method: 'eth_subscribe' }, -32_601],
    [{ method: 'constructor' }, -32_601],
    [{ method: '__proto__' }, -32_601],
  ])('rejects %j without a request to the dialog', async (asked, code) => {
    const { provider, opened } = await open()
    const error = await errorOf(provider.request(asked as never))
    expect(error).toMatchObject({ name: 'ProviderRpcError', code, message: expect.any(String) })
    expect(opened[0]?.calls).toHaveLength(1)
  })

  it('writes amounts in hex even if the page has defined BigInt.prototype.toJSON', async () => {
    const setup = await open()
    Object.defineProperty(BigInt.prototype, 'toJSON', { value: () => 'mine', configurable: true })
    try {
      answered(setup, 'eth_sendTransaction', [{ to: address, value: 10n }], { result: 'done' })
      expect(await lastAsk(setup)).toMatchObject({
        data: { data: { params: [{ to: address, value: '0xa' }] } },
      })
    } finally {
      Reflect.deleteProperty(BigInt.prototype, 'toJSON')
    }
  })

  it('opens the confirmation page in the click, sends its name to the dialog, and closes it at the end', async () => {
    const confirmPage = { address: 'https://wallet.example/confirm', typedDataOnCard: [], testNetworks: [] }
    const windows: { isOpen: boolean }[] = []
    vi.stubGlobal('navigator', { userActivation: { isActive: true } })
    vi.stubGlobal('open', () => {
      const window = { isOpen: true, close: () => Object.assign(window, { isOpen: false }) }
      windows.push(window)
      return window
    })
    const setup = await open({ ...first, confirmPage })
    const data = { primaryType: 'Permit', types: {}, domain: {}, message: {} }
    const request = { method: 'eth_signTypedData_v4', params: [address, data] }
    const signing = setup.provider.request(request)
    // Synchronously, and for one request at a time.
    expect(windows).toHaveLength(1)
    const asked = await lastAsk(setup)
    const another = setup.provider.request(request)
    expect(windows).toHaveLength(1)
    expect(asked?.data).toMatchObject({ window: expect.stringMatching(/^[\w-]{43}$/) })
    const unopened = await lastAsk(setup)
    expect(unopened?.data).not.toHaveProperty('window')
    asked?.resolve({ result: '0xsigned' })
    expect(await signing).toBe('0xsigned')
    expect(windows[0]?.isOpen).toBe(false)
    unopened?.reject(new LatchkeyError('user_rejected_request', 'The user rejected the request'))
    await errorOf(another)
    const refused = setup.provider.request(request)
    expect(windows).toHaveLength(2)
    const last = await lastAsk(setup)
    last?.reject(new LatchkeyError('user_rejected_request', 'The user rejected the request'))
    expect(await errorOf(refused)).toMatchObject({ code: 4001 })
    expect(windows[1]?.isOpen).toBe(false)
  })

  it('opens no window for a page without an account, or if the confirmation page is unknown', async () => {
    const opened = vi.fn()
    vi.stubGlobal('navigator', { userActivation: { isActive: true } })
    vi.stubGlobal('open', opened)
    const confirmPage = { address: 'https://wallet.example/confirm', typedDataOnCard: [], testNetworks: [] }
    const request = {
      method: 'eth_signTypedData_v4',
      params: [address, { primaryType: 'Permit', types: {} }],
    }
    for (const state of [first, { ...first, accounts: [], confirmPage }]) {
      const setup = await open(state)
      const signing = setup.provider.request(request)
      ;(await lastAsk(setup))?.resolve({ result: '0xsigned' })
      await signing
    }
    expect(opened).not.toHaveBeenCalled()
  })

  it('rejects params that JSON cannot serialize', async () => {
    const { provider } = await open()
    const round: unknown[] = []
    round.push(round)
    expect(await errorOf(provider.request({ method: 'eth_call', params: round }))).toMatchObject({
      code: -32_602,
    })
  })

  test('rejects arbitrary arguments with a code', async () => {
    const { provider } = await open()
    await fc.assert(
      fc.asyncProperty(fc.anything({ withBigInt: true, withNullPrototype: true }), async (asked) => {
        const error = await errorOf(provider.request(asked as never))
        expect(error.code).toBe(
          typeof Object(asked).method === 'string' && Object(asked).method ? 4200 : -32_600,
        )
      }),
    )
  })

  // spec W8.21, W8.22
  it.each([
    ['user_rejected_request', 4001, 'The user rejected the request'],
    ['exited_auth_flow', 4001, 'The user rejected the request'],
    ['must_be_authenticated', 4100, 'said'],
    ['embedded_wallet_not_found', 4100, 'said'],
    ['method_not_found', -32_601, 'said'],
    ['server_unreachable', 4900, 'said'],
    ['frame_unresponsive', 4900, 'said'],
    ['unsupported_chain_id', 4901, 'said'],
    ['invalid_data', -32_602, 'said'],
    ['invalid_message', -32_602, 'said'],
    ['call_timeout', -32_002, 'said'],
    ['insufficient_funds', -32_003, 'said'],
    ['approval_required_elsewhere', -32_003, 'said'],
    ['too_many_requests', -32_005, 'said'],
    ['message_too_large', -32_005, 'said'],
    ['internal_error', -32_603, 'said'],
    ['outcome_unknown', -32_603, 'said'],
  ] as const)('tells %s by the code %s', async (ours, code, message) => {
    const setup = await open()
    const result = setup.provider.request({ method: 'personal_sign', params: ['0x68', address] })
    const cause = new LatchkeyError(ours, 'said')
    const asked = await lastAsk(setup)
    asked?.reject(cause)
    expect(await errorOf(result)).toMatchObject({ code, message, cause })
  })

  it('maps a closed MFA prompt to a user rejection, and a wrong code to an internal error', async () => {
    for (const [message, code] of [
      ['MFA canceled', 4001],
      ['Invalid code', -32_603],
    ] as const) {
      const setup = await open()
      const result = setup.provider.request({ method: 'personal_sign', params: ['0x68', address] })
      const asked = await lastAsk(setup)
      asked?.reject(new LatchkeyError('missing_or_invalid_mfa', message))
      expect(await errorOf(result)).toMatchObject({ code })
    }
  })

  it('returns the error of an RPC node with its data', async () => {
    const refused = { code: 3, message: 'execution reverted', data: '0x08c379a0' }
    const error = await errorOf(answered(await open(), 'eth_call', [{}], { refused }))
    expect(error).toMatchObject(refused)
  })

  it('stores filters itself, and reads the chain for them', async () => {
    const setup = await open()
    const result = setup.provider.request({ method: 'eth_newFilter', params: [{ address }] })
    const asked = await lastAsk(setup)
    expect(asked).toMatchObject({ name: 'read', data: { data: { method: 'eth_blockNumber', params: [] } } })
    asked?.resolve({ result: '0x64' })
    const chain = await lastAsk(setup)
    expect(chain).toMatchObject({ data: { data: { method: 'eth_chainId' } } })
    chain?.resolve({ result: '0x1' })
    expect(await result).toBe('0x1')
  })

  it('rejects an invalid response of the dialog', async () => {
    expect(await errorOf(answered(await open(), 'eth_call', [{}], { refused: 'yes' }))).toMatchObject({
      code: -32_603,
    })
  })

  it('applies the deadline of chain methods, and none to requests that need the user', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const { provider } = await open()
    const read = errorOf(provider.request({ method: 'eth_blockNumber' }))
    const state = errorOf(provider.request({ method: 'eth_chainId' }))
    let isEnded = false
    const end = () => {
      isEnded = true
    }
    provider.request({ method: 'personal_sign', params: ['0x68', address] }).then(end, end)
    await vi.advanceTimersByTimeAsync(20_000)
    expect((await state).code).toBe(-32_002)
    await vi.advanceTimersByTimeAsync(20_000)
    expect((await read).code).toBe(-32_002)
    await vi.advanceTimersByTimeAsync(3_600_000)
    expect(isEnded).toBe(false)
    vi.useRealTimers()
  })

  it('rejects with 4001 if the user closes the empty card before the dialog loads', async () => {
    const setup = await open()
    const signing = errorOf(setup.provider.request({ method: 'personal_sign', params: ['0x68', address] }))
    const reading = setup.provider.request({ method: 'eth_chainId' })
    const asks = await resolvedCalls(setup.opened[0])
    setup.opened[0]?.onRefused()
    expect((await signing).code).toBe(4001)
    expect(asks.at(1)?.signal?.aborted).toBe(true)
    asks.at(2)?.resolve({ result: '0x1' })
    expect(await reading).toBe('0x1')
  })
})

describe('the events of the provider', () => {
  it('are emitted once per change', async () => {
    const setup = await open()
    const received = recordEvents(setup.provider)
    const { client } = setup
    const happen = (name: string, detail: object) =>
      client.events.dispatchEvent(new CustomEvent(name, { detail }))
    await answered(setup, 'eth_accounts', [], { result: [address] })
    await answered(setup, 'wallet_switchEthereumChain', [{ chainId: '0xa' }], { result: null })
    happen('chainChanged', { chainId: 10 })
    happen('user', { user: userWith(address) })
    happen('user', { user: null })
    happen('login', { user: userWith(other) })
    happen('user', { user: userWith(other) })
    expect(received).toEqual([
      ['connect', { chainId: '0x1' }],
      ['chainChanged', '0xa'],
      ['accountsChanged', []],
      ['accountsChanged', [other]],
    ])
  })

  it('are emitted for changes until the provider is requested again', async () => {
    const setup = await open()
    const received = recordEvents(setup.provider)
    const again = setup.makeHandle().getEthereumProvider()
    ;(await lastAsk(setup))?.resolve({ chainId: 10, accounts: [other] })
    expect(await again).toBe(setup.provider)
    expect(received).toEqual([
      ['chainChanged', '0xa'],
      ['accountsChanged', [other]],
    ])
  })

  it('do not include a disconnect before the first connection', async () => {
    const setup = await open()
    const received = recordEvents(setup.provider)
    const lost = { detail: { error: new LatchkeyError('frame_unresponsive', 'gone') } }
    setup.client.events.dispatchEvent(new CustomEvent('error', lost))
    expect(received).toEqual([])
  })

  it('include changes by other scripts of the page, such as a switched chain', async () => {
    const setup = await open()
    const received = recordEvents(setup.provider)
    setup.opened[0]?.onEvent({ type: 'more', name: 'chainChanged', data: { chainId: 10 } })
    await vi.waitFor(() => expect(received).toEqual([['chainChanged', '0xa']]), { timeout: 20_000 })
  })

  it('include disconnect and connect for a lost and a new dialog, on any chain', async () => {
    const setup = await open()
    const received = recordEvents(setup.provider)
    await answered(setup, 'eth_chainId', [], { result: '0x1' })
    setup.client.events.dispatchEvent(
      new CustomEvent('error', { detail: { error: new LatchkeyError('frame_unresponsive', 'gone') } }),
    )
    const again = setup.provider.request({ method: 'eth_chainId' })
    const state = await lastAsk(setup)
    expect(state?.data).toEqual({ call: 'ethereumState', data: {} })
    state?.resolve({ chainId: 10, accounts: [] })
    await vi.waitFor(
      async () => expect((await lastAsk(setup))?.data).toMatchObject({ call: 'ethereumRequest' }),
      { timeout: 20_000 },
    )
    ;(await lastAsk(setup))?.resolve({ result: '0xa' })
    expect(await again).toBe('0xa')
    expect(received).toEqual([
      ['connect', { chainId: '0x1' }],
      ['disconnect', 4900],
      ['chainChanged', '0xa'],
      ['accountsChanged', []],
      ['connect', { chainId: '0xa' }],
    ])
  })

  it('include connect after a request that needs the user', async () => {
    const setup = await open()
    await answered(setup, 'eth_chainId', [], { result: '0x1' })
    const received = recordEvents(setup.provider)
    setup.client.events.dispatchEvent(
      new CustomEvent('error', { detail: { error: new LatchkeyError('frame_unresponsive', 'gone') } }),
    )
    const signing = setup.provider.request({ method: 'personal_sign', params: ['0x68', address] })
    const [request, state] = (await resolvedCalls(setup.opened[0])).slice(-2)
    state?.resolve({ chainId: 10, accounts: [address] })
    request?.resolve({ result: '0x01' })
    expect(await signing).toBe('0x01')
    expect(received).toEqual([
      ['disconnect', 4900],
      ['chainChanged', '0xa'],
      ['connect', { chainId: '0xa' }],
    ])
  })

  it('reach their listeners until these are removed', async () => {
    const reported = vi.fn()
    vi.stubGlobal('reportError', reported)
    const setup = await open()
    const [broken, one, two] = [() => Promise.reject(), vi.fn(), vi.fn()]
    const failure = new Error('mine')
    setup.provider
      .on('chainChanged', () => {
        throw failure
      })
      .on('chainChanged', one)
      .on('chainChanged', two)
      .removeListener('chainChanged', one)
      .removeListener('chainChanged', broken)
    await answered(setup, 'eth_chainId', [], { result: '0xa' })
    expect(one).not.toHaveBeenCalled()
    expect(two).toHaveBeenCalledExactlyOnceWith('0xa')
    expect(reported).toHaveBeenCalledExactlyOnceWith(failure)
  })
})

it('removeListener removes one of two equal listeners, the later one first', async () => {
  const setup = await open()
  const received: string[] = []
  const [one, two] = [() => received.push('one'), () => received.push('two')]
  setup.provider.on('chainChanged', one).on('chainChanged', two).on('chainChanged', one)
  setup.provider.removeListener('chainChanged', one)
  await answered(setup, 'eth_chainId', [], { result: '0xa' })
  expect(received).toEqual(['one', 'two'])
})

it('the provider has off, once and enable for old libraries, and accepts extra properties', async () => {
  const setup = await open()
  const [once, off] = [vi.fn(), vi.fn()]
  setup.provider.once('chainChanged', once).on('chainChanged', off).off('chainChanged', off)
  await answered(setup, 'eth_chainId', [], { result: '0xa' })
  await answered(setup, 'eth_chainId', [], { result: '0xb' })
  expect(once).toHaveBeenCalledExactlyOnceWith('0xa')
  expect(off).not.toHaveBeenCalled()
  Object.assign(setup.provider, { isMine: true })
  expect(setup.provider).toMatchObject({ isMine: true })
  const enabled = setup.provider.enable()
  const asked = await lastAsk(setup)
  expect(asked).toMatchObject({ data: { data: { method: 'eth_requestAccounts', params: [] } } })
  asked?.resolve({ result: [address] })
  expect(await enabled).toEqual([address])
})

describe('the announced provider', () => {
  const recordAnnouncements = () => {
    const all: { info: Record<string, string>; provider: unknown }[] = []
    page.addEventListener('eip6963:announceProvider', (event) => all.push(Reflect.get(event, 'detail')))
    return all
  }
  const ask = () => page.dispatchEvent(new Event('eip6963:requestProvider'))

  it('is not announced unless the page requests it', async () => {
    const all = recordAnnouncements()
    await open()
    ask()
    expect(all).toEqual([])
  })

  it('is announced immediately and on each request, as the same object, with the name of the app', async () => {
    const all = recordAnnouncements()
    const setup = await open({ ...first, announced: { name: 'Herons' } }, { announce: true })
    ask()
    const again = setup.handle.getEthereumProvider({ announce: true })
    ;(await lastAsk(setup))?.resolve({ ...first, announced: { name: 'Herons' } })
    await again
    expect(all).toHaveLength(2)
    const [one, two] = all
    expect(one?.provider).toBe(setup.provider)
    expect(one).toEqual(two)
    expect(Object.isFrozen(one) && Object.isFrozen(one?.info)).toBe(true)
    expect(one?.info).toEqual({
      name: 'Herons',
      rdns: 'app.latchkey',
      uuid: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
      icon: expect.stringMatching(/^data:image\/svg\+xml,%3Csvg/),
    })
  })

  it('is announced by the dialog itself, without loading the state first', async () => {
    const all = recordAnnouncements()
    const setup = makeClient()
    setup.client.preload('now')
    setup.opened[0]?.onEvent({ type: 'more', name: 'provider', data: { name: 'Herons' } })
    await vi.waitFor(() => expect(all).toHaveLength(1))
    setup.opened[0]?.onEvent({ type: 'more', name: 'provider', data: { name: 'Herons' } })
    ask()
    await vi.waitFor(() => expect(all).toHaveLength(2))
    expect(all[0]).toEqual(all[1])
    expect(all[0]?.info).toMatchObject({ name: 'Herons', rdns: 'app.latchkey' })
    expect(setup.opened[0]?.calls).toEqual([])

    const provider = all[0]?.provider as EthereumProvider
    const received = recordEvents(provider)
    const asking = provider.request({ method: 'eth_accounts' })
    const state = await lastAsk(setup)
    expect(state?.data).toEqual({ call: 'ethereumState', data: {} })
    state?.resolve(first)
    await vi.waitFor(() => expect(setup.opened[0]?.calls).toHaveLength(2))
    ;(await lastAsk(setup))?.resolve({ result: [address] })
    expect(await asking).toEqual([address])
    expect(received).toEqual([['connect', { chainId: '0x1' }]])
    setup.opened[0]?.onEvent({ type: 'logout' })
    setup.opened[0]?.onEvent({ type: 'user', user: null })
    expect(received.at(-1)).toEqual(['accountsChanged', []])

    const sameOne = setup.handle.getEthereumProvider()
    ;(await lastAsk(setup))?.resolve(first)
    expect(await sameOne).toBe(provider)
  })

  it('shows its first request immediately and without a deadline, and loads the state in parallel', async () => {
    const all = recordAnnouncements()
    const setup = makeClient()
    setup.client.preload('now')
    setup.opened[0]?.onEvent({ type: 'more', name: 'provider', data: { name: 'Herons' } })
    await vi.waitFor(() => expect(all).toHaveLength(1))
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const provider = all[0]?.provider as EthereumProvider
    const received = recordEvents(provider)
    const asking = provider.request({ method: 'eth_requestAccounts' })
    const [request, state] = await resolvedCalls(setup.opened[0])
    expect(request).toMatchObject({ name: 'moreForUser', data: { data: { method: 'eth_requestAccounts' } } })
    expect(state).toMatchObject({ name: 'more', data: { call: 'ethereumState', data: {} } })
    await vi.advanceTimersByTimeAsync(60_000)
    request?.resolve({ result: [address] })
    expect(await asking).toEqual([address])
    expect(received).toEqual([['accountsChanged', [address]]])
    vi.useRealTimers()
    // The next request reports the chain of the new dialog.
    const reading = provider.request({ method: 'eth_accounts' })
    ;(await lastAsk(setup))?.resolve(first)
    await vi.waitFor(() => expect(setup.opened[0]?.calls).toHaveLength(4))
    ;(await lastAsk(setup))?.resolve({ result: [address] })
    expect(await reading).toEqual([address])
    expect(received.slice(1)).toEqual([['connect', { chainId: '0x1' }]])
  })

  it('emits accountsChanged for a login, even if it was never called', async () => {
    const all = recordAnnouncements()
    const setup = makeClient()
    setup.client.preload('now')
    setup.opened[0]?.onEvent({ type: 'more', name: 'provider', data: { name: 'Herons' } })
    await vi.waitFor(() => expect(all).toHaveLength(1))
    const received = recordEvents(all[0]?.provider as EthereumProvider)
    setup.opened[0]?.onEvent({ type: 'login', user: userWith(address) } as never)
    expect(received).toEqual([['accountsChanged', [address]]])
  })

  it('has the icon of the app if that is a data URL', async () => {
    const all = recordAnnouncements()
    const icon = 'data:image/png;base64,iVBORw0KGgo='
    await open({ ...first, announced: { name: 'Herons', icon } }, { announce: true })
    expect(all[0]?.info.icon).toBe(icon)
  })

  it('is not announced after its client is destroyed, and the next client of the app reuses it', async () => {
    const all = recordAnnouncements()
    const before = await open({ ...first, announced: { name: 'Herons' } }, { announce: true })
    const received = recordEvents(before.provider)
    await answered(before, 'eth_chainId', [], { result: '0x1' })
    before.client.close(new LatchkeyError('client_destroyed', 'destroyed'))
    ask()
    expect(all).toHaveLength(1)
    expect(received.at(-1)).toEqual(['disconnect', 4900])
    expect(await errorOf(before.provider.request({ method: 'eth_chainId' }))).toMatchObject({ code: 4900 })

    const after = await open({ ...first, announced: { name: 'Herons' } }, { announce: true })
    expect(after.provider).toBe(before.provider)
    expect(all).toHaveLength(2)
    ask()
    expect(all).toHaveLength(3)
    expect(all[2]).toEqual(all[0])
    expect(await answered(after, 'eth_chainId', [], { result: '0x1' })).toBe('0x1')
  })

  it('is not announced after a client that had lost its dialog is destroyed', async () => {
    const all = recordAnnouncements()
    const { client, opened } = await open({ ...first, announced: { name: 'Herons' } }, { announce: true })
    opened[0]?.onLost(new LatchkeyError('frame_unresponsive', 'gone'))
    ask()
    expect(all).toHaveLength(2)
    client.close(new LatchkeyError('client_destroyed', 'destroyed'))
    ask()
    expect(all).toHaveLength(2)
  })

  describe('restored from the last announcement', () => {
    const key = `latchkey:${'a'.repeat(25)}:provider`
    const icon = 'data:image/png;base64,iVBORw0KGgo='
    const storedAs = (text?: string) => {
      const storage = new Map(text === undefined ? [] : [[key, text]])
      vi.stubGlobal('localStorage', {
        getItem: (name: string) => storage.get(name) ?? null,
        setItem: (name: string, value: string) => void storage.set(name, value),
        removeItem: (name: string) => void storage.delete(name),
      })
      return storage
    }
    // The clients of earlier tests are destroyed, so none of their providers is reused.
    beforeEach(() => void makeClient())
    const stored = (name: string) => JSON.stringify({ name, icon })

    it('is announced immediately without loading the dialog, and its requests wait for the dialog', async () => {
      storedAs(stored('Herons'))
      const all = recordAnnouncements()
      const setup = makeClient()
      setup.client.preload('never')
      expect(all).toMatchObject([{ info: { name: 'Herons', icon, rdns: 'app.latchkey' } }])
      expect(all[0]?.info.uuid).toMatch(
        /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
      )
      expect(setup.opened).toEqual([])

      const provider = all[0]?.provider as EthereumProvider
      const received = recordEvents(provider)
      const gone: unknown[] = []
      const never = (event: unknown) => gone.push(event)
      provider.on('connect', never).removeListener('connect', never)
      // Libraries keep the function, as `custom` of viem does.
      const { request } = provider
      const asking = request({ method: 'eth_accounts' })
      await vi.waitFor(() => expect(setup.opened).toHaveLength(1))
      ;(await lastAsk(setup))?.resolve(first)
      await vi.waitFor(() => expect(setup.opened[0]?.calls).toHaveLength(2))
      ;(await lastAsk(setup))?.resolve({ result: [address] })
      expect(await asking).toEqual([address])
      expect(received).toEqual([['connect', { chainId: '0x1' }]])
      expect(gone).toEqual([])

      const handed = setup.handle.getEthereumProvider()
      ;(await lastAsk(setup))?.resolve(first)
      expect(await handed).toBe(provider)
    })

    it('is not announced again by the dialog; its new name applies to the next page', async () => {
      const storage = storedAs(stored('Herons'))
      const all = recordAnnouncements()
      const setup = makeClient()
      setup.client.preload('now')
      setup.opened[0]?.onEvent({ type: 'ready', authenticated: true })
      setup.opened[0]?.onEvent({ type: 'more', name: 'provider', data: { name: 'Egrets', icon } })
      await vi.waitFor(() => expect(storage.get(key)).toBe(stored('Egrets')))
      setup.client.preload('now')
      expect(all).toHaveLength(1)
    })

    it('is stored with only the name and the icon', async () => {
      const storage = storedAs()
      const setup = makeClient()
      setup.client.preload('now')
      setup.opened[0]?.onEvent({ type: 'more', name: 'provider', data: { name: 'Herons' } })
      await vi.waitFor(() => expect([...storage.keys()]).toEqual([key]))
      expect(JSON.parse(String(storage.get(key)))).toEqual({
        name: 'Herons',
        icon: expect.stringMatching(/^data:image\/svg\+xml,%3Csvg/),
      })
    })

    it('is removed if the dialog does not announce it within five seconds', async () => {
      vi.useFakeTimers({ toFake: ['setTimeout'] })
      const storage = storedAs(stored('Herons'))
      const silent = makeClient()
      silent.client.preload('now')
      await resolvedCalls(silent.opened[0])
      vi.advanceTimersByTime(30_000)
      expect(storage.get(key)).toBe(stored('Herons'))
      silent.opened[0]?.onEvent({ type: 'ready', authenticated: false })
      vi.advanceTimersByTime(4_999)
      expect(storage.get(key)).toBe(stored('Herons'))
      vi.advanceTimersByTime(1)
      expect(storage.get(key)).toBeUndefined()

      storage.set(key, stored('Herons'))
      const announcing = makeClient()
      announcing.client.preload('now')
      await resolvedCalls(announcing.opened[0])
      announcing.opened[0]?.onEvent({ type: 'ready', authenticated: false })
      announcing.opened[0]?.onEvent({ type: 'more', name: 'provider', data: { name: 'Egrets', icon } })
      await resolvedCalls(announcing.opened[0])
      expect(storage.get(key)).toBe(stored('Egrets'))
      vi.advanceTimersByTime(5_000)
      expect(storage.get(key)).toBe(stored('Egrets'))
      vi.useRealTimers()
    })

    it.each([
      ['nothing', undefined],
      ['invalid JSON', '{'],
      ['null', 'null'],
      ['no icon', JSON.stringify({ name: 'Herons' })],
      ['an empty name', stored('')],
      ['a name of 65 characters', stored('n'.repeat(65))],
      ['a name that is a number', JSON.stringify({ name: 7, icon })],
      ['an icon on the web', JSON.stringify({ name: 'Herons', icon: 'https://icons.example/1.png' })],
      ['an icon that is a page', JSON.stringify({ name: 'Herons', icon: 'data:text/html,hello' })],
      ['an icon of 65537 characters', JSON.stringify({ name: 'Herons', icon: icon.padEnd(65_537, 'A') })],
    ])('is not announced if the storage contains %s', (_what, text) => {
      storedAs(text)
      const all = recordAnnouncements()
      makeClient().client.preload('never')
      expect(all).toEqual([])
      storedAs(JSON.stringify({ name: 'n'.repeat(64), icon: icon.padEnd(65_536, 'A'), more: 1 }))
      makeClient().client.preload('never')
      expect(all.map(({ info }) => Object.keys(info))).toEqual([['uuid', 'name', 'icon', 'rdns']])
    })

    it('is not announced if the page does not request it or storage is unavailable', async () => {
      storedAs(stored('Herons'))
      const all = recordAnnouncements()
      const unwanted = makeClient()
      await unwanted.handle.setConfig({ embeddedWallets: { announceProvider: false } })
      unwanted.client.preload('never')
      vi.stubGlobal('localStorage', undefined)
      makeClient().client.preload('never')
      expect(all).toEqual([])
    })

    it("is served by the app's next client, including methods that a library has kept", async () => {
      storedAs(stored('Herons'))
      const all = recordAnnouncements()
      const one = makeClient()
      one.client.preload('never')
      const provider = all[0]?.provider as EthereumProvider
      one.client.close(new LatchkeyError('client_destroyed', 'destroyed'))
      ask()
      expect(all).toHaveLength(1)
      const two = makeClient()
      expect(all).toHaveLength(2)
      expect(all[1]).toEqual(all[0])
      const asking = provider.request({ method: 'eth_accounts' })
      await vi.waitFor(() => expect(two.opened).toHaveLength(1))
      ;(await lastAsk(two))?.resolve(first)
      await vi.waitFor(() => expect(two.opened[0]?.calls).toHaveLength(2))
      ;(await lastAsk(two))?.resolve({ result: [address] })
      expect(await asking).toEqual([address])

      const { request } = provider
      two.client.close(new LatchkeyError('client_destroyed', 'destroyed'))
      const three = makeClient()
      const again = request({ method: 'eth_accounts' })
      await vi.waitFor(() => expect(three.opened).toHaveLength(1))
      ;(await lastAsk(three))?.resolve(first)
      await vi.waitFor(() => expect(three.opened[0]?.calls).toHaveLength(2))
      ;(await lastAsk(three))?.resolve({ result: [other] })
      expect(await again).toEqual([other])
    })
  })
})
