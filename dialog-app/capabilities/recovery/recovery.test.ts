/** A password for a wallet, as its user meets it: chosen, changed, asked for. */
import { type AppConfig, LatchkeyError, type WalletAccount } from '@latchkey/protocol'
import { sealedShareSchema } from '@latchkey/protocol/wallet'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { settle } from '../../testing/clock.ts'
import { makeAuthAnswer, visitorUser, walletAccount, walletUser } from '../../testing/fixtures.ts'
import { passwordSealedTo, publicKeyOf } from '../../testing/vault-keys.ts'
import { openWallet, type Serve, served } from '../../testing/wallet.ts'
import { makeWorld, type World, type WorldOptions, watch } from '../../testing/world.ts'
import type { VerifiedAsker } from '../../wallet/verification.ts'

const create = 'EMBEDDED_WALLET_PASSWORD_CREATE_SCREEN'
const update = 'EMBEDDED_WALLET_PASSWORD_UPDATE_SCREEN'
const splash = 'EMBEDDED_WALLET_PASSWORD_UPDATE_SPLASH_SCREEN'
const recover = 'EMBEDDED_WALLET_PASSWORD_RECOVERY_SCREEN'
const request = 'EMBEDDED_WALLET_SIGN_REQUEST_SCREEN'
const password = 'correct-horse-battery'

const passwordAccount: WalletAccount = { ...walletAccount, recoveryMethod: 'user-passcode' }
const userWith = (wallet: WalletAccount) => ({
  ...walletUser,
  linkedAccounts: walletUser.linkedAccounts.map((account) => (account.type === 'wallet' ? wallet : account)),
})
const passwordUser = userWith(passwordAccount)
const cloudUser = userWith({ ...walletAccount, recoveryMethod: 'google-drive' })
type AppSettings = Pick<AppConfig, 'embeddedWalletConfig'>
const options: AppSettings = { embeddedWalletConfig: { userOwnedRecoveryOptions: ['user-passcode'] } }
const required: AppSettings = {
  embeddedWalletConfig: {
    createOnLogin: 'all-users',
    userOwnedRecoveryOptions: ['user-passcode'],
    requireUserOwnedRecoveryOnCreate: true,
  },
}

async function userWorld(user: typeof walletUser, more: WorldOptions = {}) {
  const world = await makeWorld({
    app: options,
    ...more,
    answers: {
      sendEmailCode: () => ({ success: true }),
      loginWithEmailCode: () => makeAuthAnswer({ user }),
      me: () => user,
      ...more.answers,
    },
  })
  return world
}
async function logIn(world: World) {
  const login = watch(world.login())
  await settle()
  await world.enter(0, 'submit', 'ada@example.org')
  await world.press('AWAITING_PASSWORDLESS_CODE', 'submit', '123456')
  return login
}
async function loggedIn(user: typeof walletUser, more: WorldOptions = {}) {
  const world = await userWorld(user, more)
  await logIn(world)
  await world.clock.advance(10_000)
  world.events.length = 0
  return world
}
/** Nobody was quicker: the answer has the user as well, who is read anew where they lack the wallet. */
const servedFirst: Serve = (call, data) =>
  call === 'wallet:create'
    ? { address: walletAccount.address, onDevice: true, user: visitorUser }
    : served(call, data)
/** What was asked of several goes through all of them. */
async function come() {
  for (let turn = 0; turn < 10; turn += 1) await settle()
}
const stepOf = (world: World, name: typeof create | typeof update) => world.state(name).step
/** Through every question, to the last press. */
async function choosePassword(world: World, name: typeof create | typeof update, chosen = password) {
  await world.press(name, 'create', chosen)
  expect(stepOf(world, name).at).toBe('saving')
  await world.press(name, 'next')
  expect(stepOf(world, name).at).toBe('confirming')
  await world.press(name, 'next')
  expect(stepOf(world, name)).toEqual({ at: 'finalizing', status: 'asking' })
  await world.press(name, 'finish')
}

describe('setWalletRecovery', () => {
  // spec W2.6, W2.7, W2.12, W4.11
  test('asks for a password in five steps, and sets it when the last question was answered', async () => {
    const given: unknown[] = []
    const world = await loggedIn(walletUser, {
      wallet: { setRecovery: async (address, asker) => void given.push([address, asker.own]) },
    })
    const set = watch(world.more('setWalletRecovery', {}))
    await settle()
    expect(world.state(create)).toMatchObject({ byUser: true, isUpdate: false })
    expect(stepOf(world, create)).toEqual({ at: 'creating', password: '' })
    await choosePassword(world, create)
    expect(given).toEqual([[walletAccount.address, { method: 'user-passcode', password }]])
    expect(stepOf(world, create)).toEqual({ at: 'done' })
    expect(set.value).toMatchObject({ wallet: { address: walletAccount.address } })
    // spec W4.12: who began it closes it.
    await world.clock.advance(60_000)
    expect(world.view()?.open).toBe(true)
    await world.press(create, 'close')
    expect(world.view()?.open).toBe(false)
    expect(world.events.filter((name) => name.startsWith('embedded_wallet_set'))).toEqual([
      'embedded_wallet_set_recovery_started',
      'embedded_wallet_set_recovery_completed',
    ])
  })

  // spec W4.10
  test('back leads one step back, with what was typed, and not from done', async () => {
    const world = await loggedIn(walletUser)
    void world.more('setWalletRecovery', {}).catch(() => {})
    await settle()
    await world.press(create, 'create', password)
    await world.press(create, 'next')
    expect(stepOf(world, create).at).toBe('confirming')
    world.stage.back()
    await settle()
    expect(stepOf(world, create)).toEqual({ at: 'saving', password })
    world.stage.back()
    await settle()
    expect(stepOf(world, create).at).toBe('creating')
    await choosePassword(world, create)
    expect(world.view()?.screen?.ways).toEqual({ back: false, close: true })
  })

  // spec W2.15, W9.5
  test('offers a password of four words', async () => {
    const world = await loggedIn(walletUser)
    void world.more('setWalletRecovery', {}).catch(() => {})
    await settle()
    await world.press(create, 'generate')
    await expect
      .poll(() => stepOf(world, create))
      .toMatchObject({ password: expect.stringMatching(/^[a-z]+(-[a-z]+){3}$/) })
  })

  // spec W2.8, W2.9
  test('leads from the splash to another password where there is one', async () => {
    const world = await loggedIn(passwordUser)
    const set = watch(world.more('setWalletRecovery', {}))
    await settle()
    await world.press(splash, 'next')
    expect(world.state(update).isUpdate).toBe(true)
    await choosePassword(world, update, 'another-password')
    expect(set.value).toMatchObject({ wallet: { recoveryMethod: 'user-passcode' } })
    expect(world.wallet.log).toContain('setRecovery')
  })

  // spec W2.14
  test('offers Cancel at each step to the user who began it', async () => {
    const world = await loggedIn(walletUser)
    void world.more('setWalletRecovery', {}).catch(() => {})
    await settle()
    const steps: readonly (readonly ['create', string] | readonly ['next'])[] = [
      ['create', password],
      ['next'],
      ['next'],
    ]
    expect(await world.texts()).toContain('Cancel')
    for (const [event, ...values] of steps) {
      await world.press(create, event, ...(values as [string]))
      expect([stepOf(world, create).at, (await world.texts()).includes('Cancel')]).toEqual([
        stepOf(world, create).at,
        true,
      ])
    }
  })

  test('is told to its caller when the user cancels or closes', async () => {
    const left = expect.objectContaining({ code: 'user_exited_set_password_flow' })
    const world = await loggedIn(walletUser)
    const cancelled = watch(world.more('setWalletRecovery', {}))
    await settle()
    await world.press(create, 'cancel')
    expect(cancelled.error).toEqual(left)
    const closed = watch(world.more('setWalletRecovery', {}))
    await settle()
    world.stage.close()
    await settle()
    expect(closed.error).toEqual(left)
    expect(world.wallet.log).not.toContain('setRecovery')
  })

  test('that fails says so at the last step, from where it is tried again', async () => {
    let fails = true
    const world = await loggedIn(walletUser, {
      wallet: {
        async setRecovery() {
          if (fails) throw new LatchkeyError('embedded_wallet_recovery_already_exists', 'Elsewhere')
        },
      },
    })
    const set = watch(world.more('setWalletRecovery', {}))
    await settle()
    await choosePassword(world, create)
    expect(stepOf(world, create)).toEqual({
      at: 'finalizing',
      status: 'asking',
      problem: 'The recovery was changed on another page at the same time. Please try again.',
    })
    expect(world.events).toContain('embedded_wallet_set_recovery_failed')
    expect(world.events).toContain('embedded_wallet_set_password_failed')
    fails = false
    await world.press(create, 'finish')
    expect(set.value).toBeTruthy()
  })

  test('on a device without a share asks for the present password first, then goes on where it was', async () => {
    let isHere = false
    const away = new LatchkeyError('wallet_not_on_device', 'Not here')
    const world = await loggedIn(passwordUser, {
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
    const set = watch(world.more('setWalletRecovery', {}))
    await settle()
    await world.press(splash, 'next')
    await choosePassword(world, update, 'another-password')
    await world.press(recover, 'recover', password)
    expect(set.value).toBeTruthy()
    expect(stepOf(world, update)).toEqual({ at: 'done' })
  })

  test.each([
    ['by itself', walletUser, create],
    ['by its present password', passwordUser, update],
  ] as const)(
    'on a device without a share recovers %s before a user with a second factor is asked for what is set',
    async (_how, known, name) => {
      const log: string[] = []
      let isHere = false
      function requireVerified(what: string, { verification }: VerifiedAsker = {}) {
        log.push(`${what} ${verification?.mfaCode ?? 'bare'}`)
        if (!verification) throw new LatchkeyError('missing_or_invalid_mfa', 'A second factor is needed')
      }
      function requireShare() {
        if (!isHere) throw new LatchkeyError('wallet_not_on_device', 'Not here')
      }
      const user = { ...known, mfaMethods: [{ type: 'totp' as const, verifiedAt: 1 }] }
      const world = await loggedIn(user, {
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
      const set = watch(world.more('setWalletRecovery', {}))
      await settle()
      if (name === update) await world.press(splash, 'next')
      await choosePassword(world, name, 'another-password')
      await come()
      if (name === update) await world.press(recover, 'recover', password)
      await come()
      await world.press('MFA_VERIFY_CODE_SCREEN', 'submit', '111111')
      await come()
      await world.press('MFA_VERIFY_CODE_SCREEN', 'submit', '222222')
      await come()
      expect(log).toEqual(['recover 111111', 'set bare', 'set 222222'])
      expect(set.value).toBeTruthy()
      expect(stepOf(world, name)).toEqual({ at: 'done' })
    },
  )

  test('is refused where the app has no such method, and for who has no wallet', async () => {
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

describe('a wallet that its user keeps from the beginning', () => {
  // spec W4.7
  test('is made by the login after a password was chosen, which closes by itself and shows that it is there', async () => {
    const given: unknown[] = []
    const world = await userWorld(visitorUser, {
      app: required,
      answers: { me: () => passwordUser },
      wallet: {
        async create({ own }) {
          given.push(own)
          return walletAccount.address
        },
      },
    })
    const login = await logIn(world)
    await world.clock.advance(900)
    expect(world.state(create)).toMatchObject({ byUser: false })
    // spec W2.14
    expect(await world.texts()).toContain('Create your password')
    expect(await world.texts()).not.toContain('Cancel')
    await choosePassword(world, create)
    expect(given).toEqual([{ method: 'user-passcode', password }])
    expect(stepOf(world, create)).toEqual({ at: 'done' })
    // spec W4.12
    await world.clock.advance(1_399)
    expect(stepOf(world, create)).toEqual({ at: 'done' })
    await world.clock.advance(1)
    expect(world.state('EMBEDDED_WALLET_CREATED_SCREEN')).toEqual({ title: 'Welcome' })
    await world.clock.advance(2_500)
    expect(login.value).toMatchObject({ user: { wallet: { recoveryMethod: 'user-passcode' } } })
  })

  // spec W4.9
  test('is sent to the wallet frame with a token and the password, sealed to its vault, before the user is read anew', async () => {
    const happened: string[] = []
    const frame = openWallet((call, data) => {
      if (!call.startsWith('operation:')) happened.push(call)
      return servedFirst(call, data)
    })
    const world = await userWorld(visitorUser, {
      app: required,
      answers: {
        me() {
          happened.push('me')
          return passwordUser
        },
      },
      wallet: { create: frame.wallet.create },
    })
    const login = await logIn(world)
    await world.clock.advance(900)
    await choosePassword(world, create)
    await expect.poll(() => stepOf(world, create)).toEqual({ at: 'done' })

    expect(happened).toEqual(['wallet:create', 'me'])
    const [created] = frame.steps()
    const operation = { id: 'op-1', step: 1 }
    expect(created).toEqual({
      call: 'wallet:create',
      data: {
        accessToken: 'wallet-token-1',
        operation,
        recoveryMethod: 'user-passcode',
        recoveryPassword: { v: 1, enc: expect.any(String), ct: expect.any(String) },
      },
    })
    expect(frame.tokens).toEqual([
      { publicKey: publicKeyOf(1), operation, purpose: 'create', address: null, confirmation: null },
    ])
    const sealed = v.parse(sealedShareSchema, created?.data.recoveryPassword)
    expect(await passwordSealedTo(1, operation, sealed)).toBe('correct-horse-battery')
    await expect(passwordSealedTo(1, { ...operation, step: 2 }, sealed)).rejects.toThrow()
    await world.clock.advance(1_400)
    await world.clock.advance(2_500)
    expect(login.value).toMatchObject({ user: { wallet: { recoveryMethod: 'user-passcode' } } })
  })

  // spec W4.9
  test('is no wallet of theirs where the user that is read anew has none', async () => {
    const frame = openWallet(servedFirst)
    const world = await userWorld(visitorUser, {
      app: required,
      answers: { me: () => visitorUser },
      wallet: { create: frame.wallet.create },
    })
    await logIn(world)
    await world.clock.advance(900)
    await choosePassword(world, create)
    await expect
      .poll(() => stepOf(world, create))
      .toMatchObject({ at: 'finalizing', problem: 'The password could not be set. Please try again.' })
    expect(frame.steps().map(({ call }) => call)).toEqual(['wallet:create'])
  })

  test('that another tab has made otherwise is there, and nobody says that the password was set', async () => {
    let isMade = false
    const world = await userWorld(visitorUser, {
      app: required,
      answers: { me: () => (isMade ? cloudUser : visitorUser) },
      wallet: {
        async create() {
          isMade = true
          throw new LatchkeyError('embedded_wallet_recovery_already_exists', 'Elsewhere')
        },
      },
    })
    const login = await logIn(world)
    await world.clock.advance(900)
    await choosePassword(world, create)
    await come()
    expect(world.state('EMBEDDED_WALLET_CREATED_SCREEN')).toEqual({
      title: 'Welcome',
      isKeptOtherwise: true,
    })
    await world.clock.advance(2_500)
    expect(login.value).toMatchObject({ user: { wallet: { recoveryMethod: 'google-drive' } } })
  })

  test('that another tab has made otherwise is given the password by setWalletRecovery when its user tries again', async () => {
    let isMade = false
    const given: unknown[] = []
    const world = await loggedIn(visitorUser, {
      app: { embeddedWalletConfig: { ...required.embeddedWalletConfig, createOnLogin: 'off' } },
      answers: { me: () => (isMade ? cloudUser : visitorUser) },
      wallet: {
        async create() {
          isMade = true
          throw new LatchkeyError('embedded_wallet_recovery_already_exists', 'Elsewhere')
        },
        setRecovery: async (address, { own }) => void given.push([address, own]),
      },
    })
    const set = watch(world.more('setWalletRecovery', {}))
    await settle()
    await choosePassword(world, create)
    await come()
    expect(stepOf(world, create)).toMatchObject({
      at: 'finalizing',
      problem: 'The recovery was changed on another page at the same time. Please try again.',
    })
    await world.press(create, 'finish')
    await come()
    expect(given).toEqual([[walletAccount.address, { method: 'user-passcode', password }]])
    expect(stepOf(world, create)).toEqual({ at: 'done' })
    expect(set.value).toBeTruthy()
  })

  test('is not made where the user closes; they are logged in, and it stays due', async () => {
    const world = await userWorld(visitorUser, { app: required })
    const login = await logIn(world)
    await world.clock.advance(900)
    world.stage.close()
    await settle()
    expect(login.settled).toBe(true)
    expect(world.session.state().status).toBe('authenticated')
    expect(world.wallet.log).not.toContain('create')
  })

  test('is made by setWalletRecovery, and createWallet says so', async () => {
    const world = await loggedIn(visitorUser, {
      app: { embeddedWalletConfig: { ...required.embeddedWalletConfig, createOnLogin: 'off' } },
    })
    await expect(world.createWallet()).rejects.toMatchObject({ code: 'disallowed_recovery_method' })
    const set = watch(world.more('setWalletRecovery', {}))
    await settle()
    await world.press(create, 'create', password)
    expect(world.state(create).byUser).toBe(true)
    world.stage.close()
    await settle()
    expect(set.settled).toBe(true)
  })
})

describe('a device without a share of a wallet that has a password', () => {
  const away = new LatchkeyError('wallet_not_on_device', 'Not here')
  /** Signs, on a device that gets its share with the right password. */
  async function signing(recoverBy: (given: string | undefined) => void) {
    let isHere = false
    const world = await loggedIn(passwordUser, {
      wallet: {
        connect: async () => {
          if (!isHere) throw away
        },
        async recover(_address, asker) {
          recoverBy(asker?.own?.method === 'user-passcode' ? asker.own.password : undefined)
          isHere = true
        },
      },
    })
    const signed = watch(world.signMessage({ message: 'hello' }))
    await settle()
    return { world, signed }
  }

  // spec W2.10, W4.3, W4.5
  test('asks for it, and then shows what was asked for', async () => {
    const given: unknown[] = []
    const { world } = await signing((each) => void given.push(each))
    expect(world.state(recover)).toEqual({ status: 'asking' })
    await world.press(recover, 'recover', password)
    expect(given).toEqual([password])
    expect(world.screen()).toBe('EMBEDDED_WALLET_SIGN_REQUEST_SCREEN')
    expect(world.events).toEqual(
      expect.arrayContaining(['embedded_wallet_recovery_started', 'embedded_wallet_recovery_completed']),
    )
    expect(world.events).not.toContain('embedded_wallet_pinless_recovery_started')
  })

  // spec W8.11, W8.12
  test.each([
    ['invalid_recovery_pin', undefined, 'Invalid recovery password, please try again.'],
    ['invalid_request_arguments', undefined, 'Invalid recovery password, please try again.'],
    ['error', undefined, 'An error has occurred, please try again.'],
    ['server_unreachable', undefined, 'An error has occurred, please try again.'],
    ['too_many_requests', 300, 'Too many tries. Please try again in 5 minutes.'],
    ['too_many_requests', 3_301, 'Too many tries. Please try again in 56 minutes.'],
  ] as const)('says of %s what it means, and asks again', async (code, retryAfterSeconds, sentence) => {
    let fails = true
    const { world } = await signing(() => {
      if (fails) throw new LatchkeyError(code, 'No', { retryAfterSeconds })
    })
    await world.press(recover, 'recover', 'wrong')
    expect(world.state(recover)).toMatchObject({ status: 'asking' })
    expect(await world.texts()).toContain(sentence)
    fails = false
    await world.press(recover, 'recover', password)
    expect(world.screen()).toBe('EMBEDDED_WALLET_SIGN_REQUEST_SCREEN')
  })

  test('that another tab has given its share meanwhile is asked for nothing', async () => {
    let tries = 0
    const world = await loggedIn(passwordUser, {
      wallet: {
        connect: async () => {
          tries += 1
          if (tries === 1) throw away
        },
      },
    })
    void world.signMessage({ message: 'hello' }).catch(() => {})
    await settle()
    expect(tries).toBe(2)
    expect(world.screen()).toBe('EMBEDDED_WALLET_SIGN_REQUEST_SCREEN')
  })

  test.each([
    ['automatic, and is kept by a password since', walletUser, passwordUser],
    ['by a cloud, and is kept by a password since', cloudUser, passwordUser],
    ['by a password, and is kept by the server since', passwordUser, walletUser],
  ])('that knew of a recovery %s recovers by what the server says now', async (_case, known, now) => {
    let isHere = false
    let present = known
    const tried: (string | undefined)[] = []
    const kept = now === passwordUser ? 'user-passcode' : undefined
    const world = await loggedIn(known, {
      answers: { me: () => present },
      wallet: {
        connect: async () => {
          if (!isHere) throw away
        },
        async recover(_address, asker) {
          tried.push(asker?.own?.method)
          if (asker?.own?.method !== kept) throw new LatchkeyError('disallowed_recovery_method', 'Changed')
          isHere = true
        },
      },
    })
    present = now
    void world.signMessage({ message: 'hello' }).catch(() => {})
    await come()
    if (kept) await world.press(recover, 'recover', password)
    await come()
    expect([isHere, tried.at(-1)]).toEqual([true, kept])
    expect(world.state(request)).toMatchObject({ status: 'review' })
  })

  test('that is refused the recovery which the server says too has it refused, once', async () => {
    let tries = 0
    const world = await loggedIn(walletUser, {
      wallet: {
        connect: () => Promise.reject(away),
        async recover() {
          tries += 1
          throw new LatchkeyError('disallowed_recovery_method', 'Not here')
        },
      },
    })
    void world.signMessage({ message: 'hello' }).catch(() => {})
    await come()
    expect(tries).toBe(1)
    expect(world.state(request)).toMatchObject({ status: 'failed' })
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
  ])(
    'that is refused because what its user showed is new says so, once, as told to %s',
    async (_to, details, until) => {
      const tooNew = 'EMBEDDED_WALLET_TOO_NEW_SCREEN'
      let tries = 0
      const world = await loggedIn(walletUser, {
        wallet: {
          connect: () => Promise.reject(away),
          async recover() {
            tries += 1
            throw new LatchkeyError('method_too_new', 'New', { details })
          },
        },
      })
      const signed = watch(world.signMessage({ message: 'hello' }))
      await come()
      expect(tries).toBe(1)
      expect(world.state(tooNew)).toEqual({ untilSeconds: until })
      expect(world.view()?.screen?.ways).toEqual({ back: false, close: true })
      await world.press(tooNew, 'back')
      await come()
      // The request is there again, and may be tried again once the user has logged in otherwise.
      expect(world.state(request)).toMatchObject({ status: 'failed' })
      world.stage.close()
      await settle()
      expect(signed.error).toMatchObject({ code: 'unable_to_sign' })
    },
  )

  test('ends the call as refused when the user gives up', async () => {
    const { world, signed } = await signing(() => {
      throw new LatchkeyError('error', 'No')
    })
    await world.press(recover, 'recover', 'wrong')
    world.stage.close()
    await settle()
    expect(signed.error).toMatchObject({ code: 'user_rejected_request', details: { code: 4001 } })
  })
})
