/** Recovery by a file in the user's cloud: the choice, the window, its messages and failures. */
import { LatchkeyError } from '@latchkey/protocol'
import { describe, expect, test } from 'vitest'
import { settle } from '../../../testing/clock.ts'
import { visitorUser, walletAccount } from '../../../testing/fixtures.ts'
import {
  makeRecoveryApp,
  makeUserWithRecovery,
  openRecovery,
  openSetRecovery,
  openSigningWithoutShare,
} from '../../../testing/wallet-windows/recovery-page.ts'

const selection = 'EMBEDDED_WALLET_RECOVERY_SELECTION_SCREEN'
const done = 'Your account is secured'
const cloudScreen = 'EMBEDDED_WALLET_RECOVERY_OAUTH_SCREEN'
const create = 'EMBEDDED_WALLET_PASSWORD_CREATE_SCREEN'
const everyMethod = makeRecoveryApp(['user-passcode', 'google-drive', 'icloud'])

describe('the choice', () => {
  // spec W2.4, W2.5
  test('is the first screen of an app with several methods, and marks the current one', async () => {
    const { fixture, page } = await openSetRecovery({
      app: everyMethod,
      user: makeUserWithRecovery('google-drive'),
    })
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
  ] as const)('is skipped in an app with %s only', async (method, screen) => {
    const { fixture } = await openSetRecovery({ app: makeRecoveryApp([method]) })
    expect(fixture.screen()).toBe(screen)
  })

  test('rejects the call if the user cancels', async () => {
    const { page, set } = await openSetRecovery({ app: everyMethod })
    await page.press('Cancel')
    expect(set.error).toMatchObject({ code: 'user_exited_set_password_flow' })
  })
})

const first = '1'.padStart(43, 'w')
const cloudNames = { 'google-drive': 'Google Drive', icloud: 'iCloud' } as const

describe.each(['google-drive', 'icloud'] as const)('%s', (method) => {
  const app = makeRecoveryApp([method])

  // spec W2.11
  test('is used in a window of the wallet, and the card shows the result', async () => {
    const kept: unknown[] = []
    const { fixture, page, window, set, give } = await openSetRecovery({
      app,
      wallet: { setRecovery: async (address, { own }) => void kept.push([address, own]) },
    })
    await page.see(`Back up to ${cloudNames[method]}`)
    expect(page.walletButtonUrl()).toContain(`#${first}`)
    expect(window.opened()).toEqual([])
    await page.openWalletWindow()
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
    'shows for %s of the window: %s, and another press opens another window',
    async (code, problem) => {
      const { fixture, page, window, give, set } = await openSetRecovery({ app })
      await page.openWalletWindow()
      window.refuse(code)
      await settle()
      await page.see(problem)
      expect(fixture.events.filter((name) => name === 'recovery_oauth_error')).toHaveLength(1)
      expect(fixture.wallet.log).not.toContain('setRecovery')
      await page.openWalletWindow()
      expect(window.opened()).toHaveLength(2)
      await give()
      await page.see(done)
      expect(set.settled).toBe(true)
    },
  )

  test('accepts the answer of a window that was reported as closed', async () => {
    const { page, give } = await openSetRecovery({ app })
    await page.openWalletWindow()
    await page.openWalletWindow('closed')
    await page.see(`The ${cloudNames[method]} window was closed.`)
    await give()
    await page.see(done)
  })

  test('is not offered on a page that isolates its windows, with a message', async () => {
    const { page } = await openSetRecovery({ app: { ...app, crossOriginOpenerPolicy: 'same-origin' } })
    await page.see(`This page cannot reach the ${cloudNames[method]} window. Please choose another way.`)
    expect(page.walletButtonUrl()).toBeUndefined()
  })

  test('cannot be left while the wallet is secured, and shows the progress', async () => {
    const using = Promise.withResolvers<void>()
    const { page, give } = await openSetRecovery({
      app: everyMethod,
      wallet: { setRecovery: () => using.promise },
    })
    await page.press(method === 'icloud' ? 'Apple iCloud backup' : 'Google Drive backup')
    await page.openWalletWindow()
    await give()
    await page.see('Securing your account')
    expect([page.hasButton('Back'), page.hasButton('Close')]).toEqual([false, false])
    using.resolve()
    await page.see(done)
  })

  test('sets nothing after the user went back, even if the window answers', async () => {
    const { fixture, page, give } = await openSetRecovery({ app: everyMethod })
    await page.press(method === 'icloud' ? 'Apple iCloud backup' : 'Google Drive backup')
    await page.openWalletWindow()
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
  ] as const)('asks again after %j of the wallet frame, and shows %s', async (details, problem) => {
    let fails = true
    const { fixture, page, window, give, set } = await openSetRecovery({
      app,
      wallet: {
        async setRecovery() {
          if (fails) throw new LatchkeyError('error', 'No', details && { details })
        },
      },
    })
    await page.openWalletWindow()
    await give()
    await page.see(problem)
    expect(window.ended).toHaveLength(1)
    expect(fixture.events).toContain('embedded_wallet_set_recovery_failed')
    fails = false
    await page.openWalletWindow()
    await give()
    expect(set.value).toBeTruthy()
  })
})

describe('a new wallet', () => {
  const app = makeRecoveryApp(['user-passcode', 'google-drive', 'icloud'], {
    createOnLogin: 'all-users',
    requireUserOwnedRecoveryOnCreate: true,
  })

  // spec W4.7
  test('is created during the login after the user chose a method, and closes by itself', async () => {
    const methods: unknown[] = []
    const { fixture, page, give, login } = await openRecovery({
      user: visitorUser,
      later: makeUserWithRecovery('google-drive'),
      app,
      wallet: {
        async create({ own }) {
          methods.push(own?.method)
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
    await page.openWalletWindow()
    await give()
    expect(methods).toEqual(['google-drive'])
    await page.see(done)
    expect(login.settled).toBe(false)
    await fixture.clock.advance(1_400)
    expect(fixture.screen()).not.toBe(cloudScreen)
  })
})

describe.each(['google-drive', 'icloud'] as const)('a device without a share of a wallet in %s', (method) => {
  async function openSigning(recover: () => void) {
    const opened = await openSigningWithoutShare(
      { user: makeUserWithRecovery(method), app: makeRecoveryApp([method]) },
      (options) => {
        expect(options?.own?.method).toBe(method)
        recover()
      },
    )
    const confirm = async () => {
      await opened.page.openWalletWindow()
      await opened.give()
    }
    return { ...opened, confirm }
  }

  // spec W4.4, W4.5
  test('recovers in a window, and then shows the request', async () => {
    const { fixture, page, confirm } = await openSigning(() => {})
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
  test('shows that the file is missing, and continues with the right account', async () => {
    let isThere = false
    const { fixture, page, confirm } = await openSigning(() => {
      if (!isThere) throw new LatchkeyError('error', 'No', { details: { reason: 'file_missing' } })
    })
    await confirm()
    await page.see(/^The key to this wallet is not in this/)
    isThere = true
    await confirm()
    expect(fixture.screen()).toBe('EMBEDDED_WALLET_SIGN_REQUEST_SCREEN')
  })

  test('rejects the call if the user closes the card', async () => {
    const { fixture, signed, confirm } = await openSigning(() => {
      throw new LatchkeyError('error', 'No')
    })
    await confirm()
    fixture.stage.close()
    await settle()
    expect(signed.error).toMatchObject({ code: 'user_rejected_request', details: { code: 4001 } })
  })
})
