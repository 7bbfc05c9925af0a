import { LatchkeyError } from '@latchkey/protocol'
import { afterEach, describe, expect, test } from 'vitest'
import { makeBrowser, watch } from '../testing/fixture.ts'
import { makeAuthAnswer, makeRefreshAnswer, makeToken, visitorUser } from '../testing/fixtures.ts'
import { closeAll, hello, openBoth, types, until, viewport } from '../testing/host.ts'
import { soon } from '../testing/session.ts'
import { hostUser } from './host-user.ts'

afterEach(closeAll)

describe('host page calls', () => {
  test('return the user, or null for a visitor', async () => {
    const { loader, session } = await openBoth()
    expect(await loader.call('user', {})).toEqual({ user: null })
    session.accept(makeAuthAnswer())
    expect(await loader.call('user', {})).toEqual({ user: hostUser(visitorUser) })
  })

  // spec L7.46
  test('return the host token with its remaining lifetime', async () => {
    const { loader, session } = await openBoth()
    expect(await loader.call('accessToken', {})).toEqual({ token: null, expiresInSeconds: 0 })
    const hostToken = makeToken({ jti: 'host' })
    session.accept(makeAuthAnswer({ hostToken }))
    expect(await loader.call('accessToken', {})).toEqual({ token: hostToken, expiresInSeconds: 900 })
  })

  test('load no flows if no screen is needed', async () => {
    const { loader, session, flowCalls } = await openBoth()
    session.accept(makeAuthAnswer())
    await loader.call('hello', hello)
    await loader.call('accessToken', {})
    expect(await loader.call('logout', {})).toEqual({})
    expect(session.state().status).toBe('visitor')
    expect(flowCalls).toEqual([])
  })

  test('reject with session_storage_unavailable if the browser stores nothing', async () => {
    const browser = makeBrowser()
    browser.store.breakDown()
    const { loader, events } = await openBoth({ browser })
    expect(await loader.call('hello', hello)).toMatchObject({ authenticated: false })
    for (const name of ['user', 'accessToken'] as const) {
      await expect(loader.call(name, {})).rejects.toMatchObject({ code: 'session_storage_unavailable' })
    }
    await until(() => events.length === 1)
    expect(events).toEqual([{ type: 'ready', authenticated: false }])
  })
})

// The dialog's origin appears on links that it renders, so such links must leave the product's origins.
describe('URL on one of our own origins', () => {
  const own = 'https://dialog.example/oauth/start/a'
  const others = 'https://app.example/terms'

  test.each([
    [
      'config.legal.termsAndConditionsUrl',
      (address: `https://${string}`) => ({ legal: { termsAndConditionsUrl: address } }),
    ],
    [
      'config.legal.privacyPolicyUrl',
      (address: `https://${string}`) => ({ legal: { privacyPolicyUrl: address } }),
    ],
    [
      'config.allowlistConfig.ctaLink',
      (address: `https://${string}`) => ({ allowlistConfig: { ctaLink: address } }),
    ],
    ['config.appearance.logo', (address: `https://${string}`) => ({ appearance: { logo: address } })],
  ])('is rejected in %s together with its configuration', async (path, configOf) => {
    const { loader, seen } = await openBoth()
    const refused = { code: 'invalid_data', details: { path } }
    for (const address of [own, 'https://wallet.example:444/'] as const) {
      const config = configOf(address)
      await expect(loader.call('hello', { ...hello, config })).rejects.toMatchObject(refused)
      const change = { config, colorScheme: 'dark' } as const
      await expect(loader.call('configure', change)).rejects.toMatchObject(refused)
    }
    expect(seen).toEqual([])
    await loader.call('hello', { ...hello, config: configOf(others) })
    expect(seen).toHaveLength(1)
  })

  test('is rejected as the icon of a signing request, and accepted inside its text', async () => {
    const { loader, flowCalls } = await openBoth({ serve: () => Promise.resolve({}) })
    const sign = (iconUrl: string) =>
      loader.call('moreForUser', { call: 'signMessage', data: { message: own, ui: { iconUrl } } })
    await expect(sign(own)).rejects.toMatchObject({ code: 'invalid_data', details: { path: 'ui.iconUrl' } })
    expect(flowCalls).toEqual([])
    await sign('https://app.example/icon.png')
    expect(flowCalls).toMatchObject([{ name: 'signMessage', data: { message: own } }])
  })
})

describe('call that flows serve', () => {
  const loggedIn = {
    user: hostUser(visitorUser),
    isNewUser: false,
    wasAlreadyAuthenticated: true,
    loginMethod: null,
    loginAccount: null,
  }

  test('runs the login, which has its own row in the contract', async () => {
    const { loader, flowCalls } = await openBoth({ serve: () => loggedIn })
    expect(await loader.call('login', {})).toEqual(loggedIn)
    expect(flowCalls).toMatchObject([{ name: 'login' }])
  })

  test.each([
    ['more', { policy: 'headless' }],
    ['read', { policy: 'headless', pace: 'reads' }],
    ['moreForUser', { policy: 'needs-user' }],
  ] as const)('is dispatched by its name from row %s with policy %j', async (row, rule) => {
    const { loader, flowCalls } = await openBoth({ serve: () => ({ flown: 'far' }) })
    expect(await loader.call(row, { call: 'fly', data: { to: 'Rome' } })).toEqual({ flown: 'far' })
    expect(flowCalls).toMatchObject([{ name: 'fly', data: { to: 'Rome' }, ...rule }])
  })

  test('rejects with the error code of the flow', async () => {
    const serve = () => Promise.reject(new LatchkeyError('exited_auth_flow', 'Closed'))
    const { loader } = await openBoth({ serve })
    await expect(loader.call('login', {})).rejects.toMatchObject({ code: 'exited_auth_flow' })
  })

  test('ends when the host page cancels it', async () => {
    const { loader, flowCalls } = await openBoth({ serve: () => new Promise(() => {}) })
    const caller = new AbortController()
    const asked = watch(loader.call('moreForUser', { call: 'fly', data: {} }, caller))
    await until(() => flowCalls.length === 1)
    expect(flowCalls[0]?.signal.aborted).toBe(false)
    caller.abort(new LatchkeyError('call_cancelled', 'The page was left'))
    await until(() => flowCalls[0]?.signal.aborted === true)
    await until(() => asked.settled)
    expect(asked.error).toMatchObject({ code: 'call_cancelled' })
  })

  test('ends with the channel to the host page', async () => {
    const { loader, flowCalls } = await openBoth({ serve: () => new Promise(() => {}) })
    watch(loader.call('login', {}))
    await until(() => flowCalls.length === 1)
    loader.destroy()
    await until(() => flowCalls[0]?.signal.aborted === true)
    expect(flowCalls[0]?.signal.reason).toMatchObject({ code: 'channel_closed' })
  })
})

describe('host page events', () => {
  test('include login and logout, and never a token', async () => {
    const { session, events } = await openBoth()
    await session.start()
    session.accept(makeAuthAnswer())
    await session.logout()
    await until(() => events.length === 5)
    expect(types(events)).toEqual(['login', 'tokenGranted', 'logout', 'user', 'tokenRemoved'])
    expect(JSON.stringify(events)).not.toMatch(/eyJ|refresh-/)
  })

  test('report another user as a logout and a login, before the new token', async () => {
    const other = { ...visitorUser, id: 'user-2' }
    const { session, loader, sessionStore, events } = await openBoth({ answers: { me: () => other } })
    session.accept(makeAuthAnswer())
    await until(() => events.length === 2)
    const token = makeToken({ sub: 'user-2' })
    sessionStore.write({ ...sessionStore.read(), accessToken: token, hostToken: token })
    expect(await loader.call('accessToken', {})).toMatchObject({ token })
    expect(types(events).slice(2)).toEqual(['logout', 'user', 'tokenRemoved', 'login', 'tokenGranted'])
  })

  test('report no user until the terms are accepted, and then a login', async () => {
    const { session, loader, sessionStore, events } = await openBoth({
      answers: { me: () => visitorUser },
      isTold: (user) => user?.hasAcceptedTerms === true,
    })
    sessionStore.write({ ...sessionStore.read(), accessToken: makeToken(), hostToken: makeToken() })
    await loader.call('hello', hello)
    expect(await loader.call('user', {})).toEqual({ user: null })
    expect(await loader.call('accessToken', {})).toEqual({ token: null, expiresInSeconds: 0 })
    await until(() => events.length === 1)
    expect(events).toEqual([{ type: 'ready', authenticated: false }])
    session.replaceUser({ ...visitorUser, hasAcceptedTerms: true })
    expect(await loader.call('accessToken', {})).toMatchObject({ token: makeToken() })
    await until(() => events.length === 3)
    expect(types(events)).toEqual(['ready', 'login', 'tokenGranted'])
  })

  test('report ready for a stored session only after an unreachable server has answered', async () => {
    let isDown = true
    const me = () => {
      if (isDown) throw new LatchkeyError('server_unreachable', 'down')
      return visitorUser
    }
    const { loader, sessionStore, events } = await openBoth({ answers: { me } })
    sessionStore.write({ ...sessionStore.read(), accessToken: makeToken(), refreshToken: 'refresh-1' })
    await loader.call('hello', hello)
    await expect(loader.call('user', {})).rejects.toMatchObject({ code: 'server_unreachable' })
    expect(events).toEqual([])
    isDown = false
    expect(await loader.call('user', {})).toMatchObject({ user: { id: visitorUser.id } })
    await until(() => events.length === 3)
    expect(types(events)).toEqual(['user', 'tokenGranted', 'ready'])
  })

  test('report a stored session as ready instead of a login', async () => {
    const { loader, sessionStore, events } = await openBoth({ answers: { me: () => visitorUser } })
    sessionStore.write({ ...sessionStore.read(), accessToken: makeToken(), refreshToken: 'refresh-1' })
    expect(await loader.call('hello', hello)).toMatchObject({ authenticated: true })
    await until(() => events.length === 3)
    expect(types(events)).toEqual(['user', 'tokenGranted', 'ready'])
  })
})

describe('change to another user', () => {
  const other = { ...visitorUser, id: 'user-2' }
  const changes = ['logout', 'user', 'tokenRemoved', 'login', 'tokenGranted']

  test('emits a logout and a login if another tab caused it', async () => {
    const browser = makeBrowser()
    const { session, loader, events } = await openBoth({ browser, answers: { me: () => other } })
    await session.start()
    session.accept(makeAuthAnswer())
    await until(() => events.length === 2)
    const { session: elsewhere } = await openBoth({ browser, answers: { logout: () => ({ success: true }) } })
    elsewhere.accept(
      makeAuthAnswer({
        user: other,
        token: makeToken({ sub: other.id }),
        hostToken: makeToken({ sub: other.id, jti: 'host-2' }),
      }),
    )
    await until(() => events.length >= 7)
    expect(types(events.slice(2))).toEqual(changes)
    expect(events.slice(2)).toMatchObject([{}, { user: null }, {}, { user: { id: 'user-2' } }, {}])
    expect(await loader.call('accessToken', {})).toMatchObject({
      token: makeToken({ sub: other.id, jti: 'host-2' }),
    })
  })

  test('emits a logout and a login if a refresh returned another user', async () => {
    const refreshSession = () =>
      makeRefreshAnswer({
        user: other,
        token: makeToken({ sub: other.id }),
        hostToken: makeToken({ sub: other.id, jti: 'host-2' }),
      })
    const { session, loader, events } = await openBoth({ answers: { refreshSession } })
    await session.start()
    session.accept(makeAuthAnswer({ hostToken: soon(10) }))
    await until(() => events.length === 2)
    expect(await loader.call('accessToken', {})).toMatchObject({
      token: makeToken({ sub: other.id, jti: 'host-2' }),
    })
    await until(() => events.length >= 7)
    expect(types(events.slice(2))).toEqual(changes)
  })

  test('emits no login for a change of the same user', async () => {
    const { session, events } = await openBoth()
    await session.start()
    session.accept(makeAuthAnswer())
    session.replaceUser({ ...visitorUser, hasAcceptedTerms: true })
    await until(() => events.length === 3)
    expect(types(events)).toEqual(['login', 'tokenGranted', 'user'])
  })
})

test('shows and hides the frame, and emits open once something is drawn', async () => {
  const { link, loader, frame, events, seen } = await openBoth()
  link.drawn()
  await link.show()
  // Events before the response have arrived before it.
  await loader.call('user', {})
  expect(events).toEqual([])
  link.drawn()
  link.drawn()
  link.hide()
  link.drawn()
  await until(() => frame.length === 2)
  await loader.call('user', {})
  expect(frame).toEqual(['show', 'hide'])
  expect(types(events)).toEqual(['open'])
  expect(seen).toEqual([viewport])
})
