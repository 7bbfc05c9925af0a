import { LatchkeyError } from '@latchkey/protocol'
import { describe, expect, it } from 'vitest'
import type { LatchkeyEvents } from './latchkey.ts'
import { codeOf, makeClient } from './testing/client.ts'

const user = { id: 'u1', createdAt: 1, linkedAccounts: [], mfaMethods: [], hasAcceptedTerms: false }
const lost = new LatchkeyError('frame_unresponsive', 'gone')

describe('the client', () => {
  it('makes one frame for any number of calls', async () => {
    const { client, opened } = makeClient()
    client.getUser()
    client.createWallet()
    client.signMessage('hi', { title: 'Sign' })
    expect(opened).toHaveLength(1)
    expect(opened[0]?.asked.map(({ name, data }) => [name, data])).toEqual([
      ['user', {}],
      ['createWallet', {}],
      ['signMessage', { message: 'hi', ui: { title: 'Sign' } }],
    ])
  })

  it('merges logins, users and tokens that are asked for together, and only those', async () => {
    const { client, opened } = makeClient()
    for (const call of [client.login, client.login, client.getUser, client.getUser, client.getAccessToken])
      call()
    client.getAccessToken()
    client.signMessage('a')
    client.signMessage('a')
    const asked = opened[0]?.asked ?? []
    expect(asked.map(({ name }) => name)).toEqual([
      'login',
      'user',
      'accessToken',
      'signMessage',
      'signMessage',
    ])
  })

  it('asks again after an answer', async () => {
    const { client, opened } = makeClient()
    const first = client.getUser()
    opened[0]?.asked[0]?.resolve({ user })
    expect(await first).toEqual(user)
    client.getUser()
    expect(opened[0]?.asked).toHaveLength(2)
  })

  it('makes another frame after one was lost or removed', async () => {
    const { client, opened } = makeClient()
    const first = client.getUser()
    const connection = opened[0]
    connection?.asked[0]?.reject(lost)
    expect(await codeOf(first)).toBe('frame_unresponsive')
    connection?.onLost(lost)
    client.getUser()
    expect(opened).toHaveLength(2)
    if (opened[1]) opened[1].alive = false
    client.getUser().catch(() => {})
    await Promise.resolve()
    expect(opened).toHaveLength(2)
    client.createWallet()
    expect(opened).toHaveLength(3)
  })

  it('drops the token at logout, at a removal, at a loss, and when a frame comes back without a session', async () => {
    const drops: ((connection: ReturnType<typeof makeClient>['opened'][number]) => void)[] = [
      ({ onEvent }) => onEvent({ type: 'logout' }),
      ({ onEvent }) => onEvent({ type: 'tokenRemoved' }),
      ({ onEvent }) => onEvent({ type: 'tokenGranted' }),
      ({ onEvent }) => onEvent({ type: 'ready', authenticated: false }),
      ({ onLost }) => onLost(lost),
    ]
    for (const drop of drops) {
      const { client, opened } = makeClient()
      const first = client.getAccessToken()
      opened[0]?.onEvent({ type: 'ready', authenticated: true })
      opened[0]?.asked[0]?.resolve({ token: 'one', expiresAt: 900 })
      expect(await first).toBe('one')
      expect(await client.getAccessToken()).toBe('one')
      if (opened[0]) drop(opened[0])
      client.getAccessToken().catch(() => {})
      expect(opened.flatMap(({ asked }) => asked).filter(({ name }) => name === 'accessToken')).toHaveLength(
        2,
      )
    }
  })

  it('is ready when it is known who is logged in', async () => {
    const { client, opened } = makeClient()
    const ready = client.ready()
    expect(opened[0]?.asked.map(({ name }) => name)).toEqual(['user'])
    opened[0]?.asked[0]?.resolve({ user })
    expect(await ready).toEqual({ authenticated: true })
    const visitor = client.ready()
    opened[0]?.asked[1]?.resolve({ user: null })
    expect(await visitor).toEqual({ authenticated: false })
  })

  it('tells every event of the dialog, ready once, and the token with its grant', async () => {
    const { client, opened } = makeClient()
    const told: [string, LatchkeyEvents[keyof LatchkeyEvents]][] = []
    for (const name of ['ready', 'login', 'logout', 'user', 'token', 'open', 'close', 'error'] as const) {
      client.events.addEventListener(name, (event) => {
        if (event instanceof CustomEvent) told.push([name, event.detail])
      })
    }
    client.getUser()
    const { onEvent, onShown, onLost, asked } = opened[0] ?? expect.unreachable()
    onEvent({ type: 'ready', authenticated: false })
    onEvent({ type: 'ready', authenticated: true })
    onShown(true)
    onEvent({ type: 'open' })
    onEvent({ type: 'login', user })
    onEvent({ type: 'user', user })
    onShown(false)
    onEvent({ type: 'close' })
    onEvent({ type: 'tokenGranted' })
    asked.at(-1)?.resolve({ token: 'one', expiresAt: 900 })
    await new Promise((resolve) => setImmediate(resolve))
    onEvent({ type: 'tokenRemoved' })
    onEvent({ type: 'logout' })
    onLost(lost)
    expect(told).toEqual([
      ['ready', { authenticated: false }],
      ['open', {}],
      ['login', { user }],
      ['user', { user }],
      ['close', {}],
      ['token', { type: 'granted', token: 'one' }],
      ['token', { type: 'removed' }],
      ['logout', {}],
      ['error', { error: lost }],
    ])
  })

  it('keeps a configuration for the first hello, and tells a later one', async () => {
    const { client, opened } = makeClient()
    await client.setConfig({ name: 'First' })
    expect(opened).toHaveLength(0)
    client.getUser()
    expect(opened[0]?.config()).toEqual({ name: 'First' })
    await client.setConfig({ name: 'Second' })
    expect(opened[0]?.configured).toBe(1)
    expect(opened[0]?.config()).toEqual({ name: 'Second' })
  })

  it('rejects everything after it was closed', async () => {
    const { client, opened } = makeClient()
    const open = client.getUser()
    client.close(new LatchkeyError('client_destroyed', 'done'))
    expect(await codeOf(open)).toBe('client_destroyed')
    expect(await codeOf(client.login())).toBe('client_destroyed')
    expect(await codeOf(client.ready())).toBe('client_destroyed')
    expect(opened).toHaveLength(1)
  })
})
