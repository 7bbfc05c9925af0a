import { LatchkeyError } from '@latchkey/protocol'
import { describe, expect, test, vi } from 'vitest'
import type { HostCallContext } from '../../host/host-calls.ts'
import { settle } from '../../testing/clock.ts'
import { makeFixture } from '../../testing/fixture.ts'
import { makeAuthAnswer, walletAddress, walletUser } from '../../testing/fixtures.ts'
import { createConnections } from './connections.ts'
import { rememberedUser } from './remembered-user.ts'
import { makeKept, makeRelay, makeTabs, proposalOf, topic, uri } from './testing.ts'

const user = walletUser
const app = {
  dappConnections: true,
  walletConnectCloudProjectId: 'project',
  rpcUrls: { '1': ['https://rpc.example'], '8453': ['https://rpc.example'] },
}
const relayAddress = { walletConnect: 'wss://relay.example' }

type AskedUser = {
  method: string
  context: HostCallContext
  answer: PromiseWithResolvers<unknown>
}

async function start({ isConnected = true, hold = makeTabs(), kept = makeKept() } = {}) {
  const fixture = await makeFixture({ app, addresses: relayAddress, capabilities: [] })
  fixture.session.accept(makeAuthAnswer({ user }))
  const { session, clock } = fixture
  const asked: AskedUser[] = []
  const settings = fixture.settings
  const relay = makeRelay()
  const remembered = rememberedUser({ settings, store: fixture.store })
  const connections = createConnections({
    session,
    clock,
    settings,
    dialogOrigin: 'https://login.app.example',
    remembered,
    openKept: kept.open,
    openClient: () => relay.open,
    hold,
    callByName: async (_name, data, context) => {
      const answer = Promise.withResolvers<unknown>()
      asked.push({ method: (data as { method: string }).method, context, answer })
      context.signal.addEventListener('abort', () => answer.reject(context.signal.reason))
      return (await answer.promise) as never
    },
  })
  const { signal } = new AbortController()
  relay.onPair = () => relay.events?.proposed(proposalOf())
  const propose = () => connections.propose({ uri, topic }, signal)
  async function connect() {
    const proposed = await propose()
    if (proposed.is !== 'offer') throw new Error(proposed.is)
    await proposed.offer.accept()
  }
  if (isConnected) await connect()
  return { ...fixture, relay, kept, remembered, connections, asked, propose, connect }
}

describe('a dapp link', () => {
  test('returns the offer of the dapp, and connects it only after the user accepts', async () => {
    const { propose, relay, connections } = await start({ isConnected: false })
    const proposed = await propose()
    expect(proposed).toMatchObject({
      is: 'offer',
      offer: {
        requester: { name: 'Tide Market', url: 'https://market.tides.example' },
        address: walletAddress,
        chainIds: [1],
      },
    })
    expect(relay.sessions).toEqual([])
    if (proposed.is === 'offer') await proposed.offer.accept()
    expect(await connections.list()).toMatchObject([
      { id: 'session-7', name: 'Tide Market', url: 'https://market.tides.example', lastUsedMs: undefined },
    ])
  })

  test('rejects the proposal with 5000 if the user refuses it', async () => {
    const { propose, relay } = await start({ isConnected: false })
    const proposed = await propose()
    if (proposed.is === 'offer') proposed.offer.refuse()
    expect(relay.rejected).toMatchObject([{ code: 5000 }])
  })

  test.each([
    ['used', 'Pairing already exists: a1a1'],
    ['expired', 'Expired. pair() URI has expired'],
    ['unreachable', 'socket hang up'],
  ])('reports why a link cannot be paired: %s', async (problem, message) => {
    const { propose, relay } = await start({ isConnected: false })
    relay.pairing = () => Promise.reject(new Error(message))
    expect(await propose()).toEqual({ is: 'problem', problem })
  })

  test('times out after 15 seconds if the dapp sends no proposal', async () => {
    const { propose, relay, clock } = await start({ isConnected: false })
    relay.onPair = () => {}
    const proposing = propose()
    await clock.advance(14_999)
    const early = vi.fn()
    proposing.then(early)
    await settle()
    expect(early).not.toHaveBeenCalled()
    await clock.advance(1)
    expect(await proposing).toEqual({ is: 'problem', problem: 'silent' })
  })

  test('times out after 10 seconds if the relay does not respond', async () => {
    const { propose, relay, clock } = await start({ isConnected: false })
    relay.opening = () => new Promise(() => {})
    const proposing = propose()
    await clock.advance(10_000)
    expect(await proposing).toEqual({ is: 'problem', problem: 'unreachable' })
  })

  test('fails at once if the relay refuses this app', async () => {
    const { propose, relay } = await start({ isConnected: false })
    relay.onPair = () => relay.events?.refused('Unauthorized: invalid key')
    expect(await propose()).toEqual({ is: 'problem', problem: 'unreachable' })
  })

  test('rejects a dapp that requires an unsupported chain with 5100, and reports the chain', async () => {
    const { propose, relay } = await start({ isConnected: false })
    const required = { eip155: { chains: ['eip155:10'], methods: [], events: [] } }
    relay.onPair = () => relay.events?.proposed(proposalOf({ required }))
    expect(await propose()).toMatchObject({ is: 'impossible', lack: 'chains', names: ['eip155:10'] })
    expect(relay.rejected).toMatchObject([{ code: 5100 }])
  })

  test('rejects a dapp that claims an origin of this app', async () => {
    const { propose, relay } = await start({ isConnected: false })
    const metadata = { name: 'App', url: 'http://wallet.localhost:4000' }
    relay.onPair = () => relay.events?.proposed(proposalOf({ metadata }))
    expect(await propose()).toEqual({ is: 'problem', problem: 'no-address' })
    expect(relay.rejected).toMatchObject([{ code: 5000 }])
  })

  test('rejects a proposal without a pasted link', async () => {
    const { relay } = await start()
    relay.events?.proposed(proposalOf({ id: 8, pairingTopic: 'c3'.repeat(32) }))
    await settle()
    expect(relay.rejected).toMatchObject([{ code: 5000 }])
    expect(relay.sessions).toHaveLength(1)
  })
})

describe('a dapp request', () => {
  test('shows a request with its dapp and chain, and sends the result', async () => {
    const { relay, asked, connections, clock } = await start()
    relay.ask({ chain: 'eip155:8453' })
    await settle()
    expect(asked).toMatchObject([
      {
        method: 'personal_sign',
        context: {
          relayed: {
            requester: { name: 'Tide Market', url: 'https://market.tides.example' },
            chainId: 8453,
          },
        },
      },
    ])
    asked[0]?.answer.resolve({ result: '0xsigned' })
    await settle()
    expect(relay.answers).toEqual([{ id: 1, answer: { result: '0xsigned' } }])
    expect(await connections.list()).toMatchObject([{ lastUsedMs: clock.nowMs() }])
  })

  test.each([
    ['user_rejected_request', 4001],
    ['must_be_authenticated', 4100],
    ['invalid_message', -32_602],
    ['invalid_data', -32_602],
    ['unsupported_chain_id', 4901],
    ['method_not_found', 4200],
    ['internal_error', -32_603],
  ] as const)('maps the error %s to the code %i', async (code, expected) => {
    const { relay, asked } = await start()
    relay.ask()
    await settle()
    asked[0]?.answer.reject(new LatchkeyError(code, code))
    await settle()
    expect(relay.codes()).toEqual([expected])
  })

  test('responds with the error code of the provider', async () => {
    const { relay, asked } = await start()
    relay.ask()
    await settle()
    asked[0]?.answer.resolve({ refused: { code: 4100, message: 'The page may use no such account' } })
    await settle()
    expect(relay.codes()).toEqual([4100])
  })

  test('shows requests one at a time and in order, and accepts at most ten', async () => {
    const { relay, asked } = await start()
    for (let id = 1; id <= 11; id += 1) relay.ask({ id })
    await settle()
    expect(asked).toHaveLength(1)
    expect(relay.answers).toEqual([{ id: 11, answer: { error: expect.objectContaining({ code: -32_005 }) } }])
    asked[0]?.answer.resolve({ result: 'first' })
    await settle()
    expect(asked).toHaveLength(2)
    asked[1]?.answer.resolve({ result: 'second' })
    await settle()
    expect(relay.answers.slice(1).map(({ id }) => id)).toEqual([1, 2])
  })

  test('rejects a request two seconds before it expires, and shows the next one', async () => {
    const { relay, asked, clock } = await start()
    relay.ask({ id: 1, expiresAtMs: clock.nowMs() + 300_000 })
    relay.ask({ id: 2, expiresAtMs: clock.nowMs() + 300_000 })
    relay.ask({ id: 3 })
    await clock.advance(297_999)
    expect(relay.answers).toEqual([])
    await clock.advance(1)
    expect(relay.answers.map(({ id }) => id)).toEqual([1, 2])
    expect(relay.codes()).toEqual([8000, 8000])
    expect(asked).toHaveLength(2)
  })

  test.each([
    ['eth_sign', undefined, 4200],
    ['personal_sign', 'no list', -32_602],
    ['personal_sign', { 0: 'no list' }, -32_602],
    ['wallet_switchEthereumChain', [{}], -32_602],
    ['wallet_switchEthereumChain', [{ chainId: '0xa' }], 4902],
  ])(
    'rejects %s with the params %j with %i, without showing it to the user',
    async (method, params, code) => {
      const { relay, asked } = await start()
      relay.ask({ method, params })
      await settle()
      expect(asked).toEqual([])
      expect(relay.codes()).toEqual([code])
    },
  )

  test('rejects a request on a chain that the app does not support with 4901', async () => {
    const { relay, asked } = await start()
    relay.ask({ chain: 'eip155:10' })
    await settle()
    expect(asked).toEqual([])
    expect(relay.codes()).toEqual([4901])
  })

  test.each(['solana:8453', 'eip155:08453', 'eip155:8453:1', 'eip155:'])(
    'rejects a request on the invalid Ethereum chain %s with 4901',
    async (chain) => {
      const { relay, asked } = await start()
      relay.ask({ id: 1, chain })
      relay.ask({ id: 2, method: 'eth_chainId', params: undefined, chain })
      await settle()
      expect(asked).toEqual([])
      expect(relay.codes()).toEqual([4901, 4901])
    },
  )

  test('responds to account and chain requests even while the user reviews another request', async () => {
    const { relay } = await start()
    relay.ask({ id: 1 })
    relay.ask({ id: 2, method: 'eth_accounts', params: [] })
    relay.ask({ id: 3, method: 'eth_chainId', params: undefined, chain: 'eip155:8453' })
    relay.ask({ id: 4, method: 'wallet_switchEthereumChain', params: [{ chainId: '0x2105' }] })
    await settle()
    expect(relay.codes()).toEqual([[walletAddress], '0x2105', null])
    expect(relay.moved).toEqual([8453])
  })

  test('aborts the requests of a session that has ended, without a response', async () => {
    const { relay, asked, connections } = await start()
    relay.ask({ id: 1 })
    relay.ask({ id: 2 })
    await settle()
    relay.sessions = []
    relay.events?.ended('session-7')
    await settle()
    expect(asked[0]?.context.signal.aborted).toBe(true)
    expect(asked).toHaveLength(1)
    expect(relay.answers).toEqual([])
    expect(await connections.list()).toEqual([])
    relay.ask({ id: 3 })
    await settle()
    expect(asked).toHaveLength(1)
  })
})

describe('a connected dapp', () => {
  test('disconnects a dapp even if the relay does not respond', async () => {
    const { relay, connections, remembered, clock } = await start()
    relay.saying = () => new Promise(() => {})
    const ending = connections.end('session-7')
    await clock.advance(3_000)
    await ending
    expect(await connections.list()).toEqual([])
    expect(remembered.read()).toBeUndefined()
  })

  test('restores connected dapps after a reload, except those with an ended session', async () => {
    const kept = makeKept()
    const first = await start({ kept })
    expect(first.remembered.read()).toBe(user.id)
    const dapps = await first.connections.list()
    const second = await start({ kept, isConnected: false })
    second.remembered.write(user.id)
    kept.lists.set(user.id, [...dapps, { ...dapps[0], id: 'gone', name: 'Gone' } as (typeof dapps)[number]])
    expect(await second.connections.list()).toHaveLength(2)
    expect(second.relay.opened).toBe(0)
    second.relay.sessions = [{ topic: 'session-7', metadata: { name: '', url: '' }, chains: ['eip155:1'] }]
    second.connections.resume()
    await settle()
    expect(second.relay.opened).toBe(1)
    expect(await second.connections.list()).toMatchObject([{ id: 'session-7' }])
    second.relay.ask()
    await settle()
    expect(second.asked).toHaveLength(1)
  })

  test('ends a session without a list entry', async () => {
    const fixture = await start({ isConnected: false })
    fixture.remembered.write(user.id)
    fixture.relay.sessions = [{ topic: 'session-9', metadata: { name: '', url: '' }, chains: ['eip155:1'] }]
    fixture.connections.resume()
    await settle()
    expect(fixture.relay.sessions).toEqual([])
  })

  test('receives requests only in the tab that the user used last', async () => {
    const [hold, kept] = [makeTabs(), makeKept()]
    const first = await start({ hold, kept })
    first.relay.ask({ id: 1 })
    await settle()
    const second = await start({ hold, kept, isConnected: false })
    second.remembered.write(user.id)
    second.connections.resume()
    await settle()
    expect(second.relay.opened).toBe(0)
    second.relay.sessions = first.relay.sessions
    await second.connections.end('session-7')
    expect(second.relay.opened).toBe(1)
    expect(first.relay.closed).toBe(1)
    // The first tab aborts its open request without a response.
    expect(first.asked[0]?.context.signal.aborted).toBe(true)
    expect(first.relay.answers).toEqual([])
  })

  test('disconnects all dapps and deletes their data after a logout', async () => {
    const { relay, connections, remembered, kept } = await start()
    await connections.forget(user.id)
    expect(relay.sessions).toEqual([])
    expect(relay.closed).toBe(1)
    expect(kept.forgotten).toEqual([user.id])
    expect(remembered.read()).toBeUndefined()
  })

  test('opens no relay connection for a user without dapps', async () => {
    const { relay, connections } = await start({ isConnected: false })
    connections.resume()
    await settle()
    expect(await connections.list()).toEqual([])
    expect(relay.opened).toBe(0)
  })

  test('retries an unreachable relay after 30 seconds', async () => {
    const { relay, connections, remembered, clock } = await start({ isConnected: false })
    remembered.write(user.id)
    relay.opening = () => Promise.reject(new Error('No connection'))
    connections.resume()
    await settle()
    relay.opening = async () => {}
    await clock.advance(29_999)
    expect(relay.opened).toBe(0)
    await clock.advance(1)
    expect(relay.opened).toBe(1)
  })
})
