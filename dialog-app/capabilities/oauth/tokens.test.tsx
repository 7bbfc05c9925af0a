import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { AppConfig, ClientConfig, OAuthTokens, UserRecord } from '@latchkey/protocol'
import { describe, expect, test } from 'vitest'
import type { SessionListener } from '../../session/session.ts'
import { settle } from '../../testing/clock.ts'
import { type Answers, makeFixture, watch } from '../../testing/fixture.ts'
import { makeAuthAnswer, visitorUser } from '../../testing/fixtures.ts'
import { renderDialog } from '../../testing/page.tsx'
import { makeFakeBrowser } from '../../window-login/testing.ts'
import { capabilitiesIn } from './testing.ts'
import { handTokensOut } from './tokens.ts'

const times = { verifiedAt: 1, firstVerifiedAt: 1, latestVerifiedAt: 1 }
const google = { type: 'google_oauth' as const, subject: '1091', email: 'ada@example.com', ...times }
const owner: UserRecord = { ...visitorUser, linkedAccounts: [google] }
const tokens: OAuthTokens = {
  provider: 'google',
  accessToken: 'ya29.secret',
  accessTokenExpiresInSeconds: 3_600,
  refreshToken: '1//secret',
  scopes: ['openid', 'email'],
}
const asks: ClientConfig = { loginConfig: { oauthTokens: true } }
const hands = { oauthTokensToHost: true }

/** A server that hands tokens out to whoever asks, so that a dialog that asks is seen. */
async function open(given: {
  app?: Partial<AppConfig>
  config?: ClientConfig
  user?: UserRecord
  answers?: Answers
}) {
  const { user = owner } = given
  const begun: string[] = []
  const asked = ({ withTokens }: { withTokens?: boolean }) => withTokens && { oauthTokens: tokens }
  const fixture = await makeFixture({
    answers: {
      startOAuth: ({ stateCode }) => {
        begun.push(stateCode)
        return { url: 'http://dialog.localhost:4000/oauth/start/handle' }
      },
      oauthResult: () => ({
        status: 'completed',
        authorizationCode: 'code-1',
        stateCode: begun.at(-1) ?? 'none',
      }),
      loginWithOAuth: (body) => ({ ...makeAuthAnswer({ user }), ...asked(body) }),
      linkOAuth: (body) => ({ ...owner, ...asked(body) }),
      me: () => user,
      ...given.answers,
    },
    app: { emailAuth: false, googleOauth: true, ...given.app },
    config: given.config ?? {},
    capabilities: capabilitiesIn(makeFakeBrowser()),
  })
  const page = renderDialog(fixture)
  const press = () => page.press(/Google/)
  const logIn = async () => {
    const login = watch(fixture.login())
    await settle()
    await press()
    return login
  }
  const knownAs = async (known: UserRecord) => {
    await fixture.session.start()
    fixture.session.accept(makeAuthAnswer({ user: known }))
    await settle()
  }
  return { fixture, page, press, logIn, knownAs }
}
const heard = [{ name: 'oauthTokens', data: { tokens, user: expect.objectContaining({ id: owner.id }) } }]

describe('OAuth tokens of a provider', () => {
  test.each([
    ['the app allows tokens and the host requests them', hands, asks, true],
    ['the app does not allow tokens', {}, asks, false],
    ['the host does not request tokens', hands, {}, false],
    ['the host declines', hands, { loginConfig: { oauthTokens: false } }, false],
    ['neither the app nor the host wants tokens', {}, {}, false],
  ] as const)('applies both token settings at a login: %s', async (_where, app, config, isHanded) => {
    const { fixture, logIn } = await open({ app, config })
    const login = await logIn()
    expect(login.value).toMatchObject({ loginMethod: 'google' })
    const [sent] = fixture.transport.calls('loginWithOAuth')
    expect(Object(sent?.body).withTokens).toBe(isHanded ? true : undefined)
    expect(fixture.pageHeard).toEqual(isHanded ? heard : [])
    expect(JSON.stringify(login.value)).not.toContain('secret')
    expect(JSON.stringify(fixture.sessionStore.read())).not.toContain('ya29')
  })

  test('passes tokens to the host page at a link, with the linked user', async () => {
    const { fixture, press, knownAs } = await open({ app: hands, config: asks })
    await knownAs({ ...visitorUser, linkedAccounts: [] })
    const linked = watch(fixture.link('google'))
    await settle()
    await press()
    expect(linked.value).toMatchObject({ user: { linkedAccounts: [{ type: 'google_oauth' }] } })
    expect(fixture.pageHeard).toMatchObject([
      { name: 'oauthTokens', data: { tokens, user: { linkedAccounts: [{ subject: '1091' }] } } },
    ])
    expect(fixture.session.state()).not.toHaveProperty('user.oauthTokens')
  })

  const terms = { ...hands, requireUsersAcceptTerms: true }
  // spec L4.35
  test('passes tokens to the host page only after the user accepts the terms', async () => {
    const { fixture, page, logIn } = await open({
      app: terms,
      config: asks,
      answers: { acceptTerms: () => ({ ...owner, hasAcceptedTerms: true }) },
    })
    await logIn()
    await fixture.clock.advance(1_399)
    await page.see('Connected to Google')
    await fixture.clock.advance(1)
    expect(fixture.screen()).toBe('AFFIRMATIVE_CONSENT_SCREEN')
    expect(fixture.pageHeard).toEqual([])
    await page.press('Accept')
    expect(fixture.pageHeard).toEqual(heard)
  })

  test('discards tokens if the user declines the terms', async () => {
    const { fixture, page, logIn, knownAs } = await open({
      app: terms,
      config: asks,
      answers: { logout: () => ({ success: true }) },
    })
    await logIn()
    await fixture.clock.advance(1_400)
    await page.press('No thanks')
    await knownAs({ ...owner, hasAcceptedTerms: true })
    expect(fixture.pageHeard).toEqual([])
  })
})

/** Returns whether the object survives garbage collection while the page and its listeners stay alive. */
async function remainsInMemory(held: WeakRef<object>): Promise<boolean> {
  setFlagsFromString('--expose_gc')
  const collectGarbage: () => void = runInNewContext('gc')
  await new Promise((resolve) => setImmediate(resolve))
  collectGarbage()
  return held.deref() !== undefined
}

describe('an OAuth token in memory', () => {
  async function handOut() {
    const { fixture } = await open({ app: { ...hands, requireUsersAcceptTerms: true }, config: asks })
    const listeners: SessionListener[] = []
    const given = { ...tokens }
    const ports = {
      session: {
        ...fixture.session,
        subscribe(listener: SessionListener) {
          listeners.push(listener)
          return () => {}
        },
      },
      settings: fixture.settings,
      tellPage: () => {},
    }
    handTokensOut(ports, given, owner)
    const become = (user: UserRecord) => {
      for (const listener of listeners)
        listener({ status: 'authenticated', user }, { status: 'visitor' }, 'here')
    }
    return { held: new WeakRef<object>(given), become }
  }

  test('holds the token until the user accepts the terms, and releases it then', async () => {
    const { held, become } = await handOut()
    expect(await remainsInMemory(held)).toBe(true)
    become({ ...owner, hasAcceptedTerms: true })
    expect(await remainsInMemory(held)).toBe(false)
  })

  test('releases the token when another user logs in', async () => {
    const { held, become } = await handOut()
    become({ ...owner, id: 'user-2' })
    expect(await remainsInMemory(held)).toBe(false)
  })
})

describe('reauthorize', () => {
  const again = (fixture: Awaited<ReturnType<typeof open>>['fixture']) =>
    watch(fixture.more('reauthorize', { provider: 'google' }))

  test('passes the tokens to the host page without the oauthTokens setting', async () => {
    const { fixture, press, knownAs } = await open({ app: hands })
    await knownAs(owner)
    const asked = again(fixture)
    await settle()
    expect(fixture.screen()).toBe('LINK_ACCOUNT_SCREEN')
    await renderDialog(fixture).see('Connect your Google account again')
    await press()
    expect(asked.value).toMatchObject({ user: { linkedAccounts: [{ type: 'google_oauth' }] } })
    expect(fixture.pageHeard).toEqual(heard)
  })

  test.each([
    ['if the app does not allow tokens', {}, owner, 'not_supported'],
    ['if the user has no such account', hands, visitorUser, 'linked_account_not_found'],
  ] as const)('rejects without a card %s', async (_why, app, known, code) => {
    const { fixture, knownAs } = await open({ app })
    await knownAs(known)
    const asked = again(fixture)
    await settle()
    expect(asked.error).toMatchObject({ code })
    expect(fixture.frame).toEqual([])
  })

  test('rejects for a visitor', async () => {
    const { fixture } = await open({ app: hands, answers: { me: () => Promise.reject(new Error('nobody')) } })
    await fixture.session.start()
    const asked = again(fixture)
    await settle()
    expect(asked.error).toMatchObject({ code: 'must_be_authenticated' })
  })

  test('rejects with exited_link_flow if the user leaves', async () => {
    const { fixture, knownAs } = await open({ app: hands })
    await knownAs(owner)
    const asked = again(fixture)
    await settle()
    await fixture.close()
    expect(asked.error).toMatchObject({ code: 'exited_link_flow' })
  })
})
