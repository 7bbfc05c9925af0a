import { LatchkeyError } from '@latchkey/protocol'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { makeClient } from '../testing/client.ts'
import type { User } from '../types/published.ts'
import { stateOf } from './state.ts'

const times = { verifiedAt: 1, firstVerifiedAt: 1, latestVerifiedAt: 1 }
const embedded = {
  type: 'wallet',
  address: '0x71C7656EC7ab88b098defB751B7401B5f6d8976F',
  chainType: 'ethereum',
  walletClientType: 'latchkey',
  connectorType: 'embedded',
  ...times,
} as const
const user: User = {
  id: 'u1',
  createdAt: 1,
  displayName: 'u1',
  linkedAccounts: [],
  mfaMethods: [],
  hasAcceptedTerms: false,
}
const withWallet: User = { ...user, linkedAccounts: [embedded] }
const lost = new LatchkeyError('frame_unresponsive', 'gone')

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const page = Object.assign(new EventTarget(), { prerendering: false, readyState: 'complete' })
  vi.stubGlobal('document', page)
  const window = new EventTarget()
  for (const name of ['addEventListener', 'removeEventListener', 'dispatchEvent'] as const) {
    vi.stubGlobal(name, window[name].bind(window))
  }
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const settle = () => new Promise((resolve) => setImmediate(resolve))

function watchState(known?: User | null) {
  const setup = makeClient()
  const store = stateOf(setup.handle)
  let changes = 0
  store.subscribe(() => {
    changes += 1
  })
  const opened = (at = 0) => setup.opened[at] ?? expect.unreachable()
  const answer = async (user: User | null, at = 0) => {
    opened(at)
      .calls.findLast(({ name }) => name === 'user')
      ?.resolve({ user })
    await settle()
  }
  const start = async () => {
    if (known !== undefined) await answer(known)
    changes = 0
  }
  return { ...setup, store, opened, answer, start, changes: () => changes, state: store.getSnapshot }
}

describe('the state of a handle', () => {
  it('is loading until the session is known, and then ready together with the wallets', async () => {
    const { state, answer, store } = watchState()
    expect(state()).toEqual({
      status: 'loading',
      error: null,
      user: null,
      wallets: [],
      solanaWallets: [],
      isOpen: false,
      chain: null,
    })
    const seen: [string, number][] = []
    store.subscribe(() => seen.push([state().status, state().wallets.length]))
    await answer(withWallet)
    expect(seen[0]).toEqual(['ready', 1])
    expect(state().wallets[0]).toMatchObject({
      address: embedded.address,
      kind: 'embedded',
      chainType: 'ethereum',
      chainId: null,
      walletClientType: 'latchkey',
      connectorType: 'embedded',
      meta: { id: 'latchkey', name: 'Latchkey' },
      linked: true,
      imported: false,
    })
  })

  it('requests nothing before the first subscription', () => {
    const { handle, opened } = makeClient()
    expect(stateOf(handle)).toBe(stateOf(handle))
    stateOf(handle).getSnapshot()
    expect(opened).toHaveLength(0)
  })

  it('stays the same frozen object while nothing changes', async () => {
    const { state, start, opened, changes } = watchState(withWallet)
    await start()
    const before = state()
    opened().onEvent({ type: 'user', user: structuredClone(withWallet) })
    opened().onEvent({ type: 'ready', authenticated: true })
    await settle()
    expect(state()).toBe(before)
    expect(changes()).toBe(0)
    expect(Object.isFrozen(before)).toBe(true)
    expect(Object.isFrozen(before.wallets)).toBe(true)
    expect(Object.isFrozen(before.wallets[0])).toBe(true)
  })

  it('keeps the wallet object if only the user changes', async () => {
    const { state, start, opened } = watchState(withWallet)
    await start()
    const [wallet] = state().wallets
    const list = state().wallets
    opened().onEvent({ type: 'user', user: { ...withWallet, displayName: 'another' } })
    expect(state().user?.displayName).toBe('another')
    expect(state().wallets).toBe(list)
    expect(state().wallets[0]).toBe(wallet)
  })

  it("is open while the dialog's card is visible, but not for the empty card", async () => {
    const { state, start, opened } = watchState(null)
    await start()
    opened().onShown(true)
    expect(state().isOpen).toBe(false)
    opened().onEvent({ type: 'open' })
    expect(state().isOpen).toBe(true)
    opened().onShown(false)
    expect(state().isOpen).toBe(false)
  })

  it('contains the chain that the wallet was switched to', async () => {
    const { state, start, opened } = watchState(withWallet)
    await start()
    opened().onEvent({ type: 'more', name: 'chainChanged', data: { chainId: 8453 } })
    await vi.waitFor(() => expect(state().chain).toBe('eip155:8453'))
    expect(state().wallets[0]?.chainId).toBe('eip155:8453')
  })

  it('keeps the user while the dialog is unreachable, contains the error, and retries', async () => {
    const { state, start, opened } = watchState(withWallet)
    await start()
    opened().onLost(lost)
    opened(1).calls[0]?.reject(new LatchkeyError('server_unreachable', 'down'))
    await settle()
    expect(state()).toMatchObject({ status: 'unreachable', error: { code: 'server_unreachable' } })
    expect(state().user?.id).toBe('u1')
    const asked = () => opened(1).calls.filter(({ name }) => name === 'user').length
    await vi.advanceTimersByTimeAsync(999)
    expect(asked()).toBe(1)
    await vi.advanceTimersByTimeAsync(2_001)
    expect(asked()).toBe(2)
  })

  it('includes a logout of another tab while the frame was lost', async () => {
    const { state, start, opened, answer } = watchState(withWallet)
    await start()
    opened().onLost(lost)
    await answer(null, 1)
    expect(state()).toMatchObject({ status: 'ready', user: null, wallets: [] })
  })

  it('does not treat a dialog that cannot reach its server as a logout', async () => {
    const { state, start, opened } = watchState(user)
    await start()
    // As sent by a dialog of an earlier release.
    opened().onLost(lost)
    opened(1).calls[0]?.reject(new LatchkeyError('client_request_timeout', 'late'))
    await settle()
    expect(state().user?.id).toBe('u1')
  })

  it('does not retry after a permanent error', async () => {
    const { state, opened } = watchState()
    opened().calls[0]?.reject(new LatchkeyError('origin_not_allowed', 'no'))
    await settle()
    expect(state()).toMatchObject({ status: 'unreachable', error: { code: 'origin_not_allowed' } })
    await vi.advanceTimersByTimeAsync(600_000)
    expect(opened().calls).toHaveLength(1)
  })

  it('contains a connected wallet until it is disconnected', async () => {
    const { client, state, start } = watchState(withWallet)
    await start()
    const asked: unknown[] = []
    const provider = {
      request: async (question: unknown) => {
        asked.push(question)
        return '0xab'
      },
    }
    const wallet = {
      type: 'wallet',
      address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
      chainType: 'ethereum',
      chainId: 'eip155:10',
      walletClientType: 'rainbow',
      connectorType: 'wallet_connect',
      meta: { id: 'rainbow', name: 'rainbow' },
      provider,
      disconnect: async () => {
        client.events.dispatchEvent(new CustomEvent('walletDisconnected', { detail: { wallet } }))
      },
    }
    client.events.dispatchEvent(new CustomEvent('walletConnected', { detail: { wallet } }))
    const [, connected] = state().wallets
    expect(connected).toMatchObject({
      address: wallet.address,
      kind: 'connected',
      chainId: 'eip155:10',
      connectorType: 'wallet_connect',
      meta: { id: 'rainbow', name: 'rainbow' },
      linked: false,
    })
    expect(await connected?.getEthereumProvider()).toBe(provider)
    expect(await connected?.signMessage('hé')).toEqual({ address: wallet.address, signature: '0xab' })
    expect(await connected?.sendTransaction({ to: '0x1' })).toEqual({ hash: '0xab' })
    await connected?.switchChain(137)
    expect(asked).toEqual([
      { method: 'personal_sign', params: ['0x68c3a9', wallet.address] },
      { method: 'eth_sendTransaction', params: [{ from: wallet.address, to: '0x1' }] },
      { method: 'wallet_switchEthereumChain', params: [{ chainId: '0x89' }] },
    ])
    await connected?.disconnect?.()
    expect(state().wallets).toHaveLength(1)
  })

  it('contains wallets of other apps, each with its own provider and unlink subject', async () => {
    const { state, start, opened } = watchState(withWallet)
    await start()
    const account = {
      type: 'cross_app',
      subject: 'did:1',
      embeddedWallets: [{ address: '0x00000000000000000000000000000000000000aa' }],
      ...times,
    }
    opened().onEvent({
      type: 'user',
      user: { ...withWallet, linkedAccounts: [embedded, account] } as unknown as User,
    })
    const [, other] = state().wallets
    expect(other).toMatchObject({ kind: 'cross_app', linked: true })
    other?.getEthereumProvider().catch(() => {})
    other?.unlink().catch(() => {})
    const last = () => opened().calls.slice(-2)
    await vi.waitFor(() => expect(last().every(({ data }) => !(data instanceof Promise))).toBe(true))
    expect(last().map(({ data }) => data)).toMatchObject([
      { call: 'ethereumState', data: { wallet: '0x00000000000000000000000000000000000000aa' } },
      { call: 'unlinkCrossAppAccount', data: { subject: 'did:1' } },
    ])
  })
})
