import { LatchkeyError } from '@latchkey/protocol'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { asksOf, codeOf, makeClient } from '../testing/client.ts'
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

/** As much of a document as a client touches. */
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
  it('makes one frame for any number of calls', async () => {
    const { handle, opened } = makeClient()
    handle.getUser()
    handle.createWallet()
    handle.signMessage('hi', { title: 'Sign' })
    handle.forkSession()
    expect(opened).toHaveLength(1)
    expect((await asksOf(opened[0])).map(({ name, data }) => [name, data])).toEqual([
      ['user', {}],
      ['more', { call: 'createWallet', data: {} }],
      ['moreForUser', { call: 'signMessage', data: { message: 'hi', ui: { title: 'Sign' } } }],
      ['more', { call: 'forkSession', data: {} }],
    ])
  })

  it('asks for its second file while the frame loads, and says so when that does not come', async () => {
    const { handle, opened } = makeClient({ loadSecondFile: () => Promise.reject(new Error('404')) })
    const signed = handle.signMessage('hi')
    expect(opened).toHaveLength(1)
    expect(await codeOf(signed)).toBe('server_unreachable')
  })

  it('waits for its second file no longer than for a frame', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] })
    const { handle } = makeClient({ loadSecondFile: () => new Promise(() => {}) })
    const code = codeOf(handle.signMessage('hi'))
    await vi.advanceTimersByTimeAsync(60_000)
    expect(await code).toBe('server_unreachable')
    vi.useRealTimers()
  })

  it('takes no answer that is none of the call that it made', async () => {
    const { handle, opened } = makeClient()
    const made = handle.createWallet()
    const [asked] = await asksOf(opened[0])
    asked?.resolve({ wallet: 'none' })
    expect(await codeOf(made)).toBe('invalid_answer')
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
    const [link, unlink] = await asksOf(opened[0])
    expect(link).toMatchObject({ name: 'moreForUser', data: { call: 'link', data: { method } } })
    expect(unlink).toMatchObject({
      name: 'moreForUser',
      data: { call: 'unlink', data: { method, id: 'the one' } },
    })
    link?.resolve({ user })
    unlink?.resolve({ user })
    expect(await Promise.all([linked, unlinked])).toEqual([user, user])
  })

  it('asks for another e-mail address', async () => {
    const { handle, opened } = makeClient()
    const changed = handle.updateEmail()
    expect((await asksOf(opened[0]))[0]).toMatchObject({
      name: 'moreForUser',
      data: { call: 'updateEmail', data: {} },
    })
    opened[0]?.asked[0]?.resolve({ user })
    expect(await changed).toEqual(user)
  })

  it('gives the answer of the dialog as the result of the call', async () => {
    const { handle, opened } = makeClient()
    const wallet = { type: 'wallet', address: '0x1' }
    const calls = [handle.getUser(), handle.createWallet(), handle.forkSession(), handle.logout()]
    const [first, second, third, fourth] = opened[0]?.asked ?? []
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

  it('merges logins, users and tokens that are asked for together, and only those', () => {
    const { handle, opened } = makeClient()
    for (const call of [handle.login, handle.login, handle.getUser, handle.getUser]) call()
    handle.getAccessToken()
    handle.getAccessToken()
    handle.signMessage('a')
    handle.signMessage('a')
    expect(opened[0]?.asked.map(({ name }) => name)).toEqual([
      'login',
      'user',
      'accessToken',
      'moreForUser',
      'moreForUser',
    ])
  })

  it('takes a merged call back when the last who waits for it has left', () => {
    const { handle, opened } = makeClient()
    const [first, second] = [new AbortController(), new AbortController()]
    for (const { signal } of [first, second]) handle.login({ signal }).catch(() => {})
    first.abort()
    const login = opened[0]?.asked[0]
    expect(login?.signal?.aborted).toBe(false)
    second.abort()
    expect(login?.signal?.aborted).toBe(true)
    handle.login()
    expect(opened[0]?.asked).toHaveLength(2)
  })

  it('has a call that it does not know refused with a code', async () => {
    const { client, opened } = makeClient()
    const { signal } = new AbortController()
    for (const name of ['fly', 'constructor', '__proto__', 'destroy']) {
      expect(await codeOf(client.call(name, [], signal))).toBe('method_not_found')
    }
    expect(opened).toHaveLength(0)
  })

  it('asks again after an answer', async () => {
    const { handle, opened } = makeClient()
    const first = handle.getUser()
    opened[0]?.asked[0]?.resolve({ user })
    expect(await first).toEqual(user)
    handle.getUser()
    expect(opened[0]?.asked).toHaveLength(2)
  })

  it('says when a frame is made for somebody who waits to see the dialog', () => {
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

  it('makes another frame after one was lost or removed', async () => {
    const { handle, opened } = makeClient()
    const first = handle.getUser()
    const connection = opened[0]
    connection?.asked[0]?.reject(lost)
    expect(await codeOf(first)).toBe('frame_unresponsive')
    connection?.onLost(lost)
    handle.getUser().catch(() => {})
    expect(opened).toHaveLength(2)
    if (opened[1]) opened[1].alive = false
    handle.createWallet()
    expect(opened).toHaveLength(3)
  })

  it('makes no frame on a page that is prerendered, until somebody sees it', async () => {
    page.prerendering = true
    const { client, handle, opened } = makeClient()
    client.preload('now')
    const token = handle.getAccessToken()
    expect(opened).toHaveLength(0)
    page.prerendering = false
    page.dispatchEvent(new Event('prerenderingchange'))
    expect(opened).toHaveLength(1)
    opened[0]?.asked[0]?.resolve({ token: 'one', expiresInSeconds: 900 })
    expect(await token).toBe('one')
  })

  it('rejects what a prerendered page asked for when it is destroyed before it was seen', async () => {
    page.prerendering = true
    const { client, handle, opened } = makeClient()
    const user = handle.getUser()
    client.close(new LatchkeyError('client_destroyed', 'done'))
    page.dispatchEvent(new Event('prerenderingchange'))
    expect(await codeOf(user)).toBe('client_destroyed')
    expect(opened).toHaveLength(0)
  })

  it('drops the token at whatever may change who is logged in, and at a loss', async () => {
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
      opened[0]?.asked[1]?.resolve({ token: 'one', expiresInSeconds: 900 })
      expect(await first).toBe('one')
      expect(await handle.getAccessToken()).toBe('one')
      if (opened[0]) drop(opened[0])
      handle.getAccessToken().catch(() => {})
      expect(opened.flatMap(({ asked }) => asked).filter(({ name }) => name === 'accessToken')).toHaveLength(
        2,
      )
    }
  })

  // spec L2.9
  it('loads at once for what came in the address, and tells every dialog of it', async () => {
    const { opened } = makeClient({ parameters: 'latchkey_token=one-use' })
    expect(opened).toHaveLength(1)
    expect(opened[0]).toMatchObject({ forUser: false, parameters: 'latchkey_token=one-use' })
    opened[0]?.onLost(lost)
    makeClient({ parameters: 'latchkey_token=one-use' })
    expect(makeClient().opened).toHaveLength(0)
  })

  it('gives no token of the user before to a tab that was frozen while another one logged in', async () => {
    const now = vi.spyOn(Date, 'now').mockReturnValue(1_000_000)
    const { handle, opened } = makeClient()
    const before = handle.getAccessToken()
    opened[0]?.asked[0]?.resolve({ token: 'of the first', expiresInSeconds: 900 })
    expect(await before).toBe('of the first')
    now.mockReturnValue(1_060_000)
    const after = handle.getAccessToken()
    opened[0]?.asked[1]?.resolve({ token: 'of the second', expiresInSeconds: 900 })
    expect(await after).toBe('of the second')
    now.mockRestore()
  })

  it('drops the token before and after a logout is asked for', async () => {
    const { handle, opened } = makeClient()
    const asked = () => opened[0]?.asked.map(({ name }) => name)
    const first = handle.getAccessToken()
    opened[0]?.asked[0]?.resolve({ token: 'one', expiresInSeconds: 900 })
    await first
    const logout = handle.logout()
    const meanwhile = handle.getAccessToken()
    opened[0]?.asked[2]?.resolve({ token: 'two', expiresInSeconds: 900 })
    await meanwhile
    opened[0]?.asked[1]?.resolve({})
    await logout
    handle.getAccessToken()
    expect(asked()).toEqual(['accessToken', 'logout', 'accessToken', 'accessToken'])
  })

  it('tells every event of the dialog, ready once, and the token with its grant', async () => {
    const { client, handle, opened } = makeClient()
    const told: [string, LatchkeyEvents[keyof LatchkeyEvents]][] = []
    for (const name of ['ready', 'login', 'logout', 'user', 'token', 'open', 'close', 'error'] as const) {
      client.events.addEventListener(name, (event) => {
        if (event instanceof CustomEvent) told.push([name, event.detail])
      })
    }
    handle.getUser()
    const { onEvent, onShown, onLost, asked } = opened[0] ?? expect.unreachable()
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
    expect(told).toEqual([
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

  describe('tells differences:', () => {
    const heard = () => {
      const made = makeClient()
      const told: unknown[] = []
      for (const name of ['login', 'logout', 'user', 'token'] as const)
        made.handle.on(name, (event) => told.push([name, event]))
      made.handle.getUser().catch(() => {})
      const first = made.opened[0] ?? expect.unreachable()
      first.onEvent({ type: 'user', user })
      first.onEvent({ type: 'ready', authenticated: true })
      told.splice(0)
      const lose = () => {
        first.onLost(lost)
        made.handle.createWallet().catch(() => {})
        return made.opened[1] ?? expect.unreachable()
      }
      return { told, first, lose }
    }

    it('no user a second time, and one that changed', () => {
      const { told, first } = heard()
      first.onEvent({ type: 'user', user: { ...user } })
      expect(told).toEqual([])
      first.onEvent({ type: 'user', user: { ...user, displayName: 'Mira' } })
      expect(told).toEqual([['user', { user: { ...user, displayName: 'Mira' } }]])
    })

    it('a logout that another tab did while the frame was lost', () => {
      const { told, lose } = heard()
      lose().onEvent({ type: 'ready', authenticated: false })
      expect(told).toEqual([
        ['logout', {}],
        ['user', { user: null }],
        ['token', { type: 'removed' }],
      ])
    })

    it('nothing where the user is the same after a loss', () => {
      const { told, lose } = heard()
      const { onEvent } = lose()
      onEvent({ type: 'user', user: { ...user } })
      onEvent({ type: 'ready', authenticated: true })
      expect(told).toEqual([])
    })

    it('a logout and a login where another user is there after a loss', () => {
      const { told, lose } = heard()
      const other = { ...user, id: 'u2' }
      lose().onEvent({ type: 'user', user: other })
      expect(told).toEqual([
        ['logout', {}],
        ['user', { user: null }],
        ['token', { type: 'removed' }],
        ['login', { user: other }],
      ])
    })
  })

  it('keeps a configuration for the first hello, and tells a later one', async () => {
    const { handle, opened } = makeClient()
    await handle.setConfig({ name: 'First' })
    expect(opened).toHaveLength(0)
    handle.getUser()
    expect(opened[0]?.config()).toEqual({ name: 'First' })
    await handle.setConfig({ name: 'Second' })
    expect(opened[0]?.configured).toBe(1)
    expect(opened[0]?.config()).toEqual({ name: 'Second' })
  })

  it('rejects everything after it was closed', async () => {
    const { client, handle, opened } = makeClient()
    const open = handle.getUser()
    client.close(new LatchkeyError('client_destroyed', 'done'))
    for (const call of [open, handle.login(), handle.ready]) {
      expect(await codeOf(call)).toBe('client_destroyed')
    }
    expect(opened).toHaveLength(1)
  })
})
