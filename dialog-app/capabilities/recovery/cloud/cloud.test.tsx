/** A wallet in its user's own cloud, as they meet it: which way, the window, what it says, and what goes wrong. */
import { type AppConfig, LatchkeyError, type WalletAccount } from '@latchkey/protocol'
import { describe, expect, test } from 'vitest'
import { settle } from '../../../testing/clock.ts'
import { type FixtureOptions, makeFixture, watch } from '../../../testing/fixture.ts'
import { makeAuthAnswer, visitorUser, walletAccount, walletUser } from '../../../testing/fixtures.ts'
import { renderDialog } from '../../../testing/page.tsx'
import { makeRecoveryWindows } from '../../../testing/wallet-windows/recovery-windows.ts'

const selection = 'EMBEDDED_WALLET_RECOVERY_SELECTION_SCREEN'
const cloudScreen = 'EMBEDDED_WALLET_RECOVERY_OAUTH_SCREEN'
const create = 'EMBEDDED_WALLET_PASSWORD_CREATE_SCREEN'
type Method = 'google-drive' | 'icloud' | 'user-passcode'
const all: readonly Method[] = ['user-passcode', 'google-drive', 'icloud']

const keptBy = (recoveryMethod: Method): typeof walletUser => ({
  ...walletUser,
  linkedAccounts: walletUser.linkedAccounts.map((account) =>
    account.type === 'wallet' ? ({ ...walletAccount, recoveryMethod } satisfies WalletAccount) : account,
  ),
})
const appWith = (methods: readonly Method[], more: object = {}): Pick<AppConfig, 'embeddedWalletConfig'> => ({
  embeddedWalletConfig: { userOwnedRecoveryOptions: [...methods], ...more },
})

type Opened = Pick<FixtureOptions, 'wallet' | 'app'> & {
  user?: typeof walletUser
  /** As the server has them later. */
  later?: typeof walletUser
}

async function open({
  user = walletUser,
  later = user,
  wallet = {},
  app = appWith(['google-drive']),
}: Opened = {}) {
  const window = makeRecoveryWindows()
  const fixture = await makeFixture({
    app,
    wallet: { ...window.wallet, ...wallet },
    capabilities: window.capabilities,
    answers: {
      sendEmailCode: () => ({ success: true }),
      loginWithEmailCode: () => makeAuthAnswer({ user }),
      me: () => later,
      decideConfirmation: () => ({ state: 'approved' }),
    },
  })
  const login = watch(fixture.login())
  await settle()
  await fixture.enter(0, 'submit', 'ada@example.org')
  await renderDialog(fixture).type('Digit 1 of 6', '123456')
  async function come() {
    for (let turn = 0; turn < 10; turn += 1) await settle()
  }
  return {
    fixture,
    window,
    login,
    come,
    pressOpen: async () => {
      await fixture.press(cloudScreen, 'opened', 'open')
      await come()
    },
    /** The cloud has answered in the window of the wallet, and its user has said yes there. */
    give: async () => {
      window.give()
      await come()
    },
    step: () => fixture.state(cloudScreen).step,
  }
}

async function setting(options: Opened = {}) {
  const opened = await open(options)
  await opened.fixture.clock.advance(10_000)
  opened.fixture.events.length = 0
  const set = watch(opened.fixture.more('setWalletRecovery', {}))
  await settle()
  return { ...opened, set }
}

describe('the choice', () => {
  // spec W2.4, W2.5
  test('comes first where the app has several ways, with how the wallet is kept now', async () => {
    const { fixture } = await setting({ app: appWith(all), user: keptBy('google-drive') })
    expect(fixture.state(selection)).toEqual({
      options: ['google-drive', 'icloud', 'user-passcode'],
      present: 'google-drive',
      byUser: true,
    })
    expect(await fixture.texts()).toEqual(
      expect.arrayContaining([
        'Google Drive backup',
        'Apple iCloud backup',
        'Set password',
        'Why do I need to secure my account?',
      ]),
    )
    await fixture.press(selection, 'choose', 'user-passcode')
    expect(fixture.screen()).toBe(create)
    fixture.stage.back()
    await settle()
    expect(fixture.screen()).toBe(selection)
    await fixture.press(selection, 'choose', 'google-drive')
    expect(fixture.screen()).toBe(cloudScreen)
    fixture.stage.back()
    await settle()
    expect(fixture.screen()).toBe(selection)
  })

  // spec W2.6, W2.11
  test.each([
    ['google-drive', cloudScreen],
    ['icloud', cloudScreen],
    ['user-passcode', create],
  ] as const)('is none where %s is the only way', async (method, screen) => {
    const { fixture } = await setting({ app: appWith([method]) })
    expect(fixture.screen()).toBe(screen)
  })

  test('is taken back with what was asked for', async () => {
    const { fixture, set } = await setting({ app: appWith(all) })
    await fixture.press(selection, 'cancel')
    expect(set.error).toMatchObject({ code: 'user_exited_set_password_flow' })
  })
})

const buttonUrl = `https://wallet.example/open-window#${'1'.padStart(43, 'w')}`

describe.each(['google-drive', 'icloud'] as const)('%s', (method) => {
  const app = appWith([method])

  // spec W2.11
  test('is signed in to from a window of the wallet, of which the card hears that it was', async () => {
    const kept: unknown[] = []
    const { fixture, window, set, pressOpen, give, step } = await setting({
      app,
      wallet: { setRecovery: async (address, { own }) => void kept.push([address, own]) },
    })
    expect(step()).toEqual({ at: 'asking', buttonUrl })
    expect(window.opened()).toEqual([])
    await pressOpen()
    const handle = '1'.padStart(43, 'w')
    expect(window.opened()).toEqual([handle])
    expect(window.asked).toEqual([{ window: handle, method, purpose: 'set', address: walletAccount.address }])
    expect(step()).toMatchObject({ at: 'window', window: 'open' })
    await give()
    expect(window.confirmed).toEqual([expect.objectContaining({ window: handle })])
    expect(kept).toEqual([
      [walletAccount.address, { method, window: handle, confirmation: expect.anything() }],
    ])
    expect(step()).toEqual({ at: 'done' })
    expect(set.value).toMatchObject({ wallet: { address: walletAccount.address } })
    await fixture.press(cloudScreen, 'close')
    expect(fixture.view()?.open).toBe(false)
    expect(fixture.events.filter((name) => name.startsWith('embedded_wallet_set'))).toEqual([
      'embedded_wallet_set_recovery_started',
      'embedded_wallet_set_recovery_completed',
    ])
  })

  // spec W4.14
  test.each([
    ['oauth_user_denied', 'denied'],
    ['client_request_timeout', 'late'],
    ['user_rejected_request', 'closed'],
    ['oauth_unexpected', 'failed'],
  ] as const)(
    'whose window says %s is told as %s, and another press opens another one',
    async (code, problem) => {
      const { fixture, window, pressOpen, give, come, step, set } = await setting({ app })
      await pressOpen()
      window.refuse(code)
      await come()
      expect(step()).toMatchObject({ at: 'asking', problem })
      expect(fixture.events.filter((name) => name === 'recovery_oauth_error')).toHaveLength(1)
      expect(fixture.wallet.log).not.toContain('setRecovery')
      await pressOpen()
      expect(window.opened()).toHaveLength(2)
      await give()
      expect(step()).toEqual({ at: 'done' })
      expect(set.settled).toBe(true)
    },
  )

  test('in a window that reads as closed may be opened again, and its answer counts', async () => {
    const { fixture, pressOpen, give, step } = await setting({ app })
    await pressOpen()
    await fixture.press(cloudScreen, 'opened', 'closed')
    expect(step()).toMatchObject({ at: 'window', window: 'closed' })
    await give()
    expect(step()).toEqual({ at: 'done' })
  })

  test('is not offered where the page keeps its windows apart, which is said', async () => {
    const { window, pressOpen, step } = await setting({
      app: { ...app, crossOriginOpenerPolicy: 'same-origin' },
    })
    await pressOpen()
    expect(window.opened()).toEqual([])
    expect(step()).toEqual({ at: 'asking', problem: 'unseen' })
  })

  test('left behind by back sets nothing, whatever its window says', async () => {
    const { fixture, pressOpen, give } = await setting({ app: appWith(all) })
    await fixture.press(selection, 'choose', method)
    await pressOpen()
    fixture.stage.back()
    await give()
    expect(fixture.screen()).toBe(selection)
    expect(fixture.wallet.log).not.toContain('setRecovery')
  })

  test.each([
    [{ reason: 'file_missing' }, 'missing'],
    [{ reason: 'file_of_another_wallet' }, 'foreign'],
    [{ reason: 'file_malformed' }, 'foreign'],
    [{ code: 'envelope_refused' }, 'foreign'],
    [{ reason: 'no_space' }, 'full'],
    [{ reason: 'access_ended' }, 'noAccess'],
    [{ reason: 'cloud_unreachable' }, 'failed'],
    [undefined, 'failed'],
  ] as const)('with a wallet frame that says %j asks again, and says %s', async (details, problem) => {
    let fails = true
    const { fixture, window, pressOpen, give, step, set } = await setting({
      app,
      wallet: {
        async setRecovery() {
          if (fails) throw new LatchkeyError('error', 'No', details && { details })
        },
      },
    })
    await pressOpen()
    await give()
    expect(step()).toMatchObject({ at: 'asking', problem })
    expect(window.ended).toHaveLength(1)
    expect(fixture.events).toContain('embedded_wallet_set_recovery_failed')
    fails = false
    await pressOpen()
    await give()
    expect(set.value).toBeTruthy()
  })
})

describe('a new wallet', () => {
  const required = (methods: readonly Method[]) =>
    appWith(methods, { createOnLogin: 'all-users', requireUserOwnedRecoveryOnCreate: true })

  // spec W4.7
  test('is made by the login after a way was chosen, and closes by itself', async () => {
    const given: unknown[] = []
    const { fixture, pressOpen, give, step, login } = await open({
      user: visitorUser,
      later: keptBy('google-drive'),
      app: required(all),
      wallet: {
        async create({ own }) {
          given.push(own?.method)
          return walletAccount.address
        },
      },
    })
    await fixture.clock.advance(900)
    expect(fixture.state(selection)).toMatchObject({ byUser: false, present: undefined })
    await fixture.press(selection, 'choose', 'google-drive')
    await pressOpen()
    await give()
    expect(given).toEqual(['google-drive'])
    expect(step()).toEqual({ at: 'done' })
    expect(login.settled).toBe(false)
    await fixture.clock.advance(1_400)
    expect(fixture.screen()).not.toBe(cloudScreen)
  })
})

describe.each(['google-drive', 'icloud'] as const)('a device without a share of a wallet in %s', (method) => {
  const away = new LatchkeyError('wallet_not_on_device', 'Not here')

  async function signing(recover: () => void) {
    let isHere = false
    const opened = await open({
      user: keptBy(method),
      app: appWith([method]),
      wallet: {
        connect: async () => {
          if (!isHere) throw away
        },
        async recover(_address, asker) {
          expect(asker?.own?.method).toBe(method)
          recover()
          isHere = true
        },
      },
    })
    await opened.fixture.clock.advance(10_000)
    const signed = watch(opened.fixture.signMessage({ message: 'hello' }))
    await settle()
    const confirm = async () => {
      await opened.pressOpen()
      await opened.give()
    }
    return { ...opened, signed, confirm }
  }

  // spec W4.4, W4.5
  test('asks for it, and then shows what was asked for', async () => {
    const { fixture, step, confirm } = await signing(() => {})
    expect(fixture.state(cloudScreen)).toMatchObject({ cloud: method, purpose: 'recover', canCancel: false })
    expect(step()).toEqual({ at: 'asking', buttonUrl })
    await confirm()
    expect(fixture.screen()).toBe('EMBEDDED_WALLET_SIGN_REQUEST_SCREEN')
    expect(fixture.events).toEqual(
      expect.arrayContaining(['embedded_wallet_recovery_started', 'embedded_wallet_recovery_completed']),
    )
    expect(fixture.events).not.toContain('embedded_wallet_pinless_recovery_started')
  })

  // spec W8.12
  test('says that the file is not there, and goes on with the right account', async () => {
    let isThere = false
    const { fixture, step, confirm } = await signing(() => {
      if (!isThere) throw new LatchkeyError('error', 'No', { details: { reason: 'file_missing' } })
    })
    await confirm()
    expect(step()).toMatchObject({ at: 'asking', problem: 'missing' })
    isThere = true
    await confirm()
    expect(fixture.screen()).toBe('EMBEDDED_WALLET_SIGN_REQUEST_SCREEN')
  })

  test('ends the call as refused when the user gives up', async () => {
    const { fixture, signed, confirm } = await signing(() => {
      throw new LatchkeyError('error', 'No')
    })
    await confirm()
    fixture.stage.close()
    await settle()
    expect(signed.error).toMatchObject({ code: 'user_rejected_request', details: { code: 4001 } })
  })
})
