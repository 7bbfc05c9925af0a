import { describe, expect, test } from 'vitest'
import { settle } from '../../testing/clock.ts'
import { makeAuthAnswer, visitorUser, walletUser } from '../../testing/fixtures.ts'
import {
  type Answers,
  makeWorld,
  refused,
  type World,
  type WorldOptions,
  watch,
} from '../../testing/world.ts'

const accepted = { ...visitorUser, hasAcceptedTerms: true }
const ok = () => ({ success: true }) as const
const happy: Answers = {
  sendEmailCode: ok,
  loginWithEmailCode: () => makeAuthAnswer(),
  acceptTerms: () => accepted,
  me: () => visitorUser,
  logout: ok,
}
const asking = (options: WorldOptions = {}) =>
  makeWorld({ app: { requireUsersAcceptTerms: true }, ...options, answers: { ...happy, ...options.answers } })

async function logIn(world: World) {
  const login = watch(world.login())
  await settle()
  await world.enter(0, 'submit', 'ada@example.org')
  await world.press('AWAITING_PASSWORDLESS_CODE', 'submit', '123456')
  return login
}
async function atConsent(world: World) {
  const login = await logIn(world)
  await world.clock.advance(900)
  return login
}
const consent = 'AFFIRMATIVE_CONSENT_SCREEN'

describe('an app that requires its terms to be accepted', () => {
  // spec L4.18, L7.18
  test('asks 0.9 s after the login, and lets in who accepts', async () => {
    const world = await asking()
    const login = await logIn(world)
    await world.clock.advance(899)
    expect(world.screen()).toBe('AWAITING_PASSWORDLESS_CODE')
    await world.clock.advance(1)
    expect(world.screen()).toBe(consent)
    expect(login.settled).toBe(false)
    await world.press(consent, 'accept')
    expect(world.transport.calls('acceptTerms').map(({ body }) => body)).toEqual([{}])
    expect(login.value).toMatchObject({ user: { hasAcceptedTerms: true }, loginMethod: 'email' })
    expect(world.session.state()).toMatchObject({ user: accepted })
    expect(world.view()?.open).toBe(false)
  })

  test('has nobody sign, make a wallet, link or unlink before that', async () => {
    const world = await asking()
    world.session.accept(makeAuthAnswer({ user: walletUser }))
    const asked = await Promise.allSettled([
      world.signMessage({ message: 'Hello' }),
      world.createWallet(),
      world.link('email'),
      world.unlink('email', 'ada@example.org'),
    ])
    for (const each of asked) {
      expect(each).toMatchObject({ status: 'rejected', reason: { code: 'must_be_authenticated' } })
    }
    expect(world.frame).toEqual([])
    expect(world.wallet.log).toEqual([])
  })

  // spec L4.38
  test('asks nobody who has accepted, and an app that requires nothing asks nobody', async () => {
    const answers = { loginWithEmailCode: () => makeAuthAnswer({ user: accepted }) }
    for (const options of [{ answers }, { app: {} }]) {
      const world = await asking(options)
      const login = await logIn(world)
      expect(login.value).toMatchObject({ loginMethod: 'email' })
      await world.clock.advance(1_400)
      expect(world.view()?.open).toBe(false)
    }
  })

  test('asks where the host alone requires it, and the host can not let anybody off', async () => {
    for (const options of [
      { app: {}, config: { legal: { requireUsersAcceptTerms: true } } },
      { config: { legal: { requireUsersAcceptTerms: false } } },
    ]) {
      const world = await asking(options)
      await atConsent(world)
      expect(world.screen()).toBe(consent)
    }
  })

  // spec L2.34
  test('links to the texts that the host has, else to those of the app', async () => {
    const app = {
      requireUsersAcceptTerms: true,
      termsAndConditionsUrl: 'https://app.example/terms',
      privacyPolicyUrl: 'https://app.example/privacy',
    }
    const config = { legal: { privacyPolicyUrl: 'https://host.example/privacy' } } as const
    const world = await asking({ app, config })
    await atConsent(world)
    expect(world.state(consent)).toEqual({
      status: 'asking',
      termsUrl: 'https://app.example/terms',
      privacyUrl: 'https://host.example/privacy',
    })
  })

  // spec L4.39
  test('logs out who wants none of it, and closes without success', async () => {
    const world = await asking()
    const login = await atConsent(world)
    await world.press(consent, 'decline')
    expect(login.error).toMatchObject({ code: 'exited_auth_flow' })
    expect(world.session.state().status).toBe('visitor')
    expect(world.transport.calls('logout')).toHaveLength(1)
    expect(world.transport.calls('acceptTerms')).toEqual([])
    expect(world.view()?.open).toBe(false)
  })

  test('takes a closed card for a no, also before the question is seen', async () => {
    for (const shownForMs of [0, 900]) {
      const world = await asking()
      const login = await logIn(world)
      await world.clock.advance(shownForMs)
      await world.close()
      expect(login.error).toMatchObject({ code: 'exited_auth_flow' })
      expect(world.session.state().status).toBe('visitor')
    }
  })

  test('asks again, before anything else, who never answered', async () => {
    const world = await asking({
      config: { embeddedWallets: { createOnLogin: 'all-users' } },
      answers: { me: () => ({ ...walletUser, hasAcceptedTerms: true }) },
    })
    world.session.accept(makeAuthAnswer())
    await world.dialog.catchUp()
    expect(world.wallet.log).not.toContain('create')
    expect(world.frame).toEqual([])
    const login = watch(world.login())
    await settle()
    expect(world.screen()).toBe(consent)
    await world.press(consent, 'accept')
    expect(world.wallet.log).toContain('create')
    expect(login.value).toMatchObject({ wasAlreadyAuthenticated: true, user: { hasAcceptedTerms: true } })
  })

  // spec L4.20
  test('asks before a wallet is made', async () => {
    const world = await asking({
      config: { embeddedWallets: { createOnLogin: 'all-users' } },
      answers: { acceptTerms: () => accepted, me: () => ({ ...walletUser, hasAcceptedTerms: true }) },
    })
    const login = await atConsent(world)
    expect(world.wallet.log).not.toContain('create')
    await world.press(consent, 'accept')
    expect(world.wallet.log).toContain('create')
    expect(world.screen()).toBe('EMBEDDED_WALLET_CREATED_SCREEN')
    expect(login.settled).toBe(true)
  })
})

describe('an acceptance that fails', () => {
  test('says so, and back leads to the question', async () => {
    let tries = 0
    const world = await asking({
      answers: {
        acceptTerms() {
          tries += 1
          if (tries === 1) throw refused('too_many_requests', 429)
          return accepted
        },
      },
    })
    const login = await atConsent(world)
    await world.press(consent, 'accept')
    expect(world.screen()).toBe('ERROR_SCREEN')
    expect(login.settled).toBe(false)
    await world.press('ERROR_SCREEN', 'retry')
    expect(world.state(consent).status).toBe('asking')
    await world.press(consent, 'accept')
    expect(login.value).toMatchObject({ user: { hasAcceptedTerms: true } })
  })

  test('begins anew where the session is over', async () => {
    const world = await asking({
      answers: {
        async acceptTerms() {
          await world.session.logout()
          throw refused('missing_or_invalid_token', 401)
        },
      },
    })
    const login = await atConsent(world)
    await world.press(consent, 'accept')
    await world.press('ERROR_SCREEN', 'retry')
    expect(world.screen()).toBe('LANDING')
    expect(login.settled).toBe(false)
  })
})
