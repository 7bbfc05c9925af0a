import { LatchkeyError } from '@latchkey/protocol'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, test, vi } from 'vitest'
import { asksOf, makeClient } from '../../testing/client.ts'
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
  const made = makeClient()
  const provider = made.handle.getEthereumProvider(options)
  const [asked] = await asksOf(made.opened[0])
  expect(asked).toMatchObject({
    name: 'more',
    data: { call: 'ethereumState', data: { announce: options?.announce ?? false } },
  })
  asked?.resolve(state)
  return { ...made, provider: await provider }
}
type Opened = Awaited<ReturnType<typeof open>>

/** What was asked last, once it has been. */
const lastAsk = async ({ opened }: Pick<Opened, 'opened'>) => (await asksOf(opened.at(-1))).at(-1)

async function answered(made: Opened, method: string, params: unknown, answer: unknown) {
  const result = made.provider.request({ method, params })
  result.catch(() => {})
  const asked = await lastAsk(made)
  asked?.resolve(answer)
  return result
}
const errorOf = (promise: Promise<unknown>) =>
  promise.then(
    () => expect.unreachable(),
    (error: unknown) => error as Error & { code: number; data?: unknown },
  )
function toldBy(provider: EthereumProvider) {
  const told: unknown[] = []
  for (const name of ['connect', 'disconnect', 'chainChanged', 'accountsChanged'] as const) {
    provider.on(name, (event) => told.push([name, event instanceof Error ? event.code : event]))
  }
  return told
}

describe('the provider', () => {
  it('is one for all callers of an app', async () => {
    const made = await open()
    const again = made.makeHandle().getEthereumProvider()
    ;(await lastAsk(made))?.resolve(first)
    expect(await again).toBe(made.provider)
  })

  it.each([
    [true, [false, false, false, false, true]],
    [false, [true, true, true, true, true]],
  ])('covers the page only for what shows a card; no prompts: %s', async (none, shows) => {
    const made = await open()
    await made.handle.setConfig({ embeddedWallets: { noPromptOnSignature: none } })
    const before = made.opened[0]?.asked.length ?? 0
    const requests = [
      ['personal_sign', ['0x6869', address]],
      ['eth_signTypedData_v4', [address, '{}']],
      ['eth_signTransaction', [{ from: address, to: other }]],
      ['eth_sendTransaction', [{ from: address, to: other }]],
      ['eth_requestAccounts', []],
    ] as const
    for (const [method, params] of requests) made.provider.request({ method, params }).catch(() => {})
    const asked = (await asksOf(made.opened[0])).slice(before)
    expect(asked.map(({ name }) => name)).toEqual(requests.map(() => 'moreForUser'))
    expect(asked.map((one) => one.shows)).toEqual(shows)
    made.client.close(new LatchkeyError('client_destroyed', 'over'))
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
  ])('asks %s of the dialog, as JSON says it', async (method, params, name, call, sent) => {
    const made = await open()
    const result = answered(made, method, params, { result: 'done' })
    expect(await lastAsk(made)).toMatchObject({ name, data: { call, data: { method, params: sent } } })
    expect(await result).toBe('done')
  })

  it.each([
    [undefined, -32_600],
    [{}, -32_600],
    [{ method: 7 }, -32_600],
    [{ method: 'eth_getBalance', params: { address } }, -32_602],
    [{ method: 'eth_sign', params: [address, '0x00'] }, 4200],
    // As EIP-747 has it, and libraries send it: by name.
    [{ method: 'wallet_watchAsset', params: { type: 'ERC20', options: { address } } }, 4200],
    [{ method: 'wallet_requestPermissions' }, -32_601],
    [{ method: 'eth_subscribe' }, -32_601],
    [{ method: 'constructor' }, -32_601],
    [{ method: '__proto__' }, -32_601],
  ])('refuses %j without asking anybody', async (asked, code) => {
    const { provider, opened } = await open()
    const error = await errorOf(provider.request(asked as never))
    expect(error).toMatchObject({ name: 'ProviderRpcError', code, message: expect.any(String) })
    expect(opened[0]?.asked).toHaveLength(1)
  })

  it('writes amounts in hex also where the page has taught JSON to write them', async () => {
    const made = await open()
    Object.defineProperty(BigInt.prototype, 'toJSON', { value: () => 'mine', configurable: true })
    try {
      answered(made, 'eth_sendTransaction', [{ to: address, value: 10n }], { result: 'done' })
      expect(await lastAsk(made)).toMatchObject({
        data: { data: { params: [{ to: address, value: '0xa' }] } },
      })
    } finally {
      Reflect.deleteProperty(BigInt.prototype, 'toJSON')
    }
  })

  it('opens the page of a confirmation in the click, tells the dialog its name, and closes it at the end', async () => {
    const confirmPage = { address: 'https://wallet.example/confirm', typedDataOnCard: [], testNetworks: [] }
    const windows: { isOpen: boolean }[] = []
    vi.stubGlobal('navigator', { userActivation: { isActive: true } })
    vi.stubGlobal('open', () => {
      const window = { isOpen: true, close: () => Object.assign(window, { isOpen: false }) }
      windows.push(window)
      return window
    })
    const made = await open({ ...first, confirmPage })
    const data = { primaryType: 'Permit', types: {}, domain: {}, message: {} }
    const request = { method: 'eth_signTypedData_v4', params: [address, data] }
    const signing = made.provider.request(request)
    // Before anything is waited for; and for one request at a time.
    expect(windows).toHaveLength(1)
    const asked = await lastAsk(made)
    const another = made.provider.request(request)
    expect(windows).toHaveLength(1)
    expect(asked?.data).toMatchObject({ window: expect.stringMatching(/^[\w-]{43}$/) })
    const unopened = await lastAsk(made)
    expect(unopened?.data).not.toHaveProperty('window')
    asked?.resolve({ result: '0xsigned' })
    expect(await signing).toBe('0xsigned')
    expect(windows[0]?.isOpen).toBe(false)
    unopened?.reject(new LatchkeyError('user_rejected_request', 'The user rejected the request'))
    await errorOf(another)
    const refused = made.provider.request(request)
    expect(windows).toHaveLength(2)
    const last = await lastAsk(made)
    last?.reject(new LatchkeyError('user_rejected_request', 'The user rejected the request'))
    expect(await errorOf(refused)).toMatchObject({ code: 4001 })
    expect(windows[1]?.isOpen).toBe(false)
  })

  it('opens nothing for a page that has no account, or of whose dialog no page is known', async () => {
    const opened = vi.fn()
    vi.stubGlobal('navigator', { userActivation: { isActive: true } })
    vi.stubGlobal('open', opened)
    const confirmPage = { address: 'https://wallet.example/confirm', typedDataOnCard: [], testNetworks: [] }
    const request = {
      method: 'eth_signTypedData_v4',
      params: [address, { primaryType: 'Permit', types: {} }],
    }
    for (const state of [first, { ...first, accounts: [], confirmPage }]) {
      const made = await open(state)
      const signing = made.provider.request(request)
      ;(await lastAsk(made))?.resolve({ result: '0xsigned' })
      await signing
    }
    expect(opened).not.toHaveBeenCalled()
  })

  it('refuses what JSON can not say', async () => {
    const { provider } = await open()
    const round: unknown[] = []
    round.push(round)
    expect(await errorOf(provider.request({ method: 'eth_call', params: round }))).toMatchObject({
      code: -32_602,
    })
  })

  test('whatever it is asked, it answers with a code', async () => {
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
    const made = await open()
    const result = made.provider.request({ method: 'personal_sign', params: ['0x68', address] })
    const cause = new LatchkeyError(ours, 'said')
    const asked = await lastAsk(made)
    asked?.reject(cause)
    expect(await errorOf(result)).toMatchObject({ code, message, cause })
  })

  it('tells a verification that the user closed as what they rejected, and a wrong one as a failure', async () => {
    for (const [message, code] of [
      ['MFA canceled', 4001],
      ['Invalid code', -32_603],
    ] as const) {
      const made = await open()
      const result = made.provider.request({ method: 'personal_sign', params: ['0x68', address] })
      const asked = await lastAsk(made)
      asked?.reject(new LatchkeyError('missing_or_invalid_mfa', message))
      expect(await errorOf(result)).toMatchObject({ code })
    }
  })

  it('hands on what a chain refuses, with its data', async () => {
    const refused = { code: 3, message: 'execution reverted', data: '0x08c379a0' }
    const error = await errorOf(answered(await open(), 'eth_call', [{}], { refused }))
    expect(error).toMatchObject(refused)
  })

  it('keeps filters itself, and reads the chain for them', async () => {
    const made = await open()
    const result = made.provider.request({ method: 'eth_newFilter', params: [{ address }] })
    const asked = await lastAsk(made)
    expect(asked).toMatchObject({ name: 'read', data: { data: { method: 'eth_blockNumber', params: [] } } })
    asked?.resolve({ result: '0x64' })
    const chain = await lastAsk(made)
    expect(chain).toMatchObject({ data: { data: { method: 'eth_chainId' } } })
    chain?.resolve({ result: '0x1' })
    expect(await result).toBe('0x1')
  })

  it('takes no answer that is none', async () => {
    expect(await errorOf(answered(await open(), 'eth_call', [{}], { refused: 'yes' }))).toMatchObject({
      code: -32_603,
    })
  })

  it('waits for a chain as long as its method says, and for a person without an end', async () => {
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

  it('is refused by whoever closes the empty card, before the dialog has come', async () => {
    const made = await open()
    const signing = errorOf(made.provider.request({ method: 'personal_sign', params: ['0x68', address] }))
    const reading = made.provider.request({ method: 'eth_chainId' })
    const asks = await asksOf(made.opened[0])
    made.opened[0]?.onRefused()
    expect((await signing).code).toBe(4001)
    expect(asks.at(1)?.signal?.aborted).toBe(true)
    asks.at(2)?.resolve({ result: '0x1' })
    expect(await reading).toBe('0x1')
  })
})

describe('its events', () => {
  it('are told where something changed, and once', async () => {
    const made = await open()
    const told = toldBy(made.provider)
    const { client } = made
    const happen = (name: string, detail: object) =>
      client.events.dispatchEvent(new CustomEvent(name, { detail }))
    await answered(made, 'eth_accounts', [], { result: [address] })
    await answered(made, 'wallet_switchEthereumChain', [{ chainId: '0xa' }], { result: null })
    happen('chainChanged', { chainId: 10 })
    happen('user', { user: userWith(address) })
    happen('user', { user: null })
    happen('login', { user: userWith(other) })
    happen('user', { user: userWith(other) })
    expect(told).toEqual([
      ['connect', { chainId: '0x1' }],
      ['chainChanged', '0xa'],
      ['accountsChanged', []],
      ['accountsChanged', [other]],
    ])
  })

  it('are told of what has changed until somebody asks for the provider again', async () => {
    const made = await open()
    const told = toldBy(made.provider)
    const again = made.makeHandle().getEthereumProvider()
    ;(await lastAsk(made))?.resolve({ chainId: 10, accounts: [other] })
    expect(await again).toBe(made.provider)
    expect(told).toEqual([
      ['chainChanged', '0xa'],
      ['accountsChanged', [other]],
    ])
  })

  it('say of no dialog that it was lost before it was there', async () => {
    const made = await open()
    const told = toldBy(made.provider)
    const lost = { detail: { error: new LatchkeyError('frame_unresponsive', 'gone') } }
    made.client.events.dispatchEvent(new CustomEvent('error', lost))
    expect(told).toEqual([])
  })

  it('come from the dialog too, as when another script of the page moved the wallet', async () => {
    const made = await open()
    const told = toldBy(made.provider)
    made.opened[0]?.onEvent({ type: 'more', name: 'chainChanged', data: { chainId: 10 } })
    await vi.waitFor(() => expect(told).toEqual([['chainChanged', '0xa']]), { timeout: 20_000 })
  })

  it('say that the dialog was lost and is there again, on whichever chain', async () => {
    const made = await open()
    const told = toldBy(made.provider)
    await answered(made, 'eth_chainId', [], { result: '0x1' })
    made.client.events.dispatchEvent(
      new CustomEvent('error', { detail: { error: new LatchkeyError('frame_unresponsive', 'gone') } }),
    )
    const again = made.provider.request({ method: 'eth_chainId' })
    const state = await lastAsk(made)
    expect(state?.data).toEqual({ call: 'ethereumState', data: {} })
    state?.resolve({ chainId: 10, accounts: [] })
    await vi.waitFor(
      async () => expect((await lastAsk(made))?.data).toMatchObject({ call: 'ethereumRequest' }),
      { timeout: 20_000 },
    )
    ;(await lastAsk(made))?.resolve({ result: '0xa' })
    expect(await again).toBe('0xa')
    expect(told).toEqual([
      ['connect', { chainId: '0x1' }],
      ['disconnect', 4900],
      ['chainChanged', '0xa'],
      ['accountsChanged', []],
      ['connect', { chainId: '0xa' }],
    ])
  })

  it('say that the dialog is there again, also by what waits for a person', async () => {
    const made = await open()
    await answered(made, 'eth_chainId', [], { result: '0x1' })
    const told = toldBy(made.provider)
    made.client.events.dispatchEvent(
      new CustomEvent('error', { detail: { error: new LatchkeyError('frame_unresponsive', 'gone') } }),
    )
    const signing = made.provider.request({ method: 'personal_sign', params: ['0x68', address] })
    const [request, state] = (await asksOf(made.opened[0])).slice(-2)
    state?.resolve({ chainId: 10, accounts: [address] })
    request?.resolve({ result: '0x01' })
    expect(await signing).toBe('0x01')
    expect(told).toEqual([
      ['disconnect', 4900],
      ['chainChanged', '0xa'],
      ['connect', { chainId: '0xa' }],
    ])
  })

  it('are heard by those who listen, until they no longer do', async () => {
    const reported = vi.fn()
    vi.stubGlobal('reportError', reported)
    const made = await open()
    const [broken, one, two] = [() => Promise.reject(), vi.fn(), vi.fn()]
    const failure = new Error('mine')
    made.provider
      .on('chainChanged', () => {
        throw failure
      })
      .on('chainChanged', one)
      .on('chainChanged', two)
      .removeListener('chainChanged', one)
      .removeListener('chainChanged', broken)
    await answered(made, 'eth_chainId', [], { result: '0xa' })
    expect(one).not.toHaveBeenCalled()
    expect(two).toHaveBeenCalledExactlyOnceWith('0xa')
    expect(reported).toHaveBeenCalledExactlyOnceWith(failure)
  })
})

it('a listener that was added twice is taken away once, the later one first', async () => {
  const made = await open()
  const heard: string[] = []
  const [one, two] = [() => heard.push('one'), () => heard.push('two')]
  made.provider.on('chainChanged', one).on('chainChanged', two).on('chainChanged', one)
  made.provider.removeListener('chainChanged', one)
  await answered(made, 'eth_chainId', [], { result: '0xa' })
  expect(heard).toEqual(['one', 'two'])
})

it('has what libraries of other times look for: off, once, enable, and room for marks of theirs', async () => {
  const made = await open()
  const [once, off] = [vi.fn(), vi.fn()]
  made.provider.once('chainChanged', once).on('chainChanged', off).off('chainChanged', off)
  await answered(made, 'eth_chainId', [], { result: '0xa' })
  await answered(made, 'eth_chainId', [], { result: '0xb' })
  expect(once).toHaveBeenCalledExactlyOnceWith('0xa')
  expect(off).not.toHaveBeenCalled()
  Object.assign(made.provider, { isMine: true })
  expect(made.provider).toMatchObject({ isMine: true })
  const enabled = made.provider.enable()
  const asked = await lastAsk(made)
  expect(asked).toMatchObject({ data: { data: { method: 'eth_requestAccounts', params: [] } } })
  asked?.resolve({ result: [address] })
  expect(await enabled).toEqual([address])
})

describe('announcing it', () => {
  const heard = () => {
    const all: { info: Record<string, string>; provider: unknown }[] = []
    page.addEventListener('eip6963:announceProvider', (event) => all.push(Reflect.get(event, 'detail')))
    return all
  }
  const ask = () => page.dispatchEvent(new Event('eip6963:requestProvider'))

  it('is not done where the page does not ask for it', async () => {
    const all = heard()
    await open()
    ask()
    expect(all).toEqual([])
  })

  it('says it at once and whenever a page asks, as one and the same, under the name of the app', async () => {
    const all = heard()
    const made = await open({ ...first, announced: { name: 'Herons' } }, { announce: true })
    ask()
    const again = made.handle.getEthereumProvider({ announce: true })
    ;(await lastAsk(made))?.resolve({ ...first, announced: { name: 'Herons' } })
    await again
    expect(all).toHaveLength(2)
    const [one, two] = all
    expect(one?.provider).toBe(made.provider)
    expect(one).toEqual(two)
    expect(Object.isFrozen(one) && Object.isFrozen(one?.info)).toBe(true)
    expect(one?.info).toEqual({
      name: 'Herons',
      rdns: 'app.latchkey',
      uuid: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
      icon: expect.stringMatching(/^data:image\/svg\+xml,%3Csvg/),
    })
  })

  it('is done once more than asked: by itself, as the dialog tells it, and asks nothing before it is asked', async () => {
    const all = heard()
    const made = makeClient()
    made.client.preload('now')
    made.opened[0]?.onEvent({ type: 'more', name: 'provider', data: { name: 'Herons' } })
    await vi.waitFor(() => expect(all).toHaveLength(1))
    made.opened[0]?.onEvent({ type: 'more', name: 'provider', data: { name: 'Herons' } })
    ask()
    await vi.waitFor(() => expect(all).toHaveLength(2))
    expect(all[0]).toEqual(all[1])
    expect(all[0]?.info).toMatchObject({ name: 'Herons', rdns: 'app.latchkey' })
    expect(made.opened[0]?.asked).toEqual([])

    const provider = all[0]?.provider as EthereumProvider
    const told = toldBy(provider)
    const asking = provider.request({ method: 'eth_accounts' })
    const state = await lastAsk(made)
    expect(state?.data).toEqual({ call: 'ethereumState', data: {} })
    state?.resolve(first)
    await vi.waitFor(() => expect(made.opened[0]?.asked).toHaveLength(2))
    ;(await lastAsk(made))?.resolve({ result: [address] })
    expect(await asking).toEqual([address])
    expect(told).toEqual([['connect', { chainId: '0x1' }]])
    made.opened[0]?.onEvent({ type: 'logout' })
    made.opened[0]?.onEvent({ type: 'user', user: null })
    expect(told.at(-1)).toEqual(['accountsChanged', []])

    const sameOne = made.handle.getEthereumProvider()
    ;(await lastAsk(made))?.resolve(first)
    expect(await sameOne).toBe(provider)
  })

  it('shows at once what its first request waits for, without a deadline, and catches up beside it', async () => {
    const all = heard()
    const made = makeClient()
    made.client.preload('now')
    made.opened[0]?.onEvent({ type: 'more', name: 'provider', data: { name: 'Herons' } })
    await vi.waitFor(() => expect(all).toHaveLength(1))
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const provider = all[0]?.provider as EthereumProvider
    const told = toldBy(provider)
    const asking = provider.request({ method: 'eth_requestAccounts' })
    const [request, state] = await asksOf(made.opened[0])
    expect(request).toMatchObject({ name: 'moreForUser', data: { data: { method: 'eth_requestAccounts' } } })
    expect(state).toMatchObject({ name: 'more', data: { call: 'ethereumState', data: {} } })
    await vi.advanceTimersByTimeAsync(60_000)
    request?.resolve({ result: [address] })
    expect(await asking).toEqual([address])
    expect(told).toEqual([['accountsChanged', [address]]])
    vi.useRealTimers()
    // The next one tells of the chain that it is on.
    const reading = provider.request({ method: 'eth_accounts' })
    ;(await lastAsk(made))?.resolve(first)
    await vi.waitFor(() => expect(made.opened[0]?.asked).toHaveLength(4))
    ;(await lastAsk(made))?.resolve({ result: [address] })
    expect(await reading).toEqual([address])
    expect(told.slice(1)).toEqual([['connect', { chainId: '0x1' }]])
  })

  it('tells of a login to whoever found it among the wallets and never asked', async () => {
    const all = heard()
    const made = makeClient()
    made.client.preload('now')
    made.opened[0]?.onEvent({ type: 'more', name: 'provider', data: { name: 'Herons' } })
    await vi.waitFor(() => expect(all).toHaveLength(1))
    const told = toldBy(all[0]?.provider as EthereumProvider)
    made.opened[0]?.onEvent({ type: 'login', user: userWith(address) } as never)
    expect(told).toEqual([['accountsChanged', [address]]])
  })

  it('has the icon of the app, where that is in its own address', async () => {
    const all = heard()
    const icon = 'data:image/png;base64,iVBORw0KGgo='
    await open({ ...first, announced: { name: 'Herons', icon } }, { announce: true })
    expect(all[0]?.info.icon).toBe(icon)
  })

  it('ends with its client, and the next client of the app is asked by the same one', async () => {
    const all = heard()
    const before = await open({ ...first, announced: { name: 'Herons' } }, { announce: true })
    const told = toldBy(before.provider)
    await answered(before, 'eth_chainId', [], { result: '0x1' })
    before.client.close(new LatchkeyError('client_destroyed', 'destroyed'))
    ask()
    expect(all).toHaveLength(1)
    expect(told.at(-1)).toEqual(['disconnect', 4900])
    expect(await errorOf(before.provider.request({ method: 'eth_chainId' }))).toMatchObject({ code: 4900 })

    const after = await open({ ...first, announced: { name: 'Herons' } }, { announce: true })
    expect(after.provider).toBe(before.provider)
    expect(all).toHaveLength(2)
    ask()
    expect(all).toHaveLength(3)
    expect(all[2]).toEqual(all[0])
    expect(await answered(after, 'eth_chainId', [], { result: '0x1' })).toBe('0x1')
  })

  it('ends also with a client that had lost its dialog before', async () => {
    const all = heard()
    const { client, opened } = await open({ ...first, announced: { name: 'Herons' } }, { announce: true })
    opened[0]?.onLost(new LatchkeyError('frame_unresponsive', 'gone'))
    ask()
    expect(all).toHaveLength(2)
    client.close(new LatchkeyError('client_destroyed', 'destroyed'))
    ask()
    expect(all).toHaveLength(2)
  })

  describe('of what was announced on the page before', () => {
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
    // The clients of the tests before are gone: none of theirs is taken over.
    beforeEach(() => void makeClient())
    const stored = (name: string) => JSON.stringify({ name, icon })

    it('comes at once, loads no dialog, and waits for one with whatever it is asked', async () => {
      storedAs(stored('Herons'))
      const all = heard()
      const made = makeClient()
      made.client.preload('never')
      expect(all).toMatchObject([{ info: { name: 'Herons', icon, rdns: 'app.latchkey' } }])
      expect(all[0]?.info.uuid).toMatch(
        /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
      )
      expect(made.opened).toEqual([])

      const provider = all[0]?.provider as EthereumProvider
      const told = toldBy(provider)
      const gone: unknown[] = []
      const never = (event: unknown) => gone.push(event)
      provider.on('connect', never).removeListener('connect', never)
      // Libraries keep the function, as `custom` of viem.
      const { request } = provider
      const asking = request({ method: 'eth_accounts' })
      await vi.waitFor(() => expect(made.opened).toHaveLength(1))
      ;(await lastAsk(made))?.resolve(first)
      await vi.waitFor(() => expect(made.opened[0]?.asked).toHaveLength(2))
      ;(await lastAsk(made))?.resolve({ result: [address] })
      expect(await asking).toEqual([address])
      expect(told).toEqual([['connect', { chainId: '0x1' }]])
      expect(gone).toEqual([])

      const handed = made.handle.getEthereumProvider()
      ;(await lastAsk(made))?.resolve(first)
      expect(await handed).toBe(provider)
    })

    it('is not announced again by the dialog, whose name for it counts on the next page', async () => {
      const storage = storedAs(stored('Herons'))
      const all = heard()
      const made = makeClient()
      made.client.preload('now')
      made.opened[0]?.onEvent({ type: 'ready', authenticated: true })
      made.opened[0]?.onEvent({ type: 'more', name: 'provider', data: { name: 'Egrets', icon } })
      await vi.waitFor(() => expect(storage.get(key)).toBe(stored('Egrets')))
      made.client.preload('now')
      expect(all).toHaveLength(1)
    })

    it('is kept with the name and the icon alone', async () => {
      const storage = storedAs()
      const made = makeClient()
      made.client.preload('now')
      made.opened[0]?.onEvent({ type: 'more', name: 'provider', data: { name: 'Herons' } })
      await vi.waitFor(() => expect([...storage.keys()]).toEqual([key]))
      expect(JSON.parse(String(storage.get(key)))).toEqual({
        name: 'Herons',
        icon: expect.stringMatching(/^data:image\/svg\+xml,%3Csvg/),
      })
    })

    it('is forgotten where a dialog comes and does not announce it in five seconds', async () => {
      vi.useFakeTimers({ toFake: ['setTimeout'] })
      const storage = storedAs(stored('Herons'))
      const silent = makeClient()
      silent.client.preload('now')
      await asksOf(silent.opened[0])
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
      await asksOf(announcing.opened[0])
      announcing.opened[0]?.onEvent({ type: 'ready', authenticated: false })
      announcing.opened[0]?.onEvent({ type: 'more', name: 'provider', data: { name: 'Egrets', icon } })
      await asksOf(announcing.opened[0])
      expect(storage.get(key)).toBe(stored('Egrets'))
      vi.advanceTimersByTime(5_000)
      expect(storage.get(key)).toBe(stored('Egrets'))
      vi.useRealTimers()
    })

    it.each([
      ['nothing', undefined],
      ['what is no JSON', '{'],
      ['null', 'null'],
      ['no icon', JSON.stringify({ name: 'Herons' })],
      ['an empty name', stored('')],
      ['a name of 65 characters', stored('n'.repeat(65))],
      ['a name that is a number', JSON.stringify({ name: 7, icon })],
      ['an icon on the web', JSON.stringify({ name: 'Herons', icon: 'https://icons.example/1.png' })],
      ['an icon that is a page', JSON.stringify({ name: 'Herons', icon: 'data:text/html,hello' })],
      ['an icon of 65537 characters', JSON.stringify({ name: 'Herons', icon: icon.padEnd(65_537, 'A') })],
    ])('is none where the storage holds %s', (_what, text) => {
      storedAs(text)
      const all = heard()
      makeClient().client.preload('never')
      expect(all).toEqual([])
      storedAs(JSON.stringify({ name: 'n'.repeat(64), icon: icon.padEnd(65_536, 'A'), more: 1 }))
      makeClient().client.preload('never')
      expect(all.map(({ info }) => Object.keys(info))).toEqual([['uuid', 'name', 'icon', 'rdns']])
    })

    it('is not announced where the page does not want it, or may use no storage', async () => {
      storedAs(stored('Herons'))
      const all = heard()
      const unwanted = makeClient()
      await unwanted.handle.setConfig({ embeddedWallets: { announceProvider: false } })
      unwanted.client.preload('never')
      vi.stubGlobal('localStorage', undefined)
      makeClient().client.preload('never')
      expect(all).toEqual([])
    })

    it('is served by the next client of the app, whatever a library took from it', async () => {
      storedAs(stored('Herons'))
      const all = heard()
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
      await vi.waitFor(() => expect(two.opened[0]?.asked).toHaveLength(2))
      ;(await lastAsk(two))?.resolve({ result: [address] })
      expect(await asking).toEqual([address])

      const { request } = provider
      two.client.close(new LatchkeyError('client_destroyed', 'destroyed'))
      const three = makeClient()
      const again = request({ method: 'eth_accounts' })
      await vi.waitFor(() => expect(three.opened).toHaveLength(1))
      ;(await lastAsk(three))?.resolve(first)
      await vi.waitFor(() => expect(three.opened[0]?.asked).toHaveLength(2))
      ;(await lastAsk(three))?.resolve({ result: [other] })
      expect(await again).toEqual([other])
    })
  })
})
