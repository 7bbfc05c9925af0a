import { describe, expect, test } from 'vitest'
import { kept, setUp } from '../testing/session.ts'
import { createSessionKeeper, noSession, updateSession } from './kept-session.ts'

const answer = { token: 'access-1', refreshToken: 'refresh-1', hostToken: 'host-1' }

describe('what an answer does to the kept session', () => {
  // spec L4.1
  test('set stores both tokens', () => {
    const next = updateSession(kept, { ...answer, sessionUpdateAction: 'set' }, 'storage')
    expect(next).toMatchObject({ accessToken: 'access-1', refreshToken: 'refresh-1', hostToken: 'host-1' })
  })
  // spec L4.2
  test('clear wipes everything', () => {
    expect(updateSession(kept, { ...answer, sessionUpdateAction: 'clear' }, 'storage')).toEqual(noSession)
  })
  // spec L4.3
  test('ignore stores the access token alone', () => {
    const next = updateSession(kept, { ...answer, sessionUpdateAction: 'ignore' }, 'storage')
    expect(next).toMatchObject({ accessToken: 'access-1', refreshToken: 'refresh-0' })
  })
  // spec L4.3
  test('ignore stores nothing when no token is present', () => {
    const empty = { token: null, refreshToken: 'refresh-1', sessionUpdateAction: 'ignore' } as const
    expect(updateSession(kept, empty, 'storage')).toEqual(kept)
  })
  // spec L4.4
  test('an absent action stores both tokens', () => {
    expect(updateSession(kept, answer, 'storage')).toMatchObject({
      accessToken: 'access-1',
      refreshToken: 'refresh-1',
    })
  })
  // spec L7.27
  test('in cookie mode no refresh token is kept', () => {
    expect(updateSession(noSession, answer, 'cookie')).toMatchObject({
      accessToken: 'access-1',
      refreshToken: null,
    })
  })
})

describe('the kept session', () => {
  // spec L3.5
  test('holds its four kinds of tokens, and one of each provider, under a name with the app id', () => {
    const { keeper, browser } = setUp()
    const session = {
      accessToken: 'access-0',
      refreshToken: 'refresh-0',
      forkedToken: 'fork-0',
      hostToken: 'host-0',
      providerAccessTokens: { lkone: 'provider-1', lktwo: 'provider-2' },
    }
    keeper.write(session)
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
    const afterReload = createSessionKeeper({ appId: 'lkdemo0000000000000000001', store: browser.store })
    expect(afterReload.read()).toEqual(session)
  })

  // spec L3.5
  test('has the tokens of providers still when it was refreshed, and none when it is over', () => {
    const set = updateSession(kept, { ...answer, sessionUpdateAction: 'set' }, 'storage')
    expect(set.providerAccessTokens).toEqual({ app: 'provider-0' })
    const clear = updateSession(kept, { ...answer, sessionUpdateAction: 'clear' }, 'storage')
    expect(clear.providerAccessTokens).toEqual({})
  })

  test.each(['', '{', 'null', '[]', '{"accessToken":7}', '{"accessToken":"a"}'])(
    'is no session when %j is found in its place',
    (json) => {
      const { keeper, browser } = setUp()
      keeper.write(kept)
      const [name = ''] = browser.store.entries.keys()
      browser.store.entries.set(name, json)
      expect(keeper.read()).toEqual(noSession)
    },
  )

  test('says session_storage_unavailable when the browser keeps nothing', async () => {
    const { session, browser } = setUp()
    browser.store.breakDown()
    await expect(session.user()).rejects.toMatchObject({ code: 'session_storage_unavailable' })
    await expect(session.hostToken()).rejects.toMatchObject({ code: 'session_storage_unavailable' })
  })
})
