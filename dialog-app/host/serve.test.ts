import { LatchkeyError } from '@latchkey/protocol'
import { openChannel } from '@latchkey/protocol/channel'
import { type HostEvent, hostContract } from '@latchkey/protocol/host'
import { PortMessenger } from 'penpal'
import { afterEach, describe, expect, test } from 'vitest'
import type { HostCalls } from '../core/host-calls.ts'
import { settle } from '../testing/clock.ts'
import { makeAuthAnswer, makeToken, visitorUser, walletAccount } from '../testing/fixtures.ts'
import { type Answers, makeBrowser, makeFakeTransport, makeTab } from '../testing/world.ts'
import { dialogVersion } from '../version.ts'
import { hostUser } from './host-user.ts'
import { serveHost } from './serve.ts'

const viewport = { heightPx: 600, offsetTopPx: 0, insets: { top: 0, right: 0, bottom: 0, left: 0 } }
const opened: { destroy(): void }[] = []
afterEach(() => {
  for (const each of opened.splice(0)) each.destroy()
})

/** A loader and a dialog over a real channel. */
async function openBoth(answers: Answers = {}, calls: Partial<HostCalls> = {}) {
  const { port1, port2 } = new MessageChannel()
  const transport = makeFakeTransport({ logout: () => ({ success: true }), ...answers })
  const tab = makeTab(makeBrowser(), transport)
  const events: HostEvent[] = []
  const frame: string[] = []
  const seen: unknown[] = []
  const served: HostCalls = {
    login: () => Promise.reject(new LatchkeyError('exited_auth_flow', 'Closed')),
    createWallet: async () => ({ wallet: walletAccount }),
    signMessage: async ({ message }) => ({
      signature: `0x${message.length}`,
      address: walletAccount.address,
    }),
    ...calls,
  }
  const link = serveHost({
    target: { messenger: new PortMessenger({ port: port1 }) },
    session: tab.session,
    dialog: async () => ({ call: (name, data, context) => served[name](data, context) }),
    configure: (config, colorScheme) => seen.push({ config, colorScheme }),
    setViewport: (value) => seen.push(value),
  })
  const loader = openChannel({
    contract: hostContract,
    side: 'parent',
    target: { messenger: new PortMessenger({ port: port2 }) },
    handlers: {
      show: () => {
        frame.push('show')
        return { viewport }
      },
      hide: () => {
        frame.push('hide')
        return {}
      },
      event: (event) => {
        events.push(event)
        return {}
      },
    },
  })
  opened.push(link, loader)
  await loader.ready
  return { ...tab, link, loader, events, frame, seen, transport }
}
const hello = { protocol: 1, loader: '0.1.0', config: {}, colorScheme: 'light' } as const
async function until(isTrue: () => boolean) {
  for (let turn = 0; !isTrue() && turn < 500; turn += 1) await settle()
  expect(isTrue()).toBe(true)
}
const types = (events: readonly HostEvent[]) => events.map((event) => event.type)

describe('the first message', () => {
  test('tells versions, takes the configuration, and leads to ready', async () => {
    const { loader, events, seen } = await openBoth()
    const config = { appearance: { landingHeader: 'Welcome back' } }
    expect(await loader.call('hello', { ...hello, config })).toEqual({
      protocol: 1,
      dialog: dialogVersion,
      authenticated: false,
    })
    expect(seen).toEqual([{ config, colorScheme: 'light' }])
    await until(() => events.length === 1)
    expect(events).toEqual([{ type: 'ready', authenticated: false }])
  })

  test.each([0, 2])('of protocol version %i is refused, not left hanging', async (protocol) => {
    const { loader } = await openBoth()
    await expect(loader.call('hello', { ...hello, protocol })).rejects.toMatchObject({
      code: 'unsupported_protocol',
      details: { supported: [1, 1] },
    })
  })
})

describe('a host may ask', () => {
  test('for the user, or hear that there is none', async () => {
    const { loader, session } = await openBoth()
    expect(await loader.call('user', {})).toEqual({ user: null })
    session.accept(makeAuthAnswer())
    expect(await loader.call('user', {})).toEqual({ user: hostUser(visitorUser) })
  })

  // spec L7.46
  test('for a token, and gets the host token', async () => {
    const { loader, session } = await openBoth()
    expect(await loader.call('accessToken', {})).toEqual({ token: null, expiresAt: null })
    const hostToken = makeToken({ jti: 'host' })
    session.accept(makeAuthAnswer({ hostToken }))
    expect(await loader.call('accessToken', {})).toMatchObject({ token: hostToken })
  })

  test('for a login, and hears its code when it fails', async () => {
    const { loader } = await openBoth()
    await expect(loader.call('login', {})).rejects.toMatchObject({ code: 'exited_auth_flow' })
  })

  test('for a wallet and a signature', async () => {
    const { loader } = await openBoth()
    expect(await loader.call('createWallet', {})).toEqual({ wallet: walletAccount })
    expect(await loader.call('signMessage', { message: 'Hello' })).toMatchObject({ signature: '0x5' })
  })

  test('nothing of the flows for a logout', async () => {
    const calls = { login: () => expect.unreachable('no flow is needed') }
    const { loader, session } = await openBoth({}, calls)
    session.accept(makeAuthAnswer())
    expect(await loader.call('logout', {})).toEqual({})
    expect(session.state().status).toBe('visitor')
  })
})

describe('a host hears', () => {
  test('of a login and of a logout, and never a token', async () => {
    const { session, events } = await openBoth()
    await session.start()
    session.accept(makeAuthAnswer())
    await session.logout()
    await until(() => events.length === 5)
    expect(types(events)).toEqual(['login', 'tokenGranted', 'logout', 'user', 'tokenRemoved'])
    expect(JSON.stringify(events)).not.toMatch(/eyJ|refresh-/)
  })

  test('of a session that was kept as ready, not as a login', async () => {
    const { loader, keeper, events } = await openBoth({ me: () => visitorUser })
    keeper.write({ ...keeper.read(), accessToken: makeToken(), refreshToken: 'refresh-1' })
    expect(await loader.call('hello', hello)).toMatchObject({ authenticated: true })
    await until(() => events.length === 3)
    expect(types(events)).toEqual(['user', 'tokenGranted', 'ready'])
  })
})

test('the frame is shown and hidden, and the host is told', async () => {
  const { link, frame, events, seen } = await openBoth()
  await link.show()
  link.hide()
  await until(() => events.length === 2)
  expect(frame).toEqual(['show', 'hide'])
  expect(types(events)).toEqual(['open', 'close'])
  expect(seen).toEqual([viewport])
})
