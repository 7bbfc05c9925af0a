import { describe, expect, test } from 'vitest'
import { kept, setUp } from '../testing/session.ts'
import { createSessionStore, noSession, updateSession } from './stored-session.ts'

const answer = { token: 'access-1', refreshToken: 'refresh-1', hostToken: 'host-1' }

describe('updating the stored session with a response', () => {
  // spec L4.1
  test('stores both tokens for set', () => {
    const next = updateSession(kept, { ...answer, sessionUpdateAction: 'set' }, 'storage')
    expect(next).toMatchObject({ accessToken: 'access-1', refreshToken: 'refresh-1', hostToken: 'host-1' })
  })
  // spec L4.2
  test('clears everything for clear', () => {
    expect(updateSession(kept, { ...answer, sessionUpdateAction: 'clear' }, 'storage')).toEqual(noSession)
  })
  // spec L4.3
  test('stores only the access token for ignore', () => {
    const next = updateSession(kept, { ...answer, sessionUpdateAction: 'ignore' }, 'storage')
    expect(next).toMatchObject({ accessToken: 'access-1', refreshToken: 'refresh-0' })
  })
  // spec L4.3
  test('stores nothing for ignore without a token', () => {
    const empty = { token: null, refreshToken: 'refresh-1', sessionUpdateAction: 'ignore' } as const
    expect(updateSession(kept, empty, 'storage')).toEqual(kept)
  })
  // spec L4.4
  test('stores both tokens for an absent action', () => {
    expect(updateSession(kept, answer, 'storage')).toMatchObject({
      accessToken: 'access-1',
      refreshToken: 'refresh-1',
    })
  })
  // spec L7.27
  test('stores no refresh token in cookie mode', () => {
    expect(updateSession(noSession, answer, 'cookie')).toMatchObject({
      accessToken: 'access-1',
      refreshToken: null,
    })
  })
})

describe('session store', () => {
  // spec L3.5
  test('holds four kinds of tokens, and one per provider, under a name with the app id', () => {
    const { sessionStore, browser } = setUp()
    const session = {
      accessToken: 'access-0',
      refreshToken: 'refresh-0',
      forkedToken: 'fork-0',
      hostToken: 'host-0',
      providerAccessTokens: { lkone: 'provider-1', lktwo: 'provider-2' },
    }
    sessionStore.write(session)
    const [[name, json] = ['', '']] = browser.store.entries
    expect(name).toMatch(/^latchkey:lkdemo0000000000000000001:/)
    expect(JSON.parse(json)).toEqual({
      accessToken: 'access-0',
      refreshToken: 'refresh-0',
      forkedToken: 'fork-0',
      hostToken: 'host-0',
      providerAccessTokens: { lkone: 'provider-1', lktwo: 'provider-2' },
      ended: [],
    })
    const afterReload = createSessionStore({ appId: 'lkdemo0000000000000000001', store: browser.store })
    expect(afterReload.read()).toEqual(session)
  })

  // spec L3.5
  test('keeps provider tokens on a refresh, and clears them with the session', () => {
    const set = updateSession(kept, { ...answer, sessionUpdateAction: 'set' }, 'storage')
    expect(set.providerAccessTokens).toEqual({ app: 'provider-0' })
    const clear = updateSession(kept, { ...answer, sessionUpdateAction: 'clear' }, 'storage')
    expect(clear.providerAccessTokens).toEqual({})
  })

  test.each(['', '{', 'null', '[]', '{"accessToken":7}', '{"accessToken":"a"}'])(
    'reads the stored value %j as no session',
    (json) => {
      const { sessionStore, browser } = setUp()
      sessionStore.write(kept)
      const [name = ''] = browser.store.entries.keys()
      browser.store.entries.set(name, json)
      expect(sessionStore.read()).toEqual(noSession)
    },
  )

  test('throws session_storage_unavailable if the browser stores nothing', async () => {
    const { session, browser } = setUp()
    browser.store.breakDown()
    await expect(session.user()).rejects.toMatchObject({ code: 'session_storage_unavailable' })
    await expect(session.hostToken()).rejects.toMatchObject({ code: 'session_storage_unavailable' })
  })
})
