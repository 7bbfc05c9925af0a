import { afterEach, describe, expect, test } from 'vitest'
import { dialogVersion } from '../browser/version.ts'
import { settle } from '../testing/clock.ts'
import { refused, watch } from '../testing/fixture.ts'
import { makeAuthAnswer, makeRefreshAnswer, visitorUser } from '../testing/fixtures.ts'
import { closeAll, hello, openBoth, types, until } from '../testing/host.ts'

afterEach(closeAll)

describe('hello message', () => {
  test('returns versions and calls, applies the configuration, and causes ready', async () => {
    const { loader, events, seen } = await openBoth()
    const config = { appearance: { landingHeader: 'Welcome back' } }
    expect(await loader.call('hello', { ...hello, config })).toEqual({
      protocol: 1,
      dialog: dialogVersion,
      authenticated: false,
      capabilities: [
        'hello',
        'configure',
        'viewport',
        'login',
        'logout',
        'user',
        'accessToken',
        'more',
        'read',
        'moreForUser',
      ],
      warnings: [],
    })
    expect(seen).toEqual([{ config, colorScheme: 'light' }])
    await until(() => events.length === 1)
    expect(events).toEqual([{ type: 'ready', authenticated: false }])
  })

  test.each([0, 2])('with protocol version %i is rejected instead of left pending', async (protocol) => {
    const { loader, seen } = await openBoth()
    await expect(loader.call('hello', { ...hello, protocol })).rejects.toMatchObject({
      code: 'unsupported_protocol',
      details: { supported: [1, 1] },
    })
    expect(seen).toEqual([])
  })

  test('of a newer loader is accepted with additional fields', async () => {
    const { loader, seen } = await openBoth()
    const later = { ...hello, capabilities: ['teleport'], mood: 'good' }
    await expect(loader.call('hello', later)).resolves.toMatchObject({ authenticated: false })
    expect(seen).toEqual([{ config: {}, colorScheme: 'light' }])
  })
})

describe('one-use code in the hello message', () => {
  const redeemed = () => makeRefreshAnswer()

  // spec L2.9
  test('starts its session before any later call is answered', async () => {
    const { loader, events } = await openBoth({ answers: { redeemSessionCode: redeemed } })
    const greeted = loader.call('hello', { ...hello, parameters: 'latchkey_token=one-use' })
    const [, { user }, { token }] = await Promise.all([
      greeted,
      loader.call('user', {}),
      loader.call('accessToken', {}),
    ])
    expect(user?.id).toBe(visitorUser.id)
    expect(token).toBe(redeemed().hostToken)
    await until(() => events.length === 3)
    expect(types(events)).toEqual(['login', 'tokenGranted', 'ready'])
    expect(events.at(-1)).toEqual({ type: 'ready', authenticated: true })
  })

  // spec L2.10
  test('is ignored if a user is logged in', async () => {
    const { loader, session, transport } = await openBoth({ answers: { redeemSessionCode: redeemed } })
    await session.start()
    session.accept(makeAuthAnswer())
    await loader.call('hello', { ...hello, parameters: 'latchkey_token=one-use' })
    await loader.call('user', {})
    expect(transport.calls('redeemSessionCode')).toEqual([])
  })

  // spec L2.8
  test('is removed from the URL parameters, and the others are passed on', async () => {
    const { loader, resumed } = await openBoth()
    const parameters = 'latchkey_oauth_code=c&latchkey_oauth_state=s&latchkey_oauth_provider=google'
    await loader.call('hello', { ...hello, parameters })
    expect(resumed).toEqual([parameters])
  })

  test('leaves a visitor if it is invalid', async () => {
    const redeemSessionCode = () => {
      throw refused('token_already_used', 401)
    }
    const { loader } = await openBoth({ answers: { redeemSessionCode } })
    await loader.call('hello', { ...hello, parameters: 'latchkey_token=one-use' })
    expect(await loader.call('user', {})).toEqual({ user: null })
  })
})

describe("a page's own login", () => {
  const page = { ...hello, hasHostLogin: true }

  test('is checked before any later call is answered, and before ready', async () => {
    const checked = Promise.withResolvers<void>()
    const { loader, session, events } = await openBoth({ serve: () => checked.promise })
    await session.start()
    await loader.call('hello', page)
    const user = watch(loader.call('user', {}))
    const token = watch(loader.call('accessToken', {}))
    await settle()
    expect([user.settled, token.settled, events]).toEqual([false, false, []])
    session.accept(makeAuthAnswer())
    checked.resolve()
    await until(() => user.settled && token.settled)
    expect(user.value).toMatchObject({ user: { id: visitorUser.id } })
    expect(token.value).toMatchObject({ token: makeAuthAnswer().hostToken })
    await until(() => events.at(-1)?.type === 'ready')
    expect(events.at(-1)).toEqual({ type: 'ready', authenticated: true })
  })

  test('replaces the login screen from its first message on', async () => {
    const { loader, flowCalls } = await openBoth({ serve: () => ({}) })
    await loader.call('hello', hello)
    loader.call('login', {}).catch(() => {})
    await until(() => flowCalls.length === 1)
    await loader.call('configure', { config: {}, colorScheme: 'light', hasHostLogin: true })
    loader.call('login', {}).catch(() => {})
    await until(() => flowCalls.length === 3)
    expect(flowCalls.map(({ name }) => name)).toEqual(['login', 'follow', 'hostLogin'])
  })

  test('does not block the calls of the page if its code does not load', async () => {
    const { loader } = await openBoth({
      serve() {
        throw new Error('404')
      },
    })
    await loader.call('hello', page)
    expect(await loader.call('user', {})).toEqual({ user: null })
  })
})

test('treats an undefined setting as not set', async () => {
  const { loader, seen } = await openBoth()
  const config = { name: 'Renamed', legal: undefined, appearance: { theme: undefined, logo: 'a.png' } }
  expect(await loader.call('hello', { ...hello, config })).toMatchObject({ warnings: [] })
  expect(seen).toMatchObject([{ config: { name: 'Renamed', appearance: { logo: 'a.png' } } }])
})

describe('configuration warning', () => {
  /** Sends a configuration like a page without types. */
  const config = {
    appearance: { colour: 'red', theme: 'dark' },
    rpcUrls: { 1: 'https://a.example' },
    foo: 1,
  } as object

  test('names each unknown setting by its path, and applies the others', async () => {
    const { loader, seen } = await openBoth()
    const { warnings } = await loader.call('hello', { ...hello, config })
    expect(warnings).toEqual([
      'Latchkey has no setting "appearance.colour": it does nothing.',
      'Latchkey has no setting "foo": it does nothing.',
    ])
    expect(seen).toMatchObject([
      { config: { appearance: { theme: 'dark' }, rpcUrls: { 1: 'https://a.example' } } },
    ])
  })

  test('is returned once, however often the host page configures', async () => {
    let idle = ['first']
    const { loader } = await openBoth({ idleSettings: () => idle })
    const configure = () => loader.call('configure', { config, colorScheme: 'light' })
    expect((await loader.call('hello', hello)).warnings).toEqual(['first'])
    expect((await configure()).warnings).toHaveLength(2)
    idle = ['first', 'second']
    expect((await configure()).warnings).toEqual(['second'])
    expect((await loader.call('hello', hello)).warnings).toEqual([])
  })

  test('describes the state after the configuration was applied', async () => {
    const order: string[] = []
    const { loader, seen } = await openBoth({
      idleSettings: () => {
        order.push(`asked after ${seen.length}`)
        return []
      },
    })
    await loader.call('hello', hello)
    expect(order).toEqual(['asked after 1'])
  })

  test('is limited to 20 over all messages of the host page', async () => {
    const { loader } = await openBoth()
    const many = Object.fromEntries(
      Array.from({ length: 30 }, (_, index) => [`${index} `.repeat(90), 1]),
    ) as object
    const { warnings } = await loader.call('hello', { ...hello, config: many })
    expect(warnings).toHaveLength(20)
    expect(Math.max(...warnings.map(({ length }) => length))).toBeLessThan(120)
    const more = { config: { another: 1 } as object, colorScheme: 'light' } as const
    expect((await loader.call('configure', more)).warnings).toEqual([])
  })

  test('is replaced by a rejection with the path for an invalid configuration', async () => {
    const { loader, seen } = await openBoth()
    const wrong = { appearance: { theme: 7 } } as object
    await expect(loader.call('hello', { ...hello, config: wrong })).rejects.toMatchObject({
      code: 'invalid_data',
      details: { path: 'config.appearance.theme' },
    })
    expect(seen).toEqual([])
  })
})
