/** A wallet that a passkey of its own keeps, as the card has its part in it: the window, the server's options, and what goes wrong. */
import { type AppConfig, LatchkeyError, type WalletAccount } from '@latchkey/protocol'
import { describe, expect, test } from 'vitest'
import { settle } from '../../../testing/clock.ts'
import { type FixtureOptions, makeFixture, watch } from '../../../testing/fixture.ts'
import {
  makeAuthAnswer,
  makeRefreshAnswer,
  makeToken,
  startSeconds,
  visitorUser,
  walletAccount,
  walletUser,
} from '../../../testing/fixtures.ts'
import { renderDialog } from '../../../testing/page.tsx'
import { capabilitiesIn, makeRecoveryWindows } from '../../../testing/wallet-windows/recovery-windows.ts'

const selection = 'EMBEDDED_WALLET_RECOVERY_SELECTION_SCREEN'
const passkeyScreen = 'EMBEDDED_WALLET_PASSKEY_RECOVERY_SCREEN'
const done = 'Your account is secured'
const failure = 'An error has occurred, please try again.'
const create = 'EMBEDDED_WALLET_PASSWORD_CREATE_SCREEN'
type Method = 'passkey' | 'google-drive' | 'user-passcode'

const first = '1'.padStart(43, 'w')
const attestation = {
  id: 'cred',
  rawId: 'cred',
  type: 'public-key',
  clientExtensionResults: {},
  response: { clientDataJson: 'e30', attestationObject: 'AA', transports: ['internal'] },
}
const salt = 'c2FsdA'
const keptByPasskey: typeof walletUser = {
  ...walletUser,
  linkedAccounts: walletUser.linkedAccounts.map((account) =>
    account.type === 'wallet'
      ? ({ ...walletAccount, recoveryMethod: 'passkey' } satisfies WalletAccount)
      : account,
  ),
}
const appWith = (methods: readonly Method[], more: object = {}): Pick<AppConfig, 'embeddedWalletConfig'> => ({
  embeddedWalletConfig: { userOwnedRecoveryOptions: [...methods], ...more },
})

type Opened = Pick<FixtureOptions, 'wallet' | 'app'> & {
  user?: typeof walletUser
  later?: typeof walletUser
  hasPrf?: boolean
}

async function open({
  user = walletUser,
  later = user,
  wallet = {},
  app = appWith(['passkey']),
  hasPrf = true,
}: Opened = {}) {
  const window = makeRecoveryWindows()
  const registered: unknown[] = []
  const rp = { name: 'App', id: 'wallet.localhost' }
  const fixture = await makeFixture({
    app,
    wallet: { ...window.wallet, ...wallet },
    capabilities: capabilitiesIn({ userAgent: window.userAgent, hasPrf: async () => hasPrf }),
    answers: {
      sendEmailCode: () => ({ success: true }),
      loginWithEmailCode: () => makeAuthAnswer({ user }),
      me: () => later,
      refreshSession: () => makeRefreshAnswer({ user, token: makeToken({ exp: startSeconds + 36_000 }) }),
      decideConfirmation: () => ({ state: 'approved' }),
      beginRecoveryPasskey: () => ({
        options: {
          rp,
          user: { id: 'aGFuZGxl', name: 'n', displayName: 'n' },
          challenge: 'Y2hhbGxlbmdl',
          pubKeyCredParams: [],
        },
        salt,
      }),
      registerRecoveryPasskey(body) {
        registered.push(body)
        return { credentialId: 'cred' }
      },
      askRecoveryPasskey: () => ({ options: { challenge: 'Y2hhbGxlbmdl', rpId: rp.id }, salt }),
    },
  })
  const page = renderDialog(fixture)
  const login = watch(fixture.login())
  await settle()
  await fixture.enter(0, 'submit', 'ada@example.org')
  await page.type('Digit 1 of 6', '123456')
  return { fixture, page, window, registered, login }
}

async function come() {
  for (let turn = 0; turn < 10; turn += 1) await settle()
}

async function setting(options: Opened = {}) {
  const opened = await open(options)
  await opened.fixture.clock.advance(10_000)
  opened.fixture.events.length = 0
  const set = watch(opened.fixture.more('setWalletRecovery', {}))
  await settle()
  /** What is made in the window is registered with what its authenticator said. */
  async function make() {
    await opened.page.openWalletWindow()
    opened.window.give({ newPasskey: attestation })
    await come()
  }
  return { ...opened, set, make }
}

describe('the choice', () => {
  test('has it first where the app and the browser have it', async () => {
    const { fixture, page } = await setting({ app: appWith(['user-passcode', 'passkey']) })
    await page.see('Secure your account')
    const rows = ['Passkey', 'Set password']
    expect(page.texts().filter((text) => rows.includes(text))).toEqual(rows)
    await page.press('Passkey')
    expect(fixture.screen()).toBe(passkeyScreen)
    await page.press('Back')
    expect(fixture.screen()).toBe(selection)
  })

  test('has it not where the browser lacks it, nor where the app has it off', async () => {
    const { fixture } = await setting({ app: appWith(['user-passcode', 'passkey']), hasPrf: false })
    expect(fixture.screen()).toBe(create)
    const { fixture: other } = await setting({ app: appWith(['user-passcode']) })
    expect(other.screen()).toBe(create)
  })

  test('that is empty for this browser is told to the host', async () => {
    const { set } = await setting({ hasPrf: false })
    expect(set.error).toMatchObject({ code: 'disallowed_recovery_method' })
  })
})

describe('a new passkey', () => {
  test('is made in a window that is told the options of the server, and registered before it is confirmed', async () => {
    const kept: unknown[] = []
    const { fixture, page, set, make, window, registered } = await setting({
      wallet: { setRecovery: async (address, { own }) => void kept.push([address, own]) },
    })
    await page.see('Secure with a passkey')
    expect(page.walletButtonUrl()).toContain(`#${first}`)
    expect(window.opened()).toEqual([])
    await make()
    expect(window.asked).toEqual([
      {
        window: first,
        method: 'passkey',
        purpose: 'set',
        address: walletAccount.address,
        passkey: {
          options: {
            rp: { name: 'App', id: 'wallet.localhost' },
            user: { id: 'aGFuZGxl', name: 'n', displayName: 'n' },
            challenge: 'Y2hhbGxlbmdl',
            pubKeyCredParams: [],
          },
          salt,
        },
      },
    ])
    expect(registered).toEqual([{ authenticatorResponse: attestation }])
    expect(window.confirmed).toHaveLength(1)
    const confirmation = expect.objectContaining({ handle: 'h'.repeat(43) })
    expect(kept).toEqual([[walletAccount.address, { method: 'passkey', window: first, confirmation }]])
    await page.see(done)
    expect(set.value).toMatchObject({ wallet: { address: walletAccount.address } })
    await page.press('All done')
    expect(fixture.view()?.open).toBe(false)
  })

  test('that could not be set is told in its window, and another window is opened for the next', async () => {
    let fails = true
    const { page, make, fixture, window } = await setting({
      wallet: {
        async setRecovery() {
          if (fails) throw new LatchkeyError('error', 'No')
        },
      },
    })
    await make()
    await page.see(failure)
    expect(window.ended).toEqual([{ window: first, problem: { code: 'error' } }])
    expect(fixture.events).toContain('embedded_wallet_set_recovery_failed')
    fails = false
    await make()
    await page.see(done)
    expect(window.opened()).toHaveLength(2)
  })

  test('that is no answer of an authenticator is not registered', async () => {
    const { page, window, registered } = await setting()
    await page.openWalletWindow()
    window.give({ newPasskey: { id: 'cred' } })
    await come()
    expect(registered).toEqual([])
    await page.see(failure)
  })

  // spec W4.7
  test('keeps a new wallet from its beginning, and the login goes on by itself', async () => {
    const kept: unknown[] = []
    const { fixture, page, window } = await open({
      user: visitorUser,
      later: keptByPasskey,
      app: appWith(['passkey'], { createOnLogin: 'all-users', requireUserOwnedRecoveryOnCreate: true }),
      wallet: {
        async create({ own }) {
          kept.push(own?.method)
          return walletAccount.address
        },
      },
    })
    await fixture.clock.advance(900)
    expect(fixture.screen()).toBe(passkeyScreen)
    await page.see('Secure with a passkey')
    expect(page.hasButton('Cancel')).toBe(false)
    await page.openWalletWindow()
    window.give({ newPasskey: attestation })
    await come()
    expect(kept).toEqual(['passkey'])
    expect(window.confirmed).toEqual([])
    await page.see(done)
    await fixture.clock.advance(1_400)
    expect(fixture.screen()).not.toBe(passkeyScreen)
  })
})

describe('a device without a share of a wallet that a passkey keeps', () => {
  const away = new LatchkeyError('wallet_not_on_device', 'Not here')

  async function signing(recover: () => void = () => {}) {
    let isHere = false
    const opened = await open({
      user: keptByPasskey,
      hasPrf: false,
      wallet: {
        connect: async () => {
          if (!isHere) throw away
        },
        async recover(_address, asker) {
          expect(asker?.own).toMatchObject({ method: 'passkey', window: first })
          recover()
          isHere = true
        },
      },
    })
    await opened.fixture.clock.advance(10_000)
    const signed = watch(opened.fixture.signMessage({ message: 'hello' }))
    await settle()
    async function answer() {
      if (opened.page.has('Recover with your passkey')) await opened.page.openWalletWindow()
      opened.window.give()
      await come()
    }
    return { ...opened, signed, answer }
  }

  test('asks it in a window, whatever the browser says of itself, and then shows what was asked for', async () => {
    const { fixture, page, answer, window } = await signing()
    expect(fixture.screen()).toBe(passkeyScreen)
    await page.see('Recover with your passkey')
    expect(page.hasButton('Cancel')).toBe(false)
    await answer()
    expect(window.asked).toMatchObject([
      {
        purpose: 'recover',
        passkey: { options: { challenge: 'Y2hhbGxlbmdl', rpId: 'wallet.localhost' }, salt },
      },
    ])
    expect(fixture.screen()).toBe('EMBEDDED_WALLET_SIGN_REQUEST_SCREEN')
    expect(fixture.events).toEqual(
      expect.arrayContaining(['embedded_wallet_recovery_started', 'embedded_wallet_recovery_completed']),
    )
  })

  test.each([
    [new LatchkeyError('invalid_recovery_pin', 'No'), 'invalid_recovery_pin'],
    [new LatchkeyError('error', 'No', { details: { code: 'envelope_refused' } }), 'envelope_refused'],
    [new LatchkeyError('share_mismatch', 'No'), 'share_mismatch'],
    [new LatchkeyError('error', 'No'), 'error'],
  ] as const)('that hears %s asks again in the same window, with another challenge', async (error, code) => {
    let fails = true
    const { fixture, answer, window } = await signing(() => {
      if (fails) throw error
    })
    await answer()
    expect(window.asked.at(-1)).toMatchObject({ window: first, problem: { code }, passkey: { salt } })
    fails = false
    await answer()
    expect(window.opened()).toHaveLength(1)
    expect(fixture.screen()).toBe('EMBEDDED_WALLET_SIGN_REQUEST_SCREEN')
  })

  test('ends the call when the user gives up', async () => {
    const { fixture, page, signed, window } = await signing()
    await page.openWalletWindow()
    window.close()
    await come()
    fixture.stage.close()
    await settle()
    expect(signed.error).toMatchObject({ code: 'user_rejected_request' })
  })
})
