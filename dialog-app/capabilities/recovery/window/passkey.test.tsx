/** Recovery by a passkey of the wallet: the window, the server's options and failures. */
import { LatchkeyError } from '@latchkey/protocol'
import { describe, expect, test } from 'vitest'
import { settle } from '../../../testing/clock.ts'
import {
  makeRefreshAnswer,
  makeToken,
  startSeconds,
  visitorUser,
  walletAccount,
  walletUser,
} from '../../../testing/fixtures.ts'
import {
  makeRecoveryApp,
  makeUserWithRecovery,
  openRecovery,
  openSetRecovery,
  openSigningWithoutShare,
  type RecoveryOptions,
} from '../../../testing/wallet-windows/recovery-page.ts'

const selection = 'EMBEDDED_WALLET_RECOVERY_SELECTION_SCREEN'
const passkeyScreen = 'EMBEDDED_WALLET_PASSKEY_RECOVERY_SCREEN'
const done = 'Your account is secured'
const failure = 'An error has occurred, please try again.'
const create = 'EMBEDDED_WALLET_PASSWORD_CREATE_SCREEN'

const first = '1'.padStart(43, 'w')
const attestation = {
  id: 'cred',
  rawId: 'cred',
  type: 'public-key',
  clientExtensionResults: {},
  response: { clientDataJson: 'e30', attestationObject: 'AA', transports: ['internal'] },
}
const salt = 'c2FsdA'
const rp = { name: 'App', id: 'wallet.localhost' }
const passkeyUser = makeUserWithRecovery('passkey')
const passkeyApp = makeRecoveryApp(['passkey'])

/** A server with passkeys. It stores each registration in `registered`. */
function makePasskeyServer({ user = walletUser, app = passkeyApp, ...options }: RecoveryOptions = {}) {
  const registered: unknown[] = []
  const served: RecoveryOptions = {
    ...options,
    user,
    app,
    answers: {
      refreshSession: () => makeRefreshAnswer({ user, token: makeToken({ exp: startSeconds + 36_000 }) }),
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
  }
  return { served, registered }
}

async function openSet(options: RecoveryOptions = {}) {
  const { served, registered } = makePasskeyServer(options)
  const opened = await openSetRecovery(served)
  /** Creates a passkey in the window. */
  async function create() {
    await opened.page.openWalletWindow()
    await opened.give({ newPasskey: attestation })
  }
  return { ...opened, registered, create }
}

describe('the choice', () => {
  test('starts with passkeys if the app and the browser support them', async () => {
    const { fixture, page } = await openSet({ app: makeRecoveryApp(['user-passcode', 'passkey']) })
    await page.see('Secure your account')
    const rows = ['Passkey', 'Set password']
    expect(page.texts().filter((text) => rows.includes(text))).toEqual(rows)
    await page.press('Passkey')
    expect(fixture.screen()).toBe(passkeyScreen)
    await page.press('Back')
    expect(fixture.screen()).toBe(selection)
  })

  test('has no passkeys if the browser or the app does not support them', async () => {
    const { fixture } = await openSet({ app: makeRecoveryApp(['user-passcode', 'passkey']), hasPrf: false })
    expect(fixture.screen()).toBe(create)
    const { fixture: other } = await openSet({ app: makeRecoveryApp(['user-passcode']) })
    expect(other.screen()).toBe(create)
  })

  test('rejects the call if the browser supports no method of the app', async () => {
    const { set } = await openSet({ hasPrf: false })
    expect(set.error).toMatchObject({ code: 'disallowed_recovery_method' })
  })
})

describe('a new passkey', () => {
  test('is created in a window with the options of the server, and registered before the confirmation', async () => {
    const kept: unknown[] = []
    const { fixture, page, set, create, window, registered } = await openSet({
      wallet: { setRecovery: async (address, { own }) => void kept.push([address, own]) },
    })
    await page.see('Secure with a passkey')
    expect(page.walletButtonUrl()).toContain(`#${first}`)
    expect(window.opened()).toEqual([])
    await create()
    expect(window.asked).toEqual([
      {
        window: first,
        method: 'passkey',
        purpose: 'set',
        address: walletAccount.address,
        passkey: {
          options: {
            rp,
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

  test('shows a failure in its window, and the next try opens another window', async () => {
    let fails = true
    const { page, create, fixture, window } = await openSet({
      wallet: {
        async setRecovery() {
          if (fails) throw new LatchkeyError('error', 'No')
        },
      },
    })
    await create()
    await page.see(failure)
    expect(window.ended).toEqual([{ window: first, problem: { code: 'error' } }])
    expect(fixture.events).toContain('embedded_wallet_set_recovery_failed')
    fails = false
    await create()
    await page.see(done)
    expect(window.opened()).toHaveLength(2)
  })

  test('is not registered if the answer of the authenticator is malformed', async () => {
    const { page, give, registered } = await openSet()
    await page.openWalletWindow()
    await give({ newPasskey: { id: 'cred' } })
    expect(registered).toEqual([])
    await page.see(failure)
  })

  // spec W4.7
  test('protects a new wallet, and the login continues by itself', async () => {
    const methods: unknown[] = []
    const { served } = makePasskeyServer({
      user: visitorUser,
      later: passkeyUser,
      app: makeRecoveryApp(['passkey'], {
        createOnLogin: 'all-users',
        requireUserOwnedRecoveryOnCreate: true,
      }),
      wallet: {
        async create({ own }) {
          methods.push(own?.method)
          return walletAccount.address
        },
      },
    })
    const { fixture, page, window, give } = await openRecovery(served)
    await fixture.clock.advance(900)
    expect(fixture.screen()).toBe(passkeyScreen)
    await page.see('Secure with a passkey')
    expect(page.hasButton('Cancel')).toBe(false)
    await page.openWalletWindow()
    await give({ newPasskey: attestation })
    expect(methods).toEqual(['passkey'])
    expect(window.confirmed).toEqual([])
    await page.see(done)
    await fixture.clock.advance(1_400)
    expect(fixture.screen()).not.toBe(passkeyScreen)
  })
})

describe('a device without a share of a wallet with a passkey', () => {
  async function openSigning(recover: () => void = () => {}) {
    const { served } = makePasskeyServer({ user: passkeyUser, hasPrf: false })
    const opened = await openSigningWithoutShare(served, (options) => {
      expect(options?.own).toMatchObject({ method: 'passkey', window: first })
      recover()
    })
    async function answer() {
      if (opened.page.has('Recover with your passkey')) await opened.page.openWalletWindow()
      await opened.give()
    }
    return { ...opened, answer }
  }

  test('recovers in a window even if the browser reports no support, and then shows the request', async () => {
    const { fixture, page, answer, window } = await openSigning()
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
  ] as const)('asks again in the same window after %s, with another challenge', async (error, code) => {
    let fails = true
    const { fixture, answer, window } = await openSigning(() => {
      if (fails) throw error
    })
    await answer()
    expect(window.asked.at(-1)).toMatchObject({ window: first, problem: { code }, passkey: { salt } })
    fails = false
    await answer()
    expect(window.opened()).toHaveLength(1)
    expect(fixture.screen()).toBe('EMBEDDED_WALLET_SIGN_REQUEST_SCREEN')
  })

  test('rejects the call if the user closes the card', async () => {
    const { fixture, page, signed, window } = await openSigning()
    await page.openWalletWindow()
    window.close()
    await settle()
    fixture.stage.close()
    await settle()
    expect(signed.error).toMatchObject({ code: 'user_rejected_request' })
  })
})
