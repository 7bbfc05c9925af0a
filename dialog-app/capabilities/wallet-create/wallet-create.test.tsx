import { LatchkeyError, type UserRecord } from '@latchkey/protocol'
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
import { makeAuthAnswer, makeToken, visitorUser, walletAccount, walletUser } from '../../testing/fixtures.ts'
import { submitEmail } from '../../testing/page.tsx'
import { createWalletCreation } from './creation.ts'

const ok = () => ({ success: true }) as const
const email = 'ada@example.org'
const onLogin = { embeddedWallets: { createOnLogin: 'all-users' } } as const
const answers = (change: Answers = {}): Answers => ({
  sendEmailCode: ok,
  loginWithEmailCode: () => makeAuthAnswer(),
  logout: ok,
  me: () => walletUser,
  ...change,
})
const rejects = (error: unknown) => () => Promise.reject(error)

async function logIn(fixture: Fixture) {
  const login = watch(fixture.login())
  await settle()
  const page = await submitEmail(fixture, email)
  await page.type('Digit 1 of 6', '123456')
  return { login, page }
}

describe('creation on login', () => {
  // spec L4.21, W2.1, W2.2
  test('starts with the login, shows its screen after 0.9 s even if done by then, and closes after 2.5 s', async () => {
    const fixture = await makeFixture({ answers: answers(), config: onLogin })
    const { login, page } = await logIn(fixture)
    expect(fixture.wallet.log).toContain('create')
    await fixture.clock.advance(899)
    expect(fixture.screen()).toBe('AWAITING_PASSWORDLESS_CODE')
    await fixture.clock.advance(1)
    await page.see('Creating your wallet')
    await fixture.clock.advance(499)
    expect(fixture.screen()).toBe('EMBEDDED_WALLET_ON_ACCOUNT_CREATE_SCREEN')
    await fixture.clock.advance(1)
    await page.see('Welcome')
    expect(page.has('Your account and wallet are ready.')).toBe(true)
    await fixture.clock.advance(2_499)
    expect(fixture.view()?.open).toBe(true)
    await fixture.clock.advance(1)
    expect(fixture.view()?.open).toBe(false)
    expect(login.value).toMatchObject({ user: { wallet: walletAccount }, isNewUser: true })
    // spec W4.8
    expect(fixture.events).toEqual([
      'modal_open',
      'sdk_authenticate',
      'embedded_wallet_creation_started',
      'embedded_wallet_creation_completed',
      'modal_closed',
    ])
  })

  test('delays the result of the login, but its success screen does not', async () => {
    const made = Promise.withResolvers<string>()
    const fixture = await makeFixture({
      answers: answers(),
      config: onLogin,
      wallet: { create: () => made.promise },
    })
    const { login } = await logIn(fixture)
    await fixture.clock.advance(60_000)
    expect(login.settled).toBe(false)
    made.resolve(walletAccount.address)
    await settle()
    expect(login.value).toMatchObject({ user: { wallet: walletAccount } })
    expect(fixture.view()).toMatchObject({ open: true, held: true })
  })

  test('does not delay the login if it is done while the code success is visible', async () => {
    const fixture = await makeFixture({ answers: answers(), config: onLogin })
    const { login } = await logIn(fixture)
    expect(fixture.screen()).toBe('AWAITING_PASSWORDLESS_CODE')
    expect(login.value).toMatchObject({ user: { wallet: walletAccount } })
  })

  /** Returns the names of the screens in order, without their states. */
  const screensOf = (fixture: Fixture) =>
    fixture.views.map(({ screen }) => screen?.name).filter((name, at, all) => name !== all[at - 1])

  test('is followed immediately by a signature on the same card', async () => {
    const fixture = await makeFixture({ answers: answers(), config: onLogin })
    await logIn(fixture)
    await fixture.clock.advance(900 + 500)
    expect(fixture.screen()).toBe('EMBEDDED_WALLET_CREATED_SCREEN')
    watch(fixture.signMessage({ message: 'Hello' }))
    await settle()
    await fixture.clock.advance(5_000)
    expect(fixture.frame).toEqual(['show'])
    expect(fixture.view()?.open).toBe(true)
    expect(screensOf(fixture).slice(-2)).toEqual([
      'EMBEDDED_WALLET_CREATED_SCREEN',
      'EMBEDDED_WALLET_SIGN_REQUEST_SCREEN',
    ])
  })

  test('shows its screens in order, and each can be skipped', async () => {
    const made = Promise.withResolvers<string>()
    const create = () => made.promise
    const fixture = await makeFixture({ answers: answers(), config: onLogin, wallet: { create } })
    await logIn(fixture)
    const skip = async () => {
      fixture.stage.skip()
      await settle()
    }
    await skip()
    expect(fixture.view()).toMatchObject({
      screen: { name: 'EMBEDDED_WALLET_ON_ACCOUNT_CREATE_SCREEN' },
      direction: 'forward',
    })
    await skip()
    expect(fixture.screen()).toBe('EMBEDDED_WALLET_ON_ACCOUNT_CREATE_SCREEN')
    made.resolve(walletAccount.address)
    await settle()
    expect(fixture.view()).toMatchObject({
      screen: { name: 'EMBEDDED_WALLET_CREATED_SCREEN' },
      direction: 'forward',
      held: true,
    })
    await skip()
    expect(fixture.view()?.open).toBe(false)
  })

  /** Returns the time from the last digit until the page is uncovered, on the test's clock. */
  async function untilPageIsFree(createMs: number, skips = false) {
    const made = Promise.withResolvers<string>()
    let isBegun = false
    const create = () => {
      isBegun = true
      return made.promise
    }
    const fixture = await makeFixture({ answers: answers(), config: onLogin, wallet: { create } })
    await logIn(fixture)
    expect(isBegun).toBe(true)
    let ms = 0
    while (ms < 20_000) {
      if (ms === createMs) made.resolve(walletAccount.address)
      await settle()
      while (skips && fixture.view()?.held) {
        fixture.stage.skip()
        await settle()
      }
      if (fixture.frame.includes('hide')) return ms
      const steps = [createMs - ms, ...fixture.clock.waiting()].filter((step) => step > 0)
      const step = Math.min(...steps)
      await fixture.clock.advance(step)
      ms += step
    }
    return Number.POSITIVE_INFINITY
  }

  // spec L4.23, L4.11, W2.2
  test('frees the page 0.2 s after its screens had their time, without further delay', async () => {
    expect(await untilPageIsFree(0)).toBe(900 + 500 + 2_500 + 200)
    // The creation runs behind both screens.
    expect(await untilPageIsFree(1_400)).toBe(900 + 500 + 2_500 + 200)
    expect(await untilPageIsFree(3_000)).toBe(3_000 + 2_500 + 200)
  })

  test('frees the page as soon as the user skips its screens', async () => {
    expect(await untilPageIsFree(0, true)).toBe(200)
    expect(await untilPageIsFree(500, true)).toBe(500 + 200)
  })

  test('keeps the user logged in if it fails after the card was closed', async () => {
    const made = Promise.withResolvers<string>()
    const create = () => made.promise
    const fixture = await makeFixture({ answers: answers(), config: onLogin, wallet: { create } })
    const { login } = await logIn(fixture)
    await fixture.close()
    expect(login.value).toMatchObject({ user: { id: visitorUser.id } })
    made.reject(new LatchkeyError('share_mismatch', 'Not the share'))
    await settle()
    expect(fixture.session.state().status).toBe('authenticated')
  })

  // spec W2.2
  test("shows 'All set!' to a returning user", async () => {
    const again = answers({ loginWithEmailCode: () => makeAuthAnswer({ isNewUser: false }) })
    const fixture = await makeFixture({ answers: again, config: onLogin })
    const { page } = await logIn(fixture)
    await fixture.clock.advance(900 + 500)
    await page.see('All set!')
  })

  test('keeps another user logged in if it fails after their login in another tab', async () => {
    const fixture = await makeFixture({
      answers: answers(),
      config: onLogin,
      wallet: { create: () => new Promise(() => {}) },
    })
    await logIn(fixture)
    fixture.session.accept(
      makeAuthAnswer({ user: { ...visitorUser, id: 'user-2' }, token: makeToken({ sub: 'user-2' }) }),
    )
    await settle()
    expect(fixture.session.state()).toMatchObject({ status: 'authenticated', user: { id: 'user-2' } })
  })

  // spec L2.4, W2.1
  test('cannot be closed while it runs', async () => {
    const fixture = await makeFixture({
      answers: answers(),
      config: onLogin,
      wallet: { create: () => new Promise(() => {}) },
    })
    const { page } = await logIn(fixture)
    await fixture.clock.advance(900)
    await page.see('Creating your wallet')
    expect(fixture.view()?.header).toMatchObject({ back: false, close: false })
  })

  // spec L4.22, W2.1
  test('logs the user out if it fails, shows why, and starts over', async () => {
    const fixture = await makeFixture({
      answers: answers(),
      config: onLogin,
      wallet: { create: rejects(new LatchkeyError('share_mismatch', 'Not the share')) },
    })
    const { login, page } = await logIn(fixture)
    await fixture.clock.advance(900)
    expect(fixture.session.state().status).toBe('visitor')
    expect(fixture.sessionStore.read().refreshToken).toBeNull()
    // The title and the detail.
    expect(page.texts().filter((text) => text === 'Failed to create wallet')).toHaveLength(2)
    expect(fixture.view()?.header).toMatchObject({ back: false, close: true })
    expect(fixture.events).toContain('embedded_wallet_creation_failed')
    expect(fixture.events).toContain('embedded_wallet_creation_failure_logout')
    await page.press('Try again')
    expect(fixture.screen()).toBe('LANDING')
    await fixture.close()
    expect(login.error).toMatchObject({ code: 'exited_auth_flow' })
  })

  test('shows a failure on its own screen, with a way out', async () => {
    const made = Promise.withResolvers<string>()
    const create = () => made.promise
    const fixture = await makeFixture({ answers: answers(), config: onLogin, wallet: { create } })
    const { page } = await logIn(fixture)
    await fixture.clock.advance(900)
    await page.see('Creating your wallet')
    const step = fixture.view()?.step
    made.reject(new LatchkeyError('call_timeout', 'Too late'))
    await page.see('walletProxy.create timed out.')
    expect(fixture.view()).toMatchObject({ step, header: { back: false, close: true } })
    await page.press('Try again')
    expect(fixture.screen()).toBe('LANDING')
  })

  test('succeeds if another tab created the wallet meanwhile', async () => {
    const made = Promise.withResolvers<string>()
    const create = () => made.promise
    const fixture = await makeFixture({ answers: answers(), config: onLogin, wallet: { create } })
    await logIn(fixture)
    fixture.session.replaceUser(walletUser)
    made.reject(new LatchkeyError('embedded_wallet_already_exists', 'There is one'))
    await fixture.clock.advance(900 + 500)
    expect(fixture.screen()).toBe('EMBEDDED_WALLET_CREATED_SCREEN')
    expect(fixture.session.state().status).toBe('authenticated')
  })
})

describe('createWallet', () => {
  const fixture = async (change: FixtureOptions = {}) => {
    const made = await makeFixture({ answers: answers(), ...change })
    made.session.accept(makeAuthAnswer())
    return made
  }

  test('creates the wallet, reloads the user, and returns the account, without a dialog', async () => {
    const made = await fixture()
    expect(await made.createWallet()).toEqual(walletAccount)
    expect(made.frame).toEqual([])
    expect(made.session.state()).toMatchObject({ user: walletUser })
  })

  test('creates one wallet for two concurrent calls', async () => {
    const made = await fixture()
    await Promise.all([made.createWallet(), made.createWallet()])
    expect(made.wallet.log.filter((entry) => entry === 'create')).toHaveLength(1)
  })

  const bob: UserRecord = { ...visitorUser, id: 'user-2' }
  const bobsWallet = { ...walletAccount, address: '0x2222222222222222222222222222222222222222' }

  test('rejects if the user is logged out meanwhile, and the next user gets their own wallet', async () => {
    const first = Promise.withResolvers<string>()
    const second = Promise.withResolvers<string>()
    const creations = [first.promise, second.promise]
    const signals: (AbortSignal | undefined)[] = []
    const made = await makeFixture({
      answers: answers({
        me: () => ({ ...bob, linkedAccounts: [...bob.linkedAccounts, bobsWallet] }),
      }),
      wallet: {
        create: async ({ signal }) => {
          signals.push(signal)
          return (await creations.shift()) ?? ''
        },
      },
    })
    made.session.accept(makeAuthAnswer())
    const ofAda = watch(made.createWallet())
    await settle()
    made.session.accept(makeAuthAnswer({ user: bob, token: makeToken({ sub: bob.id }) }))
    const ofBob = watch(made.createWallet())
    await settle()
    expect(signals.map((signal) => signal?.aborted)).toEqual([true, false])
    first.resolve(walletAccount.address)
    await settle()
    expect(ofAda.error).toMatchObject({ code: 'must_be_authenticated' })
    expect(ofBob.settled).toBe(false)
    second.resolve(bobsWallet.address)
    await settle()
    expect(ofBob.value).toEqual(bobsWallet)
    expect(made.session.state()).toMatchObject({ user: { id: 'user-2' } })
  })

  test('rejects for a visitor', async () => {
    const made = await makeFixture({})
    await expect(made.createWallet()).rejects.toMatchObject({ code: 'must_be_authenticated' })
  })

  const failing = (error: LatchkeyError) => ({ wallet: { create: rejects(error) } })
  const late = new LatchkeyError('call_timeout', 'Too late')
  const silent = new LatchkeyError('frame_unresponsive', 'Silent')
  test.each([
    // spec W8.5
    ['walletProxy.create timed out.', failing(late)],
    // spec W8.6
    ['walletProxy.create did not send a response.', failing(silent)],
    // spec W8.7
    ['Failed to refresh user.', { answers: answers({ me: rejects(refused('server_unreachable', 0)) }) }],
    // spec W8.8
    ['Updated user is missing embedded wallet.', { answers: answers({ me: () => visitorUser }) }],
    // spec W8.9
    ['Failed to create wallet', failing(new LatchkeyError('error', 'Something else'))],
  ])('rejects with %j', async (message, change) => {
    const made = await fixture(change)
    await expect(made.createWallet()).rejects.toMatchObject({
      code: 'unknown_embedded_wallet_error',
      message,
    })
    // spec W4.8
    expect(made.events).toEqual(['embedded_wallet_creation_started', 'embedded_wallet_creation_failed'])
  })

  // spec W8.10
  test('rejects a second wallet', async () => {
    const made = await makeFixture({ answers: answers() })
    made.session.accept(makeAuthAnswer({ user: walletUser }))
    await expect(made.createWallet()).rejects.toMatchObject({
      code: 'embedded_wallet_already_exists',
      message: 'Only one Latchkey wallet per user is currently allowed',
    })
    expect(made.wallet.log).toEqual([])
  })

  // spec W8.4
  test('rejects without a token, with a message to log in again', async () => {
    const made = await fixture({
      answers: answers({ refreshSession: rejects(refused('missing_or_invalid_token', 401)) }),
    })
    await made.clock.advance(900_000)
    const create = createWalletCreation(made)
    await expect(create('host')).rejects.toMatchObject({
      code: 'must_be_authenticated',
      message: 'An error has occured, please login again.',
    })
  })
})
