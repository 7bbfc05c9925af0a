/** A wallet that a passkey of its own keeps, as its user meets it: made, asked once more, used, and what goes wrong. */
import { type AppConfig, LatchkeyError, type WalletAccount } from '@latchkey/protocol'
import type { Assertion, Attestation } from '@latchkey/protocol/api'
import { describe, expect, test } from 'vitest'
import { settle } from '../../../testing/clock.ts'
import {
  makeAuthAnswer,
  makeRefreshAnswer,
  makeToken,
  startSeconds,
  visitorUser,
  walletAccount,
  walletUser,
} from '../../../testing/fixtures.ts'
import { makeWorld, type WorldOptions, watch } from '../../../testing/world.ts'
import { notAllowed } from '../../../webauthn/authenticator.ts'
import type { PrfAuthenticator } from '../../../webauthn/prf-authenticator.ts'
import { capabilitiesIn } from '../testing.ts'

const selection = 'EMBEDDED_WALLET_RECOVERY_SELECTION_SCREEN'
const passkeyScreen = 'EMBEDDED_WALLET_PASSKEY_RECOVERY_SCREEN'
const create = 'EMBEDDED_WALLET_PASSWORD_CREATE_SCREEN'
type Method = 'passkey' | 'google-drive' | 'user-passcode'

const answered = { id: 'cred', rawId: 'cred', type: 'public-key', clientExtensionResults: {} } as const
const assertion: Assertion = {
  ...answered,
  response: { clientDataJson: 'e30', authenticatorData: 'AA', signature: 'AA' },
}
const attestation: Attestation = {
  ...answered,
  response: { clientDataJson: 'e30', attestationObject: 'AA', transports: ['internal'] },
}
const given = await crypto.subtle.importKey('raw', new Uint8Array(32), 'HKDF', false, ['deriveBits'])
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

const nobody: readonly ('create' | 'get')[] = []
/** What the device does next; what it was asked for. */
function makeDevice() {
  const asked: { readonly what: 'create' | 'get'; readonly options: unknown; readonly salt: string }[] = []
  const device = { isSupported: true, isAble: true, givesOnCreate: true, givesOnGet: true, refuses: nobody }
  const authenticator: PrfAuthenticator = {
    isSupported: async () => device.isSupported,
    async create(options, from) {
      asked.push({ what: 'create', options, salt: from })
      if (device.refuses.includes('create')) throw notAllowed()
      return { attestation, isAble: device.isAble, given: device.givesOnCreate ? given : undefined }
    },
    async get(options, from) {
      asked.push({ what: 'get', options, salt: from })
      if (device.refuses.includes('get')) throw notAllowed()
      return { assertion, given: device.givesOnGet ? given : undefined }
    },
  }
  return { device, authenticator, asked, names: () => asked.map(({ what }) => what) }
}

type Opened = Pick<WorldOptions, 'wallet' | 'app'> & {
  readonly user?: typeof walletUser
  readonly later?: typeof walletUser
}

async function open({
  user = walletUser,
  later = user,
  wallet = {},
  app = appWith(['passkey']),
}: Opened = {}) {
  const { authenticator, ...held } = makeDevice()
  const rp = { name: 'App', id: 'dialog.localhost' }
  const world = await makeWorld({
    app,
    wallet,
    capabilities: capabilitiesIn({ authenticator }),
    answers: {
      sendEmailCode: () => ({ success: true }),
      loginWithEmailCode: () => makeAuthAnswer({ user }),
      me: () => later,
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
      registerRecoveryPasskey: () => ({ credentialId: 'cred' }),
      askRecoveryPasskey: () => ({ options: { challenge: 'Y2hhbGxlbmdl', rpId: rp.id }, salt }),
    },
  })
  const login = watch(world.login())
  await settle()
  await world.enter(0, 'submit', 'ada@example.org')
  await world.press('AWAITING_PASSWORDLESS_CODE', 'submit', '123456')
  return { world, login, ...held, step: () => world.state(passkeyScreen).step }
}

async function setting(options: Opened = {}, isSupported = true) {
  const opened = await open(options)
  opened.device.isSupported = isSupported
  await opened.world.clock.advance(10_000)
  opened.world.events.length = 0
  const set = watch(opened.world.more('setWalletRecovery', {}))
  await settle()
  const confirm = () => opened.world.press(passkeyScreen, 'confirm')
  return { ...opened, set, confirm }
}

describe('the choice', () => {
  test('has it first where the app and the browser have it', async () => {
    const { world } = await setting({ app: appWith(['user-passcode', 'passkey']) })
    expect(world.state(selection)).toMatchObject({ options: ['passkey', 'user-passcode'] })
    await world.press(selection, 'choose', 'passkey')
    expect(world.screen()).toBe(passkeyScreen)
    world.stage.back()
    await settle()
    expect(world.screen()).toBe(selection)
  })

  test('has it not where the browser lacks it, nor where the app has it off', async () => {
    const { world } = await setting({ app: appWith(['user-passcode', 'passkey']) }, false)
    expect(world.screen()).toBe(create)
    const { world: other } = await setting({ app: appWith(['user-passcode']) })
    expect(other.screen()).toBe(create)
  })

  test('that is empty for this browser is told to the host', async () => {
    const { set } = await setting({}, false)
    expect(set.error).toMatchObject({ code: 'disallowed_recovery_method' })
  })
})

describe('a new passkey', () => {
  test('is made by the press, and what it gives goes to the wallet', async () => {
    const kept: unknown[] = []
    const { world, step, confirm, set, asked } = await setting({
      wallet: { setRecovery: async (address, { own }) => void kept.push([address, own]) },
    })
    expect(step()).toEqual({ at: 'asking', isMade: false })
    expect(asked).toEqual([])
    await confirm()
    expect(asked).toMatchObject([{ what: 'create', salt }])
    const own = { method: 'passkey', given, passkey: { credentialId: 'cred' } }
    expect(kept).toEqual([[walletAccount.address, own]])
    expect(step()).toEqual({ at: 'done' })
    expect(set.value).toMatchObject({ wallet: { address: walletAccount.address } })
    await world.press(passkeyScreen, 'close')
    expect(world.view()?.open).toBe(false)
  })

  test('that gives nothing when it is made is asked at once, by its name', async () => {
    const { step, confirm, device, asked } = await setting()
    device.givesOnCreate = false
    await confirm()
    expect(asked).toMatchObject([
      { what: 'create' },
      {
        what: 'get',
        salt,
        options: {
          rpId: 'dialog.localhost',
          userVerification: 'required',
          allowCredentials: [{ id: 'cred', type: 'public-key', transports: ['internal'] }],
        },
      },
    ])
    expect(step()).toEqual({ at: 'done' })
  })

  test('that could not be asked, or not be set, is not made a second time', async () => {
    let fails = true
    const { step, confirm, device, names, world } = await setting({
      wallet: {
        async setRecovery() {
          if (fails) throw new LatchkeyError('error', 'No')
        },
      },
    })
    device.givesOnCreate = false
    device.refuses = ['get']
    await confirm()
    expect(step()).toEqual({ at: 'asking', isMade: true, problem: 'notAllowed' })
    device.refuses = []
    await confirm()
    expect(step()).toEqual({ at: 'asking', isMade: true, problem: 'failed' })
    expect(world.events).toContain('embedded_wallet_set_recovery_failed')
    fails = false
    await confirm()
    expect(step()).toEqual({ at: 'done' })
    expect(names()).toEqual(['create', 'get', 'get'])
  })

  test('that the server has kept for half an hour is made anew', async () => {
    let fails = true
    const { world, step, confirm, names } = await setting({
      wallet: {
        async setRecovery() {
          if (fails) throw new LatchkeyError('error', 'No')
        },
      },
    })
    await confirm()
    expect(step()).toEqual({ at: 'asking', isMade: true, problem: 'failed' })
    fails = false
    await world.clock.advance(30 * 60_000)
    await confirm()
    expect(step()).toEqual({ at: 'done' })
    expect(names()).toEqual(['create', 'create'])
  })

  test('that can give nothing cannot protect a wallet, and another one can', async () => {
    const { step, confirm, device, world } = await setting()
    device.isAble = false
    device.givesOnCreate = false
    await confirm()
    expect(step()).toEqual({ at: 'asking', isMade: false, problem: 'unable' })
    device.isAble = true
    device.givesOnGet = false
    await confirm()
    expect(step()).toEqual({ at: 'asking', isMade: false, problem: 'unable' })
    expect(world.wallet.log).not.toContain('setRecovery')
    device.givesOnGet = true
    await confirm()
    expect(step()).toEqual({ at: 'done' })
  })

  test('that its user refused is asked for again', async () => {
    const { step, confirm, device, world, set } = await setting()
    device.refuses = ['create']
    await confirm()
    expect(step()).toEqual({ at: 'asking', isMade: false, problem: 'notAllowed' })
    await world.press(passkeyScreen, 'cancel')
    expect(set.error).toMatchObject({ code: 'user_exited_set_password_flow' })
  })

  // spec W4.7
  test('keeps a new wallet from its beginning, and the login goes on by itself', async () => {
    const kept: unknown[] = []
    const { world, step } = await open({
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
    await world.clock.advance(900)
    expect(world.state(passkeyScreen)).toMatchObject({ purpose: 'set', canCancel: false })
    await world.press(passkeyScreen, 'confirm')
    expect(kept).toEqual(['passkey'])
    expect(step()).toEqual({ at: 'done' })
    await world.clock.advance(1_400)
    expect(world.screen()).not.toBe(passkeyScreen)
  })
})

describe('a device without a share of a wallet that a passkey keeps', () => {
  const away = new LatchkeyError('wallet_not_on_device', 'Not here')

  async function signing(recover: () => void = () => {}) {
    let isHere = false
    const opened = await open({
      user: keptByPasskey,
      wallet: {
        connect: async () => {
          if (!isHere) throw away
        },
        async recover(_address, asker) {
          const own = { method: 'passkey', given, passkey: { authenticatorResponse: assertion } }
          expect(asker?.own).toEqual(own)
          recover()
          isHere = true
        },
      },
    })
    await opened.world.clock.advance(10_000)
    const signed = watch(opened.world.signMessage({ message: 'hello' }))
    await settle()
    return { ...opened, signed, confirm: () => opened.world.press(passkeyScreen, 'confirm') }
  }

  test('asks it, whatever the browser says of itself, and then shows what was asked for', async () => {
    const { world, confirm, step, device, asked } = await signing()
    device.isSupported = false
    expect(world.state(passkeyScreen)).toMatchObject({ purpose: 'recover', canCancel: false })
    expect(step()).toEqual({ at: 'asking', isMade: false })
    await confirm()
    expect(asked).toMatchObject([{ what: 'get', salt }])
    expect(world.screen()).toBe('EMBEDDED_WALLET_SIGN_REQUEST_SCREEN')
    expect(world.events).toEqual(
      expect.arrayContaining(['embedded_wallet_recovery_started', 'embedded_wallet_recovery_completed']),
    )
  })

  test.each([
    [new LatchkeyError('invalid_recovery_pin', 'No'), 'foreign'],
    [new LatchkeyError('error', 'No', { details: { code: 'envelope_refused' } }), 'foreign'],
    [new LatchkeyError('share_mismatch', 'No'), 'foreign'],
    [new LatchkeyError('too_many_requests', 'No'), 'locked'],
    [new LatchkeyError('error', 'No'), 'failed'],
  ] as const)('that hears %s asks again, and says %s', async (error, problem) => {
    let fails = true
    const { world, confirm, step } = await signing(() => {
      if (fails) throw error
    })
    await confirm()
    expect(step()).toEqual({ at: 'asking', isMade: false, problem })
    fails = false
    await confirm()
    expect(world.screen()).toBe('EMBEDDED_WALLET_SIGN_REQUEST_SCREEN')
  })

  test('ends the call when the user gives up', async () => {
    const { world, signed, confirm, device, step } = await signing()
    device.givesOnGet = false
    await confirm()
    expect(step()).toEqual({ at: 'asking', isMade: false, problem: 'unable' })
    world.stage.close()
    await settle()
    expect(signed.error).toMatchObject({ code: 'user_rejected_request' })
  })
})
