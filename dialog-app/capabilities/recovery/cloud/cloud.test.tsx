/** A wallet in its user's own cloud, as they meet it: which way, the window, what it says, and what goes wrong. */
import { type AppConfig, LatchkeyError, type WalletAccount } from '@latchkey/protocol'
import { describe, expect, test } from 'vitest'
import { settle } from '../../../testing/clock.ts'
import { type FixtureOptions, makeFixture, watch } from '../../../testing/fixture.ts'
import { makeAuthAnswer, visitorUser, walletAccount, walletUser } from '../../../testing/fixtures.ts'
import { renderDialog } from '../../../testing/page.tsx'
import { makeRecoveryWindows } from '../../../testing/wallet-windows/recovery-windows.ts'

const selection = 'EMBEDDED_WALLET_RECOVERY_SELECTION_SCREEN'
const done = 'Your account is secured'
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
  const page = renderDialog(fixture)
  const login = watch(fixture.login())
  await settle()
  await fixture.enter(0, 'submit', 'ada@example.org')
  await page.type('Digit 1 of 6', '123456')
  async function come() {
    for (let turn = 0; turn < 10; turn += 1) await settle()
  }
  return {
    fixture,
    window,
    login,
    come,
    page,
    pressOpen: page.openWalletWindow,
    /** The cloud has answered in the window of the wallet, and its user has said yes there. */
    give: async () => {
      window.give()
      await come()
    },
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
    const { fixture, page } = await setting({ app: appWith(all), user: keptBy('google-drive') })
    expect(fixture.screen()).toBe(selection)
    await page.see('Secure your account')
    const shown = page.texts()
    const rows = ['Google Drive backup', 'In use', 'Apple iCloud backup', 'Set password', 'Cancel']
    expect(shown.filter((text) => rows.includes(text))).toEqual(rows)
    expect(shown).toContain('Why do I need to secure my account?')
    await page.press('Set password')
    expect(fixture.screen()).toBe(create)
    await page.press('Back')
    expect(fixture.screen()).toBe(selection)
    await page.press(/^Google Drive backup/)
    expect(fixture.screen()).toBe(cloudScreen)
    await page.press('Back')
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
    const { page, set } = await setting({ app: appWith(all) })
    await page.press('Cancel')
    expect(set.error).toMatchObject({ code: 'user_exited_set_password_flow' })
  })
})

const first = '1'.padStart(43, 'w')
const cloudNames = { 'google-drive': 'Google Drive', icloud: 'iCloud' } as const

describe.each(['google-drive', 'icloud'] as const)('%s', (method) => {
  const app = appWith([method])

  // spec W2.11
  test('is signed in to from a window of the wallet, of which the card hears that it was', async () => {
    const kept: unknown[] = []
    const { fixture, page, window, set, pressOpen, give } = await setting({
      app,
      wallet: { setRecovery: async (address, { own }) => void kept.push([address, own]) },
    })
    await page.see(`Back up to ${cloudNames[method]}`)
    expect(page.walletButtonUrl()).toContain(`#${first}`)
    expect(window.opened()).toEqual([])
    await pressOpen()
    const handle = '1'.padStart(43, 'w')
    expect(window.opened()).toEqual([handle])
    expect(window.asked).toEqual([{ window: handle, method, purpose: 'set', address: walletAccount.address }])
    await page.see(`Sign in to ${cloudNames[method]} in the window that opened.`)
    await give()
    expect(window.confirmed).toEqual([expect.objectContaining({ window: handle })])
    expect(kept).toEqual([
      [walletAccount.address, { method, window: handle, confirmation: expect.anything() }],
    ])
    await page.see(done)
    expect(set.value).toMatchObject({ wallet: { address: walletAccount.address } })
    await page.press('All done')
    expect(fixture.view()?.open).toBe(false)
    expect(fixture.events.filter((name) => name.startsWith('embedded_wallet_set'))).toEqual([
      'embedded_wallet_set_recovery_started',
      'embedded_wallet_set_recovery_completed',
    ])
  })

  // spec W4.14
  test.each([
    ['oauth_user_denied', /^You did not allow access/],
    ['client_request_timeout', /did not respond in time/],
    ['user_rejected_request', 'The window was closed before anything was done.'],
    ['oauth_unexpected', 'An error has occurred, please try again.'],
  ] as const)(
    'whose window says %s is told as %s, and another press opens another one',
    async (code, problem) => {
      const { fixture, page, window, pressOpen, give, come, set } = await setting({ app })
      await pressOpen()
      window.refuse(code)
      await come()
      await page.see(problem)
      expect(fixture.events.filter((name) => name === 'recovery_oauth_error')).toHaveLength(1)
      expect(fixture.wallet.log).not.toContain('setRecovery')
      await pressOpen()
      expect(window.opened()).toHaveLength(2)
      await give()
      await page.see(done)
      expect(set.settled).toBe(true)
    },
  )

  test('in a window that reads as closed may be opened again, and its answer counts', async () => {
    const { page, pressOpen, give } = await setting({ app })
    await pressOpen()
    await pressOpen('closed')
    await page.see(`The ${cloudNames[method]} window was closed.`)
    await give()
    await page.see(done)
  })

  test('is not offered where the page keeps its windows apart, which is said', async () => {
    const { page } = await setting({ app: { ...app, crossOriginOpenerPolicy: 'same-origin' } })
    await page.see(`This page cannot reach the ${cloudNames[method]} window. Please choose another way.`)
    expect(page.walletButtonUrl()).toBeUndefined()
  })

  test('is being used, which cannot be left, and is shown if it takes longer', async () => {
    const using = Promise.withResolvers<void>()
    const { page, pressOpen, give } = await setting({
      app: appWith(all),
      wallet: { setRecovery: () => using.promise },
    })
    await page.press(method === 'icloud' ? 'Apple iCloud backup' : 'Google Drive backup')
    await pressOpen()
    await give()
    await page.see('Securing your account')
    expect([page.hasButton('Back'), page.hasButton('Close')]).toEqual([false, false])
    using.resolve()
    await page.see(done)
  })

  test('left behind by back sets nothing, whatever its window says', async () => {
    const { fixture, page, pressOpen, give } = await setting({ app: appWith(all) })
    await page.press(method === 'icloud' ? 'Apple iCloud backup' : 'Google Drive backup')
    await pressOpen()
    fixture.stage.back()
    await give()
    expect(fixture.screen()).toBe(selection)
    expect(fixture.wallet.log).not.toContain('setRecovery')
  })

  test.each([
    [{ reason: 'file_missing' }, /^The key to this wallet is not in this/],
    [{ reason: 'file_of_another_wallet' }, /does not open this wallet.$/],
    [{ reason: 'file_malformed' }, /does not open this wallet.$/],
    [{ code: 'envelope_refused' }, /does not open this wallet.$/],
    [{ reason: 'no_space' }, / is full\. Free up some space/],
    [{ reason: 'access_ended' }, / did not give access to the folder/],
    [{ reason: 'cloud_unreachable' }, 'An error has occurred, please try again.'],
    [undefined, 'An error has occurred, please try again.'],
  ] as const)('with a wallet frame that says %j asks again, and says %s', async (details, problem) => {
    let fails = true
    const { fixture, page, window, pressOpen, give, set } = await setting({
      app,
      wallet: {
        async setRecovery() {
          if (fails) throw new LatchkeyError('error', 'No', details && { details })
        },
      },
    })
    await pressOpen()
    await give()
    await page.see(problem)
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
    const { fixture, page, pressOpen, give, login } = await open({
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
    expect(fixture.screen()).toBe(selection)
    await page.see('Secure your account')
    expect(page.has('In use')).toBe(false)
    expect(page.hasButton('Cancel')).toBe(false)
    await page.press('Google Drive backup')
    await pressOpen()
    await give()
    expect(given).toEqual(['google-drive'])
    await page.see(done)
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
    const { fixture, page, confirm } = await signing(() => {})
    expect(fixture.screen()).toBe(cloudScreen)
    await page.see(`Recover with ${cloudNames[method]}`)
    expect(page.hasButton('Cancel')).toBe(false)
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
    const { fixture, page, confirm } = await signing(() => {
      if (!isThere) throw new LatchkeyError('error', 'No', { details: { reason: 'file_missing' } })
    })
    await confirm()
    await page.see(/^The key to this wallet is not in this/)
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
