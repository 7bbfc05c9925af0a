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
import { renderDialog, submitEmail } from '../../testing/page.tsx'

const accepted = { ...visitorUser, hasAcceptedTerms: true }
const ok = () => ({ success: true }) as const
const happy: Answers = {
  sendEmailCode: ok,
  loginWithEmailCode: () => makeAuthAnswer(),
  acceptTerms: () => accepted,
  me: () => visitorUser,
  logout: ok,
}
async function openDialog(options: FixtureOptions = {}) {
  const fixture = await makeFixture({
    app: { requireUsersAcceptTerms: true },
    ...options,
    answers: { ...happy, ...options.answers },
  })
  return { ...fixture, page: renderDialog(fixture) }
}

async function logIn(fixture: Pick<Fixture, 'login'> & Parameters<typeof renderDialog>[0]) {
  const login = watch(fixture.login())
  await settle()
  const page = await submitEmail(fixture, 'ada@example.org')
  await page.type('Digit 1 of 6', '123456')
  return login
}
async function logInToConsent(fixture: Awaited<ReturnType<typeof openDialog>>) {
  const login = await logIn(fixture)
  await fixture.clock.advance(900)
  await fixture.page.see('One last step')
  return login
}
const consent = 'AFFIRMATIVE_CONSENT_SCREEN'

describe('an app that requires its terms to be accepted', () => {
  // spec L4.18, L7.18
  test('asks 0.9 s after the login, and completes the login on acceptance', async () => {
    const fixture = await openDialog()
    const login = await logIn(fixture)
    await fixture.clock.advance(899)
    expect(fixture.screen()).toBe('AWAITING_PASSWORDLESS_CODE')
    await fixture.clock.advance(1)
    expect(fixture.screen()).toBe(consent)
    expect(login.settled).toBe(false)
    await fixture.page.press('Accept')
    expect(fixture.transport.calls('acceptTerms').map(({ body }) => body)).toEqual([{}])
    expect(login.value).toMatchObject({ user: { hasAcceptedTerms: true }, loginMethod: 'email' })
    expect(fixture.session.state()).toMatchObject({ user: accepted })
    expect(fixture.view()?.open).toBe(false)
  })

  test('rejects signatures, wallets, links and unlinks before the acceptance', async () => {
    const fixture = await openDialog()
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
  test('does not ask after an acceptance, or if neither app nor host requires it', async () => {
    const answers = { loginWithEmailCode: () => makeAuthAnswer({ user: accepted }) }
    for (const options of [{ answers }, { app: {} }]) {
      const fixture = await openDialog(options)
      const login = await logIn(fixture)
      expect(login.value).toMatchObject({ loginMethod: 'email' })
      await fixture.clock.advance(1_400)
      expect(fixture.view()?.open).toBe(false)
    }
  })

  test('asks if only the host requires it, and still asks if the host turns it off', async () => {
    for (const options of [
      { app: {}, config: { legal: { requireUsersAcceptTerms: true } } },
      { config: { legal: { requireUsersAcceptTerms: false } } },
    ]) {
      const fixture = await openDialog(options)
      await logInToConsent(fixture)
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
    'links to the documents of the host, else to those of the app: %j',
    async (legal, terms, privacy) => {
      const app = {
        requireUsersAcceptTerms: true,
        termsAndConditionsUrl: 'https://app.example/terms',
        privacyPolicyUrl: 'https://app.example/privacy',
      }
      const fixture = await openDialog({ app, config: { legal } })
      await logInToConsent(fixture)
      expect(fixture.page.link('View Terms')).toBe(terms)
      expect(fixture.page.link('View Privacy Policy')).toBe(privacy)
    },
  )

  // spec L4.39
  test('declining logs the user out and rejects the login', async () => {
    const fixture = await openDialog()
    const login = await logInToConsent(fixture)
    await fixture.page.press('No thanks')
    expect(login.error).toMatchObject({ code: 'exited_auth_flow' })
    expect(fixture.session.state().status).toBe('visitor')
    expect(fixture.transport.calls('logout')).toHaveLength(1)
    expect(fixture.transport.calls('acceptTerms')).toEqual([])
    expect(fixture.view()?.open).toBe(false)
  })

  test('warns that leaving logs the user out', async () => {
    const fixture = await openDialog()
    await logInToConsent(fixture)
    expect(fixture.view()?.screen?.leaveWords).toMatchObject({
      title: 'Leave without accepting?',
      detail: 'You would be logged out.',
    })
  })

  test('closing the card logs the user out, even before the question is visible', async () => {
    for (const shownForMs of [0, 900]) {
      const fixture = await openDialog()
      const login = await logIn(fixture)
      await fixture.clock.advance(shownForMs)
      await fixture.close()
      expect(login.error).toMatchObject({ code: 'exited_auth_flow' })
      expect(fixture.session.state().status).toBe('visitor')
    }
  })

  test('asks again at the next login if the user never answered, before any other step', async () => {
    const fixture = await openDialog({
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
    await fixture.page.press('Accept')
    expect(fixture.wallet.log).toContain('create')
    expect(login.value).toMatchObject({ wasAlreadyAuthenticated: true, user: { hasAcceptedTerms: true } })
  })

  // spec L4.20
  test('asks before it creates a wallet', async () => {
    const fixture = await openDialog({
      config: { embeddedWallets: { createOnLogin: 'all-users' } },
      answers: { acceptTerms: () => accepted, me: () => ({ ...walletUser, hasAcceptedTerms: true }) },
    })
    const login = await logInToConsent(fixture)
    expect(fixture.wallet.log).not.toContain('create')
    await fixture.page.press('Accept')
    expect(fixture.wallet.log).toContain('create')
    expect(fixture.screen()).toBe('EMBEDDED_WALLET_ON_ACCOUNT_CREATE_SCREEN')
    expect(login.settled).toBe(true)
  })
})

describe('an acceptance that fails', () => {
  test('shows the error, and its button leads back to the question', async () => {
    let tries = 0
    const fixture = await openDialog({
      answers: {
        acceptTerms() {
          tries += 1
          if (tries === 1) throw refused('too_many_requests', 429)
          return accepted
        },
      },
    })
    const login = await logInToConsent(fixture)
    await fixture.page.press('Accept')
    expect(fixture.screen()).toBe('ERROR_SCREEN')
    expect(login.settled).toBe(false)
    await fixture.page.press('Try again later')
    expect(fixture.screen()).toBe(consent)
    await fixture.page.press('Accept')
    expect(login.value).toMatchObject({ user: { hasAcceptedTerms: true } })
  })

  test('leads to a new login if the session is over', async () => {
    const fixture = await openDialog({
      answers: {
        async acceptTerms() {
          await fixture.session.logout()
          throw refused('missing_or_invalid_token', 401)
        },
      },
    })
    const login = await logInToConsent(fixture)
    await fixture.page.press('Accept')
    await fixture.page.press('Try again')
    expect(fixture.screen()).toBe('LANDING')
    expect(login.settled).toBe(false)
  })
})
