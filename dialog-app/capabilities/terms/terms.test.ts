import { describe, expect, test } from 'vitest'
import { settle } from '../../testing/clock.ts'
import {
  type Answers,
  type Fixture,
  type FixtureOptions,
  makeFixture,
  refused,
  watch,
} from '../../testing/fixture.ts'
import { makeAuthAnswer, visitorUser, walletUser } from '../../testing/fixtures.ts'

const accepted = { ...visitorUser, hasAcceptedTerms: true }
const ok = () => ({ success: true }) as const
const happy: Answers = {
  sendEmailCode: ok,
  loginWithEmailCode: () => makeAuthAnswer(),
  acceptTerms: () => accepted,
  me: () => visitorUser,
  logout: ok,
}
const asking = (options: FixtureOptions = {}) =>
  makeFixture({
    app: { requireUsersAcceptTerms: true },
    ...options,
    answers: { ...happy, ...options.answers },
  })

async function logIn(fixture: Fixture) {
  const login = watch(fixture.login())
  await settle()
  await fixture.enter(0, 'submit', 'ada@example.org')
  await fixture.press('AWAITING_PASSWORDLESS_CODE', 'submit', '123456')
  return login
}
async function atConsent(fixture: Fixture) {
  const login = await logIn(fixture)
  await fixture.clock.advance(900)
  return login
}
const consent = 'AFFIRMATIVE_CONSENT_SCREEN'

describe('an app that requires its terms to be accepted', () => {
  // spec L4.18, L7.18
  test('asks 0.9 s after the login, and lets in who accepts', async () => {
    const fixture = await asking()
    const login = await logIn(fixture)
    await fixture.clock.advance(899)
    expect(fixture.screen()).toBe('AWAITING_PASSWORDLESS_CODE')
    await fixture.clock.advance(1)
    expect(fixture.screen()).toBe(consent)
    expect(login.settled).toBe(false)
    await fixture.press(consent, 'accept')
    expect(fixture.transport.calls('acceptTerms').map(({ body }) => body)).toEqual([{}])
    expect(login.value).toMatchObject({ user: { hasAcceptedTerms: true }, loginMethod: 'email' })
    expect(fixture.session.state()).toMatchObject({ user: accepted })
    expect(fixture.view()?.open).toBe(false)
  })

  test('has nobody sign, make a wallet, link or unlink before that', async () => {
    const fixture = await asking()
    fixture.session.accept(makeAuthAnswer({ user: walletUser }))
    const asked = await Promise.allSettled([
      fixture.signMessage({ message: 'Hello' }),
      fixture.createWallet(),
      fixture.link('email'),
      fixture.unlink('email', 'ada@example.org'),
    ])
    for (const each of asked) {
      expect(each).toMatchObject({ status: 'rejected', reason: { code: 'must_be_authenticated' } })
    }
    expect(fixture.frame).toEqual([])
    expect(fixture.wallet.log).toEqual([])
  })

  // spec L4.38
  test('asks nobody who has accepted, and an app that requires nothing asks nobody', async () => {
    const answers = { loginWithEmailCode: () => makeAuthAnswer({ user: accepted }) }
    for (const options of [{ answers }, { app: {} }]) {
      const fixture = await asking(options)
      const login = await logIn(fixture)
      expect(login.value).toMatchObject({ loginMethod: 'email' })
      await fixture.clock.advance(1_400)
      expect(fixture.view()?.open).toBe(false)
    }
  })

  test('asks where the host alone requires it, and the host can not let anybody off', async () => {
    for (const options of [
      { app: {}, config: { legal: { requireUsersAcceptTerms: true } } },
      { config: { legal: { requireUsersAcceptTerms: false } } },
    ]) {
      const fixture = await asking(options)
      await atConsent(fixture)
      expect(fixture.screen()).toBe(consent)
    }
  })

  // spec L2.34, L3.33
  test.each([
    [{}, 'https://app.example/terms', 'https://app.example/privacy'],
    [
      { termsAndConditionsUrl: 'https://host.example/terms' },
      'https://host.example/terms',
      'https://app.example/privacy',
    ],
    [
      { privacyPolicyUrl: 'https://host.example/privacy' },
      'https://app.example/terms',
      'https://host.example/privacy',
    ],
  ] as const)(
    'links to the texts of the page, else to those of the app: %j',
    async (legal, terms, privacy) => {
      const app = {
        requireUsersAcceptTerms: true,
        termsAndConditionsUrl: 'https://app.example/terms',
        privacyPolicyUrl: 'https://app.example/privacy',
      }
      const fixture = await asking({ app, config: { legal } })
      await atConsent(fixture)
      expect(fixture.state(consent)).toEqual({ status: 'asking', termsUrl: terms, privacyUrl: privacy })
    },
  )

  // spec L4.39
  test('logs out who wants none of it, and closes without success', async () => {
    const fixture = await asking()
    const login = await atConsent(fixture)
    await fixture.press(consent, 'decline')
    expect(login.error).toMatchObject({ code: 'exited_auth_flow' })
    expect(fixture.session.state().status).toBe('visitor')
    expect(fixture.transport.calls('logout')).toHaveLength(1)
    expect(fixture.transport.calls('acceptTerms')).toEqual([])
    expect(fixture.view()?.open).toBe(false)
  })

  test('takes a closed card for a no, also before the question is seen', async () => {
    for (const shownForMs of [0, 900]) {
      const fixture = await asking()
      const login = await logIn(fixture)
      await fixture.clock.advance(shownForMs)
      await fixture.close()
      expect(login.error).toMatchObject({ code: 'exited_auth_flow' })
      expect(fixture.session.state().status).toBe('visitor')
    }
  })

  test('asks again, before anything else, who never answered', async () => {
    const fixture = await asking({
      config: { embeddedWallets: { createOnLogin: 'all-users' } },
      answers: { me: () => ({ ...walletUser, hasAcceptedTerms: true }) },
    })
    fixture.session.accept(makeAuthAnswer())
    await fixture.dialog.catchUp()
    expect(fixture.wallet.log).not.toContain('create')
    expect(fixture.frame).toEqual([])
    const login = watch(fixture.login())
    await settle()
    expect(fixture.screen()).toBe(consent)
    await fixture.press(consent, 'accept')
    expect(fixture.wallet.log).toContain('create')
    expect(login.value).toMatchObject({ wasAlreadyAuthenticated: true, user: { hasAcceptedTerms: true } })
  })

  // spec L4.20
  test('asks before a wallet is made', async () => {
    const fixture = await asking({
      config: { embeddedWallets: { createOnLogin: 'all-users' } },
      answers: { acceptTerms: () => accepted, me: () => ({ ...walletUser, hasAcceptedTerms: true }) },
    })
    const login = await atConsent(fixture)
    expect(fixture.wallet.log).not.toContain('create')
    await fixture.press(consent, 'accept')
    expect(fixture.wallet.log).toContain('create')
    expect(fixture.screen()).toBe('EMBEDDED_WALLET_ON_ACCOUNT_CREATE_SCREEN')
    expect(login.settled).toBe(true)
  })
})

describe('an acceptance that fails', () => {
  test('says so, and back leads to the question', async () => {
    let tries = 0
    const fixture = await asking({
      answers: {
        acceptTerms() {
          tries += 1
          if (tries === 1) throw refused('too_many_requests', 429)
          return accepted
        },
      },
    })
    const login = await atConsent(fixture)
    await fixture.press(consent, 'accept')
    expect(fixture.screen()).toBe('ERROR_SCREEN')
    expect(login.settled).toBe(false)
    await fixture.press('ERROR_SCREEN', 'retry')
    expect(fixture.state(consent).status).toBe('asking')
    await fixture.press(consent, 'accept')
    expect(login.value).toMatchObject({ user: { hasAcceptedTerms: true } })
  })

  test('begins anew where the session is over', async () => {
    const fixture = await asking({
      answers: {
        async acceptTerms() {
          await fixture.session.logout()
          throw refused('missing_or_invalid_token', 401)
        },
      },
    })
    const login = await atConsent(fixture)
    await fixture.press(consent, 'accept')
    await fixture.press('ERROR_SCREEN', 'retry')
    expect(fixture.screen()).toBe('LANDING')
    expect(login.settled).toBe(false)
  })
})
