import { LatchkeyError } from '@latchkey/protocol'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { getErrorCode, makeClient, resolvedCalls } from '../testing/client.ts'
import type { LatchkeyEvents } from '../types/options.ts'

const user = {
  id: 'u1',
  createdAt: 1,
  displayName: 'u1',
  linkedAccounts: [],
  mfaMethods: [],
  hasAcceptedTerms: false,
}
const lost = new LatchkeyError('frame_unresponsive', 'gone')

/** A document with only the members that a client uses. */
class FakeDocument extends EventTarget {
  prerendering = false
}
let page: FakeDocument
beforeEach(() => {
  page = new FakeDocument()
  vi.stubGlobal('document', page)
})
afterEach(() => vi.unstubAllGlobals())

describe('the client', () => {
  it('creates one frame for any number of calls', async () => {
    const { handle, opened } = makeClient()
    handle.getUser()
    handle.createWallet()
    handle.signMessage('hi', { title: 'Sign' })
    handle.forkSession()
    expect(opened).toHaveLength(1)
    expect((await resolvedCalls(opened[0])).map(({ name, data }) => [name, data])).toEqual([
      ['user', {}],
      ['more', { call: 'createWallet', data: {} }],
      ['moreForUser', { call: 'signMessage', data: { message: 'hi', ui: { title: 'Sign' } } }],
      ['more', { call: 'forkSession', data: {} }],
    ])
  })

  it('loads its second file in parallel with the frame, and rejects if it fails to load', async () => {
    const { handle, opened } = makeClient({ loadSecondFile: () => Promise.reject(new Error('404')) })
    const signed = handle.signMessage('hi')
    expect(opened).toHaveLength(1)
    expect(await getErrorCode(signed)).toBe('server_unreachable')
  })

  it('waits for its second file no longer than for a frame', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] })
    const { handle } = makeClient({ loadSecondFile: () => new Promise(() => {}) })
    const code = getErrorCode(handle.signMessage('hi'))
    await vi.advanceTimersByTimeAsync(60_000)
    expect(await code).toBe('server_unreachable')
    vi.useRealTimers()
  })

  it('rejects a response that does not match the call', async () => {
    const { handle, opened } = makeClient()
    const setup = handle.createWallet()
    const [asked] = await resolvedCalls(opened[0])
    asked?.resolve({ wallet: 'none' })
    expect(await getErrorCode(setup)).toBe('invalid_answer')
  })

  it.each([
    ['linkEmail', 'email'],
    ['linkPhone', 'sms'],
    ['linkWallet', 'wallet'],
    ['linkPasskey', 'passkey'],
    ['linkApple', 'apple'],
    ['linkDiscord', 'discord'],
    ['linkGithub', 'github'],
    ['linkGoogle', 'google'],
    ['linkLinkedIn', 'linkedin'],
    ['linkSpotify', 'spotify'],
    ['linkInstagram', 'instagram'],
    ['linkTwitter', 'twitter'],
    ['linkTiktok', 'tiktok'],
    ['linkFarcaster', 'farcaster'],
    ['linkTelegram', 'telegram'],
  ] as const)('%s asks to link by %s, and its counterpart to unlink what is named', async (name, method) => {
    const { handle, opened } = makeClient()
    const linked = handle[name]()
    const unlinked = handle[`un${name}`]('the one')
    const [link, unlink] = await resolvedCalls(opened[0])
    expect(link).toMatchObject({ name: 'moreForUser', data: { call: 'link', data: { method } } })
    expect(unlink).toMatchObject({
      name: 'moreForUser',
      data: { call: 'unlink', data: { method, id: 'the one' } },
    })
    link?.resolve({ user })
    unlink?.resolve({ user })
    expect(await Promise.all([linked, unlinked])).toEqual([user, user])
  })

  it('updateEmail sends a call for another e-mail address', async () => {
    const { handle, opened } = makeClient()
    const changed = handle.updateEmail()
    expect((await resolvedCalls(opened[0]))[0]).toMatchObject({
      name: 'moreForUser',
      data: { call: 'updateEmail', data: {} },
    })
    opened[0]?.calls[0]?.resolve({ user })
    expect(await changed).toEqual(user)
  })

  it('returns the response of the dialog as the result of the call', async () => {
    const { handle, opened } = makeClient()
    const wallet = { type: 'wallet', address: '0x1' }
    const calls = [handle.getUser(), handle.createWallet(), handle.forkSession(), handle.logout()]
    const [first, second, third, fourth] = opened[0]?.calls ?? []
    first?.resolve({ user })
    second?.resolve({ wallet })
    third?.resolve({ code: 'once', expiresInSeconds: 60 })
    fourth?.resolve({})
    expect(await Promise.all(calls)).toEqual([
      user,
      wallet,
      { code: 'once', expiresInSeconds: 60 },
      undefined,
    ])
  })

  it('merges concurrent logins, users and tokens, and no other calls', () => {
    const { handle, opened } = makeClient()
    for (const call of [handle.login, handle.login, handle.getUser, handle.getUser]) call()
    handle.getAccessToken()
    handle.getAccessToken()
    handle.signMessage('a')
    handle.signMessage('a')
    expect(opened[0]?.calls.map(({ name }) => name)).toEqual([
      'login',
      'user',
      'accessToken',
      'moreForUser',
      'moreForUser',
    ])
  })

  it('cancels a merged call when its last caller aborts', () => {
    const { handle, opened } = makeClient()
    const [first, second] = [new AbortController(), new AbortController()]
    for (const { signal } of [first, second]) handle.login({ signal }).catch(() => {})
    first.abort()
    const login = opened[0]?.calls[0]
    expect(login?.signal?.aborted).toBe(false)
    second.abort()
    expect(login?.signal?.aborted).toBe(true)
    handle.login()
    expect(opened[0]?.calls).toHaveLength(2)
  })

  it('rejects an unknown call with method_not_found', async () => {
    const { client, opened } = makeClient()
    const { signal } = new AbortController()
    for (const name of ['fly', 'constructor', '__proto__', 'destroy']) {
      expect(await getErrorCode(client.call(name, [], signal))).toBe('method_not_found')
    }
    expect(opened).toHaveLength(0)
  })

  it('sends the call again after a response', async () => {
    const { handle, opened } = makeClient()
    const first = handle.getUser()
    opened[0]?.calls[0]?.resolve({ user })
    expect(await first).toEqual(user)
    handle.getUser()
    expect(opened[0]?.calls).toHaveLength(2)
  })

  it('marks a frame that is created while the user waits for the dialog', () => {
    const waits = (call: (handle: ReturnType<typeof makeClient>['handle']) => unknown) => {
      const { handle, opened } = makeClient()
      call(handle)
      return opened[0]?.forUser
    }
    expect(waits((handle) => handle.login())).toBe(true)
    expect(waits((handle) => handle.signMessage('hi'))).toBe(true)
    expect(waits((handle) => handle.getUser())).toBe(false)
    expect(waits((handle) => handle.getAccessToken())).toBe(false)
    const { client, opened } = makeClient()
    client.preload('now')
    expect(opened[0]?.forUser).toBe(false)
  })

  it('creates another frame after one was lost or removed', async () => {
    const { handle, opened } = makeClient()
    const first = handle.getUser()
    const connection = opened[0]
    connection?.calls[0]?.reject(lost)
    expect(await getErrorCode(first)).toBe('frame_unresponsive')
    connection?.onLost(lost)
    handle.getUser().catch(() => {})
    expect(opened).toHaveLength(2)
    if (opened[1]) opened[1].alive = false
    handle.createWallet()
    expect(opened).toHaveLength(3)
  })

  it('creates no frame on a prerendered page until it is visible', async () => {
    page.prerendering = true
    const { client, handle, opened } = makeClient()
    client.preload('now')
    const token = handle.getAccessToken()
    expect(opened).toHaveLength(0)
    page.prerendering = false
    page.dispatchEvent(new Event('prerenderingchange'))
    expect(opened).toHaveLength(1)
    opened[0]?.calls[0]?.resolve({ token: 'one', expiresInSeconds: 900 })
    expect(await token).toBe('one')
  })

  it('rejects the calls of a prerendered page that is destroyed before it is visible', async () => {
    page.prerendering = true
    const { client, handle, opened } = makeClient()
    const user = handle.getUser()
    client.close(new LatchkeyError('client_destroyed', 'done'))
    page.dispatchEvent(new Event('prerenderingchange'))
    expect(await getErrorCode(user)).toBe('client_destroyed')
    expect(opened).toHaveLength(0)
  })

  it('drops the token on every event that may change the user, and when the frame is lost', async () => {
    const drops: ((connection: ReturnType<typeof makeClient>['opened'][number]) => void)[] = [
      ({ onEvent }) => onEvent({ type: 'logout' }),
      ({ onEvent }) => onEvent({ type: 'tokenRemoved' }),
      ({ onEvent }) => onEvent({ type: 'tokenGranted' }),
      ({ onEvent }) => onEvent({ type: 'ready', authenticated: false }),
      ({ onEvent }) => onEvent({ type: 'login', user }),
      ({ onEvent }) => onEvent({ type: 'user', user: { ...user, id: 'u2' } }),
      ({ onLost }) => onLost(lost),
    ]
    for (const drop of drops) {
      const { handle, opened } = makeClient()
      handle.getUser()
      opened[0]?.onEvent({ type: 'ready', authenticated: true })
      const first = handle.getAccessToken()
      opened[0]?.calls[1]?.resolve({ token: 'one', expiresInSeconds: 900 })
      expect(await first).toBe('one')
      expect(await handle.getAccessToken()).toBe('one')
      if (opened[0]) drop(opened[0])
      handle.getAccessToken().catch(() => {})
      expect(
        opened.flatMap(({ calls: asked }) => asked).filter(({ name }) => name === 'accessToken'),
      ).toHaveLength(2)
    }
  })

  // spec L2.9
  it('loads immediately for parameters in the address, and sends them to every dialog', async () => {
    const { opened } = makeClient({ parameters: 'latchkey_token=one-use' })
    expect(opened).toHaveLength(1)
    expect(opened[0]).toMatchObject({ forUser: false, parameters: 'latchkey_token=one-use' })
    opened[0]?.onLost(lost)
    makeClient({ parameters: 'latchkey_token=one-use' })
    expect(makeClient().opened).toHaveLength(0)
  })

  it('offers the login of the page to its own dialog, and announces it to an open one', () => {
    const { client, handle, opened } = makeClient()
    const other = makeClient()
    const login = { getToken: () => 'a.b.c' }
    handle.getUser()
    other.handle.getUser()
    expect([opened[0]?.hostLogin(), opened[0]?.configured]).toEqual([undefined, 0])
    client.follow?.(login)
    expect([opened[0]?.hostLogin(), opened[0]?.configured]).toEqual([login, 1])
    expect([other.opened[0]?.hostLogin(), other.opened[0]?.configured]).toEqual([undefined, 0])
  })

  it('returns no token of the previous user to a tab that was frozen during a login elsewhere', async () => {
    const now = vi.spyOn(Date, 'now').mockReturnValue(1_000_000)
    const { handle, opened } = makeClient()
    const before = handle.getAccessToken()
    opened[0]?.calls[0]?.resolve({ token: 'of the first', expiresInSeconds: 900 })
    expect(await before).toBe('of the first')
    now.mockReturnValue(1_060_000)
    const after = handle.getAccessToken()
    opened[0]?.calls[1]?.resolve({ token: 'of the second', expiresInSeconds: 900 })
    expect(await after).toBe('of the second')
    now.mockRestore()
  })

  it('drops the token before and after a logout', async () => {
    const { handle, opened } = makeClient()
    const asked = () => opened[0]?.calls.map(({ name }) => name)
    const first = handle.getAccessToken()
    opened[0]?.calls[0]?.resolve({ token: 'one', expiresInSeconds: 900 })
    await first
    const logout = handle.logout()
    const meanwhile = handle.getAccessToken()
    opened[0]?.calls[2]?.resolve({ token: 'two', expiresInSeconds: 900 })
    await meanwhile
    opened[0]?.calls[1]?.resolve({})
    await logout
    handle.getAccessToken()
    expect(asked()).toEqual(['accessToken', 'logout', 'accessToken', 'accessToken'])
  })

  it('emits every event of the dialog, ready once, and the token with its grant', async () => {
    const { client, handle, opened } = makeClient()
    const received: [string, LatchkeyEvents[keyof LatchkeyEvents]][] = []
    for (const name of ['ready', 'login', 'logout', 'user', 'token', 'open', 'close', 'error'] as const) {
      client.events.addEventListener(name, (event) => {
        if (event instanceof CustomEvent) received.push([name, event.detail])
      })
    }
    handle.getUser()
    const { onEvent, onShown, onLost, calls: asked } = opened[0] ?? expect.unreachable()
    onEvent({ type: 'ready', authenticated: false })
    onEvent({ type: 'ready', authenticated: true })
    onShown(true)
    onEvent({ type: 'open' })
    onEvent({ type: 'login', user })
    onEvent({ type: 'user', user: { ...user, hasAcceptedTerms: true } })
    onShown(false)
    onEvent({ type: 'tokenGranted' })
    asked.at(-1)?.resolve({ token: 'one', expiresInSeconds: 900 })
    await new Promise((resolve) => setImmediate(resolve))
    onEvent({ type: 'tokenRemoved' })
    onEvent({ type: 'logout' })
    onLost(lost)
    expect(received).toEqual([
      ['ready', { authenticated: false }],
      ['open', {}],
      ['login', { user }],
      ['user', { user: { ...user, hasAcceptedTerms: true } }],
      ['close', {}],
      ['token', { type: 'granted', token: 'one' }],
      ['token', { type: 'removed' }],
      ['logout', {}],
      ['error', { error: lost }],
    ])
  })

  describe('emits differences only:', () => {
    const recordEvents = () => {
      const setup = makeClient()
      const received: unknown[] = []
      for (const name of ['login', 'logout', 'user', 'token'] as const)
        setup.handle.on(name, (event) => received.push([name, event]))
      setup.handle.getUser().catch(() => {})
      const first = setup.opened[0] ?? expect.unreachable()
      first.onEvent({ type: 'user', user })
      first.onEvent({ type: 'ready', authenticated: true })
      received.splice(0)
      const lose = () => {
        first.onLost(lost)
        setup.handle.createWallet().catch(() => {})
        return setup.opened[1] ?? expect.unreachable()
      }
      return { received, first, lose }
    }

    it('an unchanged user is not emitted again', () => {
      const { received, first } = recordEvents()
      first.onEvent({ type: 'user', user: { ...user } })
      expect(received).toEqual([])
      first.onEvent({ type: 'user', user: { ...user, displayName: 'Mira' } })
      expect(received).toEqual([['user', { user: { ...user, displayName: 'Mira' } }]])
    })

    it('a logout of another tab is emitted if the frame was lost meanwhile', () => {
      const { received, lose } = recordEvents()
      lose().onEvent({ type: 'ready', authenticated: false })
      expect(received).toEqual([
        ['logout', {}],
        ['user', { user: null }],
        ['token', { type: 'removed' }],
      ])
    })

    it('nothing is emitted if the user is the same after a loss', () => {
      const { received, lose } = recordEvents()
      const { onEvent } = lose()
      onEvent({ type: 'user', user: { ...user } })
      onEvent({ type: 'ready', authenticated: true })
      expect(received).toEqual([])
    })

    it('a logout and a login are emitted if the user is another one after a loss', () => {
      const { received, lose } = recordEvents()
      const other = { ...user, id: 'u2' }
      lose().onEvent({ type: 'user', user: other })
      expect(received).toEqual([
        ['logout', {}],
        ['user', { user: null }],
        ['token', { type: 'removed' }],
        ['login', { user: other }],
      ])
    })
  })

  it('sends an early configuration with the first hello, and a later one by itself', async () => {
    const { handle, opened } = makeClient()
    await handle.setConfig({ name: 'First' })
    expect(opened).toHaveLength(0)
    handle.getUser()
    expect(opened[0]?.config()).toEqual({ name: 'First' })
    await handle.setConfig({ name: 'Second' })
    expect(opened[0]?.configured).toBe(1)
    expect(opened[0]?.config()).toEqual({ name: 'Second' })
  })

  it('rejects every call after it was closed', async () => {
    const { client, handle, opened } = makeClient()
    const open = handle.getUser()
    client.close(new LatchkeyError('client_destroyed', 'done'))
    for (const call of [open, handle.login(), handle.ready]) {
      expect(await getErrorCode(call)).toBe('client_destroyed')
    }
    expect(opened).toHaveLength(1)
  })
})
