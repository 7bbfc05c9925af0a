/** The recovery password of a wallet: setting, changing and entering it. */
import { type AppConfig, type ChainType, type ErrorCode, LatchkeyError } from '@latchkey/protocol'
import { describe, expect, test } from 'vitest'
import { settle } from '../../testing/clock.ts'
import {
  confirmedIn,
  type FixtureOptions,
  makeFakeWallet,
  makeFixture,
  watch,
} from '../../testing/fixture.ts'
import {
  makeAuthAnswer,
  solanaAccount,
  visitorUser,
  walletAccount,
  walletUser,
} from '../../testing/fixtures.ts'
import { renderDialog, submitEmail } from '../../testing/page.tsx'
import { openWallet, type Serve, served } from '../../testing/wallet.ts'
import { makeRecoveryApp, makeUserWithRecovery } from '../../testing/wallet-windows/recovery-page.ts'
import { makeRecoveryWindows } from '../../testing/wallet-windows/recovery-windows.ts'
import { publicKeyOf } from '../../testing/wallet-windows/vault-keys.ts'
import type { VerifiedOptions } from '../../wallet/verification.ts'

const create = 'EMBEDDED_WALLET_PASSWORD_CREATE_SCREEN'
const update = 'EMBEDDED_WALLET_PASSWORD_UPDATE_SCREEN'
const splash = 'EMBEDDED_WALLET_PASSWORD_UPDATE_SPLASH_SCREEN'
const recover = 'EMBEDDED_WALLET_PASSWORD_RECOVERY_SCREEN'
const openInWindow = /^Check the address of the window before you type anything/
const passwordSet = 'Password set'
const [first, second] = ['1', '2'].map((each) => each.padStart(43, 'w')) as [string, string]
const confirmed = { handle: 'h'.repeat(43), digest: `0x${'d1'.repeat(32)}` }
/** The password that the user entered in the window and confirmed. */
const passwordIn = (window = first) => ({ method: 'user-passcode', window, confirmation: confirmed })

const passwordUser = makeUserWithRecovery('user-passcode')
const cloudUser = makeUserWithRecovery('google-drive')
type AppSettings = Pick<AppConfig, 'embeddedWalletConfig'>
const options: AppSettings = makeRecoveryApp(['user-passcode'])
const required: AppSettings = makeRecoveryApp(['user-passcode'], {
  createOnLogin: 'all-users',
  requireUserOwnedRecoveryOnCreate: true,
})

async function userFixture(user: typeof walletUser, more: FixtureOptions = {}) {
  const window = makeRecoveryWindows()
  const fixture = await makeFixture({
    app: options,
    capabilities: window.capabilities,
    ...more,
    wallet: { ...window.wallet, ...more.wallet },
    answers: {
      sendEmailCode: () => ({ success: true }),
      loginWithEmailCode: () => makeAuthAnswer({ user }),
      me: () => user,
      decideConfirmation: () => ({ state: 'approved' }),
      ...more.answers,
    },
  })
  return { ...fixture, window, renderedPage: renderDialog(fixture) }
}
type OpenFixture = Awaited<ReturnType<typeof userFixture>>
async function logIn(fixture: OpenFixture) {
  const login = watch(fixture.login())
  await settle()
  await submitEmail(fixture, 'ada@example.org')
  await fixture.renderedPage.type('Digit 1 of 6', '123456')
  return login
}
async function loggedIn(user: typeof walletUser, more: FixtureOptions = {}) {
  const fixture = await userFixture(user, more)
  await logIn(fixture)
  await fixture.clock.advance(10_000)
  fixture.events.length = 0
  return fixture
}
/** Creates the wallet. The answer contains the user before the creation. */
const servedFirst: Serve = (call, data) =>
  call === 'wallet:create'
    ? { address: walletAccount.address, onDevice: true, user: visitorUser }
    : served(call, data)
/** Chooses and confirms a password in the window. */
async function choosePassword({ window, renderedPage }: OpenFixture) {
  await renderedPage.openWalletWindow()
  window.give()
  await settle()
}

describe('setWalletRecovery', () => {
  // spec W2.6, W2.7
  test('sets the password of a window after the user confirmed it there', async () => {
    const set: unknown[] = []
    const decided: unknown[] = []
    const put: unknown[] = []
    const fixture = await loggedIn(walletUser, {
      wallet: {
        async setRecovery(address, asker) {
          set.push([address, asker.own])
        },
        async confirm(address, request, asker) {
          put.push([address, request, asker?.place])
          return { ...confirmedIn('page'), ...confirmed }
        },
      },
      answers: {
        decideConfirmation(body) {
          decided.push(body)
          return { state: 'approved' }
        },
      },
    })
    const asked = watch(fixture.more('setWalletRecovery', {}))
    await settle()
    expect(fixture.screen()).toBe(create)
    await fixture.renderedPage.see('Create your password')
    expect(fixture.renderedPage.walletButtonUrl()).toContain(`#${first}`)
    expect(fixture.window.opened()).toEqual([])
    await fixture.renderedPage.openWalletWindow()
    await fixture.renderedPage.see(openInWindow)
    expect(fixture.window.asked).toEqual([
      { window: first, method: 'user-passcode', purpose: 'set', address: walletAccount.address },
    ])
    // The confirmation starts after the user has chosen a password.
    expect(put).toEqual([])
    fixture.window.give()
    await settle()
    const request = { method: 'set-recovery', params: [walletAccount.address, 'user-passcode'] }
    expect(put).toEqual([[walletAccount.address, request, 'page']])
    expect(fixture.window.confirmed).toEqual([{ window: first, ...confirmed }])
    expect(decided).toEqual([{ ...confirmed, decision: 'approve', statement: 'signed by the device' }])
    expect(set).toEqual([[walletAccount.address, passwordIn()]])
    await fixture.renderedPage.see(passwordSet)
    expect(fixture.screen()).toBe(create)
    expect(asked.value).toMatchObject({ wallet: { address: walletAccount.address } })
    expect(fixture.view()?.screen?.ways).toEqual({ back: false, close: true })
    // spec W4.12: the user closes a screen of their own call.
    await fixture.clock.advance(60_000)
    expect(fixture.view()?.open).toBe(true)
    await fixture.renderedPage.press('All done')
    expect(fixture.view()?.open).toBe(false)
    expect(fixture.events.filter((name) => name.startsWith('embedded_wallet_set'))).toEqual([
      'embedded_wallet_set_recovery_started',
      'embedded_wallet_set_recovery_completed',
    ])
  })

  test('accepts the answer of a window that was reported as closed', async () => {
    const set: unknown[] = []
    const fixture = await loggedIn(walletUser, {
      wallet: { setRecovery: async (_address, { own }) => void set.push(own) },
    })
    void fixture.more('setWalletRecovery', {}).catch(() => {})
    await settle()
    await fixture.renderedPage.openWalletWindow()
    await fixture.renderedPage.openWalletWindow('closed')
    await fixture.renderedPage.see('The window was closed.')
    await fixture.renderedPage.openWalletWindow()
    await fixture.renderedPage.see(openInWindow)
    expect(fixture.window.asked.map(({ window }) => window)).toEqual([first])
    expect(fixture.window.ended).toEqual([])
    fixture.window.give()
    await settle()
    expect(set).toEqual([passwordIn(first)])
  })

  test('offers to open the window again if the browser does not report that it opened', async () => {
    const fixture = await loggedIn(walletUser)
    void fixture.more('setWalletRecovery', {}).catch(() => {})
    await settle()
    await fixture.renderedPage.openWalletWindow('unknown')
    await fixture.renderedPage.see('It should be open now. If you don’t see it, open it again.')
  })

  test('shows that a browser inside an app cannot open a window', async () => {
    const inside = makeRecoveryWindows('Mozilla/5.0 (iPhone) Instagram 300.0')
    const fixture = await loggedIn(walletUser, { capabilities: inside.capabilities })
    void fixture.more('setWalletRecovery', {}).catch(() => {})
    await settle()
    await fixture.renderedPage.see(
      'A browser inside an app cannot open windows. Open this page in your own browser and try again there.',
    )
    expect(fixture.renderedPage.walletButtonUrl()).toBeUndefined()
    expect(inside.opened()).toEqual([])
  })

  test('shows that the window cannot answer a page that isolates its windows', async () => {
    const fixture = await loggedIn(walletUser, {
      app: { ...options, crossOriginOpenerPolicy: 'same-origin' },
    })
    void fixture.more('setWalletRecovery', {}).catch(() => {})
    await settle()
    await fixture.renderedPage.see(/^This page isolates its windows/)
    expect(fixture.renderedPage.walletButtonUrl()).toBeUndefined()
    expect(fixture.window.opened()).toEqual([])
  })

  test('sets nothing and asks again if the window is closed before the confirmation', async () => {
    const fixture = await loggedIn(walletUser)
    void fixture.more('setWalletRecovery', {}).catch(() => {})
    await settle()
    await fixture.renderedPage.openWalletWindow()
    fixture.window.close()
    await settle()
    await fixture.renderedPage.see('The window was closed before anything was done.')
    expect(fixture.renderedPage.walletButtonUrl()).toContain(`#${second}`)
    expect(fixture.wallet.log).not.toContain('setRecovery')
  })

  // spec W2.8, W2.9
  test('shows the splash of a wallet with a password, and sets another one', async () => {
    const fixture = await loggedIn(passwordUser)
    const set = watch(fixture.more('setWalletRecovery', {}))
    await settle()
    expect(fixture.screen()).toBe(splash)
    await fixture.renderedPage.see('Update your password')
    await fixture.renderedPage.openWalletWindow()
    await fixture.renderedPage.see(openInWindow)
    expect(fixture.window.asked[0]).toMatchObject({ purpose: 'update' })
    fixture.window.give()
    await settle()
    await fixture.renderedPage.see(passwordSet)
    expect(fixture.screen()).toBe(update)
    expect(set.value).toMatchObject({ wallet: { recoveryMethod: 'user-passcode' } })
    expect(fixture.wallet.log).toContain('setRecovery')
  })

  // spec W2.14
  test('shows Cancel before the window opens and while it is open', async () => {
    const fixture = await loggedIn(walletUser)
    void fixture.more('setWalletRecovery', {}).catch(() => {})
    await settle()
    await fixture.renderedPage.see('Cancel')
    await fixture.renderedPage.openWalletWindow()
    await fixture.renderedPage.see(openInWindow)
    expect(fixture.renderedPage.hasButton('Cancel')).toBe(true)
  })

  test('rejects the call if the user cancels or closes the card', async () => {
    const left = expect.objectContaining({ code: 'user_exited_set_password_flow' })
    const fixture = await loggedIn(walletUser)
    const cancelled = watch(fixture.more('setWalletRecovery', {}))
    await settle()
    await fixture.renderedPage.press('Cancel')
    expect(cancelled.error).toEqual(left)
    const closed = watch(fixture.more('setWalletRecovery', {}))
    await settle()
    fixture.stage.close()
    await settle()
    expect(closed.error).toEqual(left)
    expect(fixture.wallet.log).not.toContain('setRecovery')
  })

  test('shows a failure in the window and on the card, where the user can try again', async () => {
    let fails = true
    const fixture = await loggedIn(walletUser, {
      wallet: {
        async setRecovery() {
          if (fails) throw new LatchkeyError('embedded_wallet_recovery_already_exists', 'Elsewhere')
        },
      },
    })
    const set = watch(fixture.more('setWalletRecovery', {}))
    await settle()
    await choosePassword(fixture)
    await fixture.renderedPage.see('Recovery was changed on another page at the same time. Please try again.')
    expect(fixture.window.ended).toEqual([
      { window: first, problem: { code: 'embedded_wallet_recovery_already_exists' } },
    ])
    expect(fixture.events).toContain('embedded_wallet_set_recovery_failed')
    expect(fixture.events).toContain('embedded_wallet_set_password_failed')
    fails = false
    await choosePassword(fixture)
    expect(set.value).toBeTruthy()
    // A confirmation is valid for one try.
    expect(fixture.window.confirmed).toHaveLength(2)
  })

  test('shows that the wallet cannot be recovered on this device (spec W8.13)', async () => {
    const rejects = (code: ErrorCode) => () => Promise.reject(new LatchkeyError(code, 'No'))
    const fixture = await loggedIn(walletUser, {
      wallet: { connect: rejects('wallet_not_on_device'), recover: rejects('share_mismatch') },
    })
    watch(fixture.more('setWalletRecovery', {}))
    await settle()
    await choosePassword(fixture)
    await fixture.renderedPage.see('Unable to recover wallet')
  })

  test('asks for the current password first on a device without a share, and then continues', async () => {
    let isHere = false
    const away = new LatchkeyError('wallet_not_on_device', 'Not here')
    const fixture = await loggedIn(passwordUser, {
      wallet: {
        connect: async () => {
          if (!isHere) throw away
        },
        recover: async () => {
          isHere = true
        },
        async setRecovery() {
          if (!isHere) throw away
        },
      },
    })
    const set = watch(fixture.more('setWalletRecovery', {}))
    await settle()
    await choosePassword(fixture)
    await fixture.renderedPage.openWalletWindow()
    fixture.window.give()
    await settle()
    expect(fixture.window.asked.map(({ purpose }) => purpose)).toEqual(['update', 'recover'])
    expect(set.value).toBeTruthy()
    await fixture.renderedPage.see(passwordSet)
    expect(fixture.screen()).toBe(update)
  })

  test.each([
    ['automatically', walletUser, create],
    ['by the current password', passwordUser, update],
  ] as const)(
    'recovers %s first on a device without a share, each step with a second factor',
    async (_method, userOfLogin, name) => {
      const log: string[] = []
      let isHere = false
      function requireVerified(step: string, { verification }: VerifiedOptions = {}) {
        log.push(`${step} ${verification?.mfaCode ?? 'bare'}`)
        if (!verification) throw new LatchkeyError('missing_or_invalid_mfa', 'A second factor is needed')
      }
      function requireShare() {
        if (!isHere) throw new LatchkeyError('wallet_not_on_device', 'Not here')
      }
      const user = { ...userOfLogin, mfaMethods: [{ type: 'totp' as const, verifiedAt: 1 }] }
      const fixture = await loggedIn(user, {
        app: { ...options, mfaMethods: ['totp'] },
        wallet: {
          connect: async () => requireShare(),
          async recover(_address, asker) {
            requireVerified('recover', asker)
            isHere = true
          },
          async setRecovery(_address, asker) {
            requireVerified('set', asker)
            requireShare()
          },
        },
      })
      const set = watch(fixture.more('setWalletRecovery', {}))
      await settle()
      await choosePassword(fixture)
      if (name === update) {
        await fixture.renderedPage.openWalletWindow()
        fixture.window.give()
        await settle()
      }
      const page = fixture.renderedPage
      await page.type('Digit 1 of 6', '111111')
      await settle()
      await page.type('Digit 1 of 6', '222222')
      await settle()
      expect(log).toEqual(['recover 111111', 'set bare', 'set 222222'])
      expect(set.value).toBeTruthy()
      await fixture.renderedPage.see(passwordSet)
      expect(fixture.screen()).toBe(name)
    },
  )

  test('is rejected in an app without this method, and for a user without a wallet', async () => {
    const off = await loggedIn(walletUser, { app: {} })
    await expect(off.more('setWalletRecovery', {})).rejects.toMatchObject({
      code: 'disallowed_recovery_method',
    })
    const host = { embeddedWallets: { userOwnedRecoveryOptions: ['google-drive' as const] } }
    const narrowed = await loggedIn(walletUser, { config: host })
    await expect(narrowed.more('setWalletRecovery', {})).rejects.toMatchObject({
      code: 'disallowed_recovery_method',
    })
    const none = await loggedIn(visitorUser)
    await expect(none.more('setWalletRecovery', {})).rejects.toMatchObject({
      code: 'embedded_wallet_not_found',
    })
  })
})

describe('a new wallet with a required password', () => {
  // spec W4.7
  test('is created during the login after the user chose a password, and the screens close by themselves', async () => {
    const created: unknown[] = []
    const fixture = await userFixture(visitorUser, {
      app: required,
      answers: { me: () => passwordUser },
      wallet: {
        async create({ own }) {
          created.push(own)
          return walletAccount.address
        },
      },
    })
    const login = await logIn(fixture)
    await fixture.clock.advance(900)
    expect(fixture.screen()).toBe(create)
    // spec W2.14
    await fixture.renderedPage.see('Create your password')
    expect(fixture.renderedPage.hasButton('Cancel')).toBe(false)
    await choosePassword(fixture)
    // Without a wallet there is no change to confirm.
    expect(fixture.window.asked[0]).toMatchObject({ purpose: 'set', address: null })
    expect(fixture.window.confirmed).toEqual([])
    expect(created).toEqual([{ method: 'user-passcode', window: first, confirmation: undefined }])
    await fixture.renderedPage.see(passwordSet)
    expect(fixture.renderedPage.hasButton('All done')).toBe(false)
    // spec W4.12
    await fixture.clock.advance(1_399)
    await fixture.renderedPage.see(passwordSet)
    await fixture.clock.advance(1)
    await fixture.renderedPage.see('Welcome')
    await fixture.clock.advance(2_500)
    expect(login.value).toMatchObject({ user: { wallet: { recoveryMethod: 'user-passcode' } } })
  })

  // spec W4.9
  test('is created by the wallet frame with a token and the window of the password, before the user is read again', async () => {
    const happened: string[] = []
    const frame = openWallet((call, data) => {
      if (!call.startsWith('operation:')) happened.push(call)
      return servedFirst(call, data)
    })
    const fixture = await userFixture(visitorUser, {
      app: required,
      answers: {
        me() {
          happened.push('me')
          return passwordUser
        },
      },
      wallet: { create: frame.wallet.create },
    })
    const login = await logIn(fixture)
    await fixture.clock.advance(900)
    await choosePassword(fixture)
    await fixture.renderedPage.see(passwordSet)

    expect(happened).toEqual(['wallet:create', 'me'])
    const [created] = frame.steps()
    const operation = { id: 'op-1', step: 1 }
    expect(created).toEqual({
      call: 'wallet:create',
      data: {
        accessToken: 'wallet-token-1',
        operation,
        recoveryMethod: 'user-passcode',
        recoveryWindow: first,
      },
    })
    expect(frame.tokens).toEqual([
      { publicKey: publicKeyOf(1), operation, purpose: 'create', address: null, confirmation: null },
    ])
    await fixture.clock.advance(1_400)
    await fixture.clock.advance(2_500)
    expect(login.value).toMatchObject({ user: { wallet: { recoveryMethod: 'user-passcode' } } })
  })

  // spec W4.9
  test('is not reported if the user that the server returns has no wallet', async () => {
    const frame = openWallet(servedFirst)
    const fixture = await userFixture(visitorUser, {
      app: required,
      answers: { me: () => visitorUser },
      wallet: { create: frame.wallet.create },
    })
    await logIn(fixture)
    await fixture.clock.advance(900)
    await choosePassword(fixture)
    await expect
      .poll(() => fixture.window.asked.map(({ problem }) => problem))
      .toEqual([undefined, { code: expect.any(String) }])
    // The same window asks again.
    expect(fixture.window.asked.map(({ window }) => window)).toEqual([first, first])
    expect(frame.steps().map(({ call }) => call)).toEqual(['wallet:create'])
  })

  test('shows the other recovery method, not a password success, if another tab created it', async () => {
    let isCreated = false
    const fixture = await userFixture(visitorUser, {
      app: required,
      answers: { me: () => (isCreated ? cloudUser : visitorUser) },
      wallet: {
        async create() {
          isCreated = true
          throw new LatchkeyError('embedded_wallet_recovery_already_exists', 'Elsewhere')
        },
      },
    })
    const login = await logIn(fixture)
    await fixture.clock.advance(900)
    await choosePassword(fixture)
    await settle()
    await fixture.renderedPage.see('Welcome')
    await fixture.renderedPage.see(
      'Your wallet already existed, and is secured as you chose then. What you chose now was not set.',
    )
    await fixture.clock.advance(2_500)
    expect(login.value).toMatchObject({ user: { wallet: { recoveryMethod: 'google-drive' } } })
  })

  test('gets the password on a retry if another tab created it with another recovery method', async () => {
    let isCreated = false
    const recoveries: unknown[] = []
    const fixture = await loggedIn(visitorUser, {
      app: { embeddedWalletConfig: { ...required.embeddedWalletConfig, createOnLogin: 'off' } },
      answers: { me: () => (isCreated ? cloudUser : visitorUser) },
      wallet: {
        async create() {
          isCreated = true
          throw new LatchkeyError('embedded_wallet_recovery_already_exists', 'Elsewhere')
        },
        setRecovery: async (address, { own }) => void recoveries.push([address, own]),
      },
    })
    const set = watch(fixture.more('setWalletRecovery', {}))
    await settle()
    await choosePassword(fixture)
    await settle()
    await fixture.renderedPage.see(/^Recovery was changed on another page/)
    await choosePassword(fixture)
    expect(recoveries).toEqual([[walletAccount.address, passwordIn(second)]])
    await fixture.renderedPage.see(passwordSet)
    expect(set.value).toBeTruthy()
  })

  test('is not created if the user closes the card, and the user stays logged in', async () => {
    const fixture = await userFixture(visitorUser, { app: required })
    const login = await logIn(fixture)
    await fixture.clock.advance(900)
    fixture.stage.close()
    await settle()
    expect(login.settled).toBe(true)
    expect(fixture.session.state().status).toBe('authenticated')
    expect(fixture.wallet.log).not.toContain('create')
  })

  test('is created by setWalletRecovery, and not by createWallet', async () => {
    const fixture = await loggedIn(visitorUser, {
      app: { embeddedWalletConfig: { ...required.embeddedWalletConfig, createOnLogin: 'off' } },
    })
    await expect(fixture.createWallet()).rejects.toMatchObject({ code: 'disallowed_recovery_method' })
    const set = watch(fixture.more('setWalletRecovery', {}))
    await settle()
    expect(fixture.screen()).toBe(create)
    await fixture.renderedPage.see('Cancel')
    fixture.stage.close()
    await settle()
    expect(set.settled).toBe(true)
  })
})

describe('a device without a share of a wallet that has a password', () => {
  const away = new LatchkeyError('wallet_not_on_device', 'Not here')
  /** Signs on a device that gets its share with the right password. */
  async function signing(
    recoverBy: (window: string | undefined, address: string) => void,
    chain: ChainType = 'ethereum',
  ) {
    let isHere = false
    const connect = async () => {
      if (!isHere) throw away
    }
    const user = {
      ...passwordUser,
      linkedAccounts: [
        ...passwordUser.linkedAccounts,
        { ...solanaAccount, recoveryMethod: 'user-passcode' as const },
      ],
    }
    const fixture = await loggedIn(user, {
      wallet: {
        connect,
        solana: async () => ({ ...(await makeFakeWallet().solana()), connect }),
        async recover(address, asker) {
          recoverBy(asker?.own?.method === 'user-passcode' ? asker.own.window : undefined, address)
          isHere = true
        },
      },
    })
    const call = chain === 'ethereum' ? 'signMessage' : 'signSolanaMessage'
    const signed = watch<unknown>(fixture.more(call, { message: 'hello' }))
    await settle()
    async function enter() {
      if (fixture.renderedPage.has('Enter your password')) await fixture.renderedPage.openWalletWindow()
      fixture.window.give()
      await settle()
    }
    return { fixture, signed, enter }
  }

  // spec W2.10, W4.3, W4.5
  test('asks for the password, and then shows the request', async () => {
    const used: unknown[] = []
    const { fixture, enter } = await signing((each) => void used.push(each))
    expect(fixture.screen()).toBe(recover)
    await fixture.renderedPage.see('Enter your password')
    expect(fixture.view()?.header).toEqual({ back: false, close: true })
    await enter()
    expect(used).toEqual([first])
    expect(fixture.window.confirmed).toEqual([])
    expect(fixture.screen()).toBe('EMBEDDED_WALLET_SIGN_REQUEST_SCREEN')
    expect(fixture.events).toEqual(
      expect.arrayContaining(['embedded_wallet_recovery_started', 'embedded_wallet_recovery_completed']),
    )
    expect(fixture.events).not.toContain('embedded_wallet_pinless_recovery_started')
  })

  test('recovers the Ethereum wallet for the Solana address that it derives', async () => {
    const used: unknown[] = []
    const { fixture, enter } = await signing((...recovered) => void used.push(recovered), 'solana')
    expect(fixture.screen()).toBe(recover)
    await enter()
    expect(used).toEqual([[first, walletAccount.address]])
    expect(fixture.screen()).toBe('EMBEDDED_WALLET_SIGN_REQUEST_SCREEN')
  })

  test.each([
    ['invalid_recovery_pin', undefined],
    ['invalid_request_arguments', undefined],
    ['server_unreachable', undefined],
    ['too_many_requests', 300],
  ] as const)('asks again in the same window after %s, with the reason', async (code, wait) => {
    let fails = true
    const { fixture, enter } = await signing(() => {
      if (fails) throw new LatchkeyError(code, 'No', { retryAfterSeconds: wait })
    })
    await enter()
    await fixture.renderedPage.see(openInWindow)
    expect(fixture.window.asked.at(-1)).toEqual({
      window: first,
      method: 'user-passcode',
      purpose: 'recover',
      address: walletAccount.address,
      problem: { code, ...(wait !== undefined && { retryAfterSeconds: wait }) },
    })
    fails = false
    await enter()
    expect(fixture.window.opened()).toHaveLength(1)
    expect(fixture.screen()).toBe('EMBEDDED_WALLET_SIGN_REQUEST_SCREEN')
  })

  test('shows the request at once if another tab has recovered the wallet in the meantime', async () => {
    let tries = 0
    const fixture = await loggedIn(passwordUser, {
      wallet: {
        connect: async () => {
          tries += 1
          if (tries === 1) throw away
        },
      },
    })
    void fixture.signMessage({ message: 'hello' }).catch(() => {})
    await settle()
    expect(tries).toBe(2)
    expect(fixture.screen()).toBe('EMBEDDED_WALLET_SIGN_REQUEST_SCREEN')
  })

  test.each([
    ['automatic to password', walletUser, passwordUser],
    ['cloud to password', cloudUser, passwordUser],
    ['password to automatic', passwordUser, walletUser],
  ])('recovers by the current method after it changed from %s', async (_change, userOfLogin, now) => {
    let isHere = false
    let user = userOfLogin
    const methods: (string | undefined)[] = []
    const current = now === passwordUser ? 'user-passcode' : undefined
    const fixture = await loggedIn(userOfLogin, {
      answers: { me: () => user },
      wallet: {
        connect: async () => {
          if (!isHere) throw away
        },
        async recover(_address, asker) {
          methods.push(asker?.own?.method)
          if (asker?.own?.method !== current) throw new LatchkeyError('disallowed_recovery_method', 'Changed')
          isHere = true
        },
      },
    })
    user = now
    void fixture.signMessage({ message: 'hello' }).catch(() => {})
    await settle()
    if (current) {
      await fixture.renderedPage.openWalletWindow()
      fixture.window.give()
    }
    await settle()
    expect([isHere, methods.at(-1)]).toEqual([true, current])
    await fixture.renderedPage.see('Sign message')
  })

  test('tries a recovery once if the server confirms the method that it rejected', async () => {
    let tries = 0
    const fixture = await loggedIn(walletUser, {
      wallet: {
        connect: () => Promise.reject(away),
        async recover() {
          tries += 1
          throw new LatchkeyError('disallowed_recovery_method', 'Not here')
        },
      },
    })
    void fixture.signMessage({ message: 'hello' }).catch(() => {})
    await settle()
    expect(tries).toBe(1)
    await fixture.renderedPage.see('Unable to sign')
  })

  // 1,767,484,860 is 4 January 2026.
  test.each([
    [
      'the dialog, with a time',
      { status: 403, type: 'ApiError', details: { until: 1_767_484_860 } },
      1_767_484_860,
    ],
    ['the frame, with a time', { until: 1_767_484_860 }, 1_767_484_860],
    ['the dialog, without one', { status: 403, type: 'ApiError', details: { until: null } }, undefined],
    ['the frame, without one', { until: null }, undefined],
  ])('shows once that a login method is too new, from an error of %s', async (_to, details, until) => {
    let tries = 0
    const fixture = await loggedIn(walletUser, {
      wallet: {
        connect: () => Promise.reject(away),
        async recover() {
          tries += 1
          throw new LatchkeyError('method_too_new', 'New', { details })
        },
      },
    })
    const signed = watch(fixture.signMessage({ message: 'hello' }))
    await settle()
    expect(tries).toBe(1)
    expect(fixture.screen()).toBe('EMBEDDED_WALLET_TOO_NEW_SCREEN')
    await fixture.renderedPage.see('Not with this login yet')
    expect(fixture.renderedPage.has(/^It counts as new until Jan 4, 2026/)).toBe(until !== undefined)
    expect(fixture.view()?.header).toEqual({ back: false, close: true })
    await fixture.renderedPage.press('Back')
    // The user can try the request again after a login by another method.
    await fixture.renderedPage.see('Unable to sign')
    fixture.stage.close()
    await settle()
    expect(signed.error).toMatchObject({ code: 'unable_to_sign' })
  })

  test('rejects the call if the user closes the card', async () => {
    const { fixture, signed, enter } = await signing(() => {
      throw new LatchkeyError('error', 'No')
    })
    await enter()
    fixture.stage.close()
    await settle()
    expect(signed.error).toMatchObject({ code: 'user_rejected_request', details: { code: 4001 } })
  })
})
