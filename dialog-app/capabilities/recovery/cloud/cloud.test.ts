/** A wallet in its user's own cloud, as they meet it: which way, the window, what it says, and what goes wrong. */
import { type AppConfig, LatchkeyError, type WalletAccount } from '@latchkey/protocol'
import type { OAuthResult } from '@latchkey/protocol/api'
import { describe, expect, test } from 'vitest'
import { settle } from '../../../testing/clock.ts'
import { loadWaitingCard, makeApprovingPage } from '../../../testing/confirm-page.ts'
import { makeAuthAnswer, visitorUser, walletAccount, walletUser } from '../../../testing/fixtures.ts'
import { capabilitiesIn } from '../../../testing/recovery-windows.ts'
import { confirmedIn, makeWorld, type World, type WorldOptions, watch } from '../../../testing/world.ts'
import { makeFakeBrowser } from '../../../window-login/testing.ts'

const selection = 'EMBEDDED_WALLET_RECOVERY_SELECTION_SCREEN'
const cloudScreen = 'EMBEDDED_WALLET_RECOVERY_OAUTH_SCREEN'
const create = 'EMBEDDED_WALLET_PASSWORD_CREATE_SCREEN'
const appleOrigin = 'https://cdn.apple-cloudkit.com'
const appleUrl = 'https://idmsa.apple.example/sign-in'
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

type Opened = Pick<WorldOptions, 'wallet' | 'app'> & {
  readonly user?: typeof walletUser
  /** As the server has them later. */
  readonly later?: typeof walletUser
}

async function open({
  user = walletUser,
  later = user,
  wallet = {},
  app = appWith(['google-drive']),
}: Opened = {}) {
  const browser = makeFakeBrowser()
  const page = makeApprovingPage()
  await loadWaitingCard()
  const results: PromiseWithResolvers<OAuthResult>[] = []
  const states: string[] = []
  const world = await makeWorld({
    app,
    wallet,
    addresses: { icloudWindow: appleOrigin },
    capabilities: capabilitiesIn({ browser }).map(
      (each) => page.capabilities.find(({ name }) => name === 'confirm' && name === each.name) ?? each,
    ),
    answers: {
      sendEmailCode: () => ({ success: true }),
      loginWithEmailCode: () => makeAuthAnswer({ user }),
      me: () => later,
      ...page.answers,
      startCloudRecovery(body) {
        states.push(body.stateCode)
        return { url: `http://dialog.localhost:4000/recovery/start/${body.relay?.handle}` }
      },
      cloudRecoveryResult() {
        const waiting = Promise.withResolvers<OAuthResult>()
        results.push(waiting)
        return waiting.promise
      },
      startIcloudRecovery: () => ({ url: appleUrl }),
    },
  })
  const login = watch(world.login())
  await settle()
  await world.enter(0, 'submit', 'ada@example.org')
  await world.press('AWAITING_PASSWORDLESS_CODE', 'submit', '123456')
  return {
    world,
    browser,
    login,
    answer: async (result: OAuthResult, at = results.length - 1) => {
      results[at]?.resolve(result)
      await settle()
    },
    completed: (at = states.length - 1): OAuthResult => ({
      status: 'completed',
      authorizationCode: 'code-1',
      stateCode: states[at] ?? '',
    }),
    page,
    step() {
      const { step } = world.state(cloudScreen)
      if (step.at !== 'asking') return step
      const { isFirst: _confirmed, ...asking } = step
      return asking
    },
  }
}
type Opening = Awaited<ReturnType<typeof open>>

async function setting(options: Opened = {}) {
  const opened = await open(options)
  await opened.world.clock.advance(10_000)
  opened.world.events.length = 0
  const set = watch(opened.world.more('setWalletRecovery', {}))
  await settle()
  return { ...opened, set }
}
/** Of a wallet that is there it is confirmed first, each time. */
async function pressOpen(world: World) {
  const { step } = world.state(cloudScreen)
  if (step.at === 'asking' && step.isFirst) {
    await world.press(cloudScreen, 'open')
    for (let turn = 0; turn < 10; turn += 1) await settle()
  }
  await world.press(cloudScreen, 'open')
}
const signIn = async ({ browser }: Opening, session = 'session-1', from = appleOrigin) => {
  browser.windows.at(-1)?.say({ ckSession: session }, from)
  await settle()
}

describe('the choice', () => {
  // spec W2.4, W2.5
  test('comes first where the app has several ways, with how the wallet is kept now', async () => {
    const { world } = await setting({ app: appWith(all), user: keptBy('google-drive') })
    expect(world.state(selection)).toEqual({
      options: ['google-drive', 'icloud', 'user-passcode'],
      present: 'google-drive',
      byUser: true,
    })
    expect(await world.texts()).toEqual(
      expect.arrayContaining([
        'Google Drive backup',
        'Apple iCloud backup',
        'Set password',
        'Why do I need to secure my account?',
      ]),
    )
    await world.press(selection, 'choose', 'user-passcode')
    expect(world.screen()).toBe(create)
    world.stage.back()
    await settle()
    expect(world.screen()).toBe(selection)
    await world.press(selection, 'choose', 'google-drive')
    expect(world.screen()).toBe(cloudScreen)
    world.stage.back()
    await settle()
    expect(world.screen()).toBe(selection)
  })

  // spec W2.6, W2.11
  test.each([
    ['google-drive', cloudScreen],
    ['icloud', cloudScreen],
    ['user-passcode', create],
  ] as const)('is none where %s is the only way', async (method, screen) => {
    const { world } = await setting({ app: appWith([method]) })
    expect(world.screen()).toBe(screen)
  })

  test('is taken back with what was asked for', async () => {
    const { world, set } = await setting({ app: appWith(all) })
    await world.press(selection, 'cancel')
    expect(set.error).toMatchObject({ code: 'user_exited_set_password_flow' })
  })
})

test('is to keep a wallet that is there only when its user has confirmed that on the page, and once', async () => {
  const put: unknown[] = []
  const kept: unknown[] = []
  const opened = await setting({
    wallet: {
      async confirm(address, request, asker) {
        put.push([address, request, asker?.place])
        return confirmedIn('page')
      },
      async setRecovery(_address, { own }) {
        kept.push(own.confirmation)
        throw new LatchkeyError('error', 'No', { details: { reason: 'no_space' } })
      },
    },
  })
  const { world, page, answer, completed } = opened
  const step = () => world.state(cloudScreen).step
  const request = { method: 'set-recovery', params: [walletAccount.address, 'google-drive'] }
  expect(put).toEqual([[walletAccount.address, request, 'page']])
  expect(step()).toEqual({ at: 'asking', isReady: true, isFirst: true })
  expect(await world.texts()).toContain('You confirm it first, on a page of your wallet.')
  await pressOpen(world)
  expect(page.opened).toHaveLength(1)
  await answer(completed())
  expect(kept).toEqual([expect.objectContaining({ handle: 'h'.repeat(43) })])
  // It was used with that try.
  expect(step()).toEqual({ at: 'asking', isReady: true, isFirst: true, problem: 'full' })
  expect(put).toHaveLength(2)
})

test('that its user refuses on the page is not asked for anything else', async () => {
  const { world, page, browser } = await setting()
  page.decide('refused')
  await world.press(cloudScreen, 'open')
  for (let turn = 0; turn < 10; turn += 1) await settle()
  expect(browser.windows).toEqual([])
  expect(world.state(cloudScreen).step).toEqual({ at: 'asking', isReady: true, isFirst: true })
  expect(world.wallet.log).not.toContain('setRecovery')
})

describe('Google Drive', () => {
  // spec W2.11
  test('is opened by the press, and its code goes to the wallet as it is', async () => {
    const given: unknown[] = []
    const opened = await setting({
      wallet: { setRecovery: async (address, { own }) => void given.push([address, own]) },
    })
    const { world, browser, set, answer, completed, step } = opened
    expect(step()).toEqual({ at: 'asking', isReady: true })
    expect(browser.windows).toHaveLength(0)
    await pressOpen(world)
    expect(browser.windows[0]?.address).toMatch(/^\/recovery\/start\/secret-/)
    expect(step()).toEqual({ at: 'window', window: 'open' })
    await answer(completed())
    expect(given).toEqual([
      [
        walletAccount.address,
        {
          method: 'google-drive',
          code: {
            authorizationCode: 'code-1',
            stateCode: expect.stringMatching(/^secret-/),
            codeVerifier: expect.stringMatching(/^secret-/),
          },
          confirmation: expect.objectContaining({ handle: 'h'.repeat(43) }),
        },
      ],
    ])
    expect(step()).toEqual({ at: 'done' })
    expect(set.value).toMatchObject({ wallet: { address: walletAccount.address } })
    expect(browser.windows[0]?.wasClosed()).toBe(true)
    await world.clock.advance(60_000)
    await world.press(cloudScreen, 'close')
    expect(world.view()?.open).toBe(false)
    expect(world.events.filter((name) => name.startsWith('embedded_wallet_set'))).toEqual([
      'embedded_wallet_set_recovery_started',
      'embedded_wallet_set_recovery_completed',
    ])
  })

  // spec W4.14
  test('that its person denied is said, and another press opens another window', async () => {
    const { world, browser, answer, completed, step, set } = await setting()
    await pressOpen(world)
    await answer({ status: 'failed', error: 'oauth_user_denied' })
    expect(step()).toEqual({ at: 'asking', isReady: true, problem: 'denied' })
    expect(world.events.filter((name) => name === 'recovery_oauth_error')).toHaveLength(1)
    expect(world.wallet.log).not.toContain('setRecovery')
    await pressOpen(world)
    expect(browser.windows).toHaveLength(2)
    await answer(completed())
    expect(step()).toEqual({ at: 'done' })
    expect(set.settled).toBe(true)
  })

  test('that answers another window is not believed', async () => {
    const { world, answer, completed, step } = await setting()
    await pressOpen(world)
    await answer({ ...completed(), stateCode: 'of another window' } as OAuthResult)
    expect(step()).toMatchObject({ at: 'asking', problem: 'phishing' })
    expect(world.wallet.log).not.toContain('setRecovery')
  })

  test('in a window that reads as closed may be opened again, and the first answer counts', async () => {
    const { world, browser, answer, completed, step } = await setting()
    await pressOpen(world)
    browser.windows[0]?.closes()
    await world.clock.advance(300)
    expect(step()).toEqual({ at: 'window', window: 'closed' })
    await answer(completed())
    expect(step()).toEqual({ at: 'done' })
  })

  test('that never answers is given up after two minutes', async () => {
    const { world, step } = await setting()
    await pressOpen(world)
    await world.clock.advance(120_000)
    expect(step()).toMatchObject({ at: 'asking', problem: 'late' })
  })

  test('left behind by back sets nothing, whatever its window says', async () => {
    const { world, browser, answer, completed } = await setting({ app: appWith(all) })
    await world.press(selection, 'choose', 'google-drive')
    await pressOpen(world)
    browser.windows[0]?.closes()
    await world.clock.advance(300)
    world.stage.back()
    await world.clock.advance(300)
    expect(browser.windows[0]?.wasClosed()).toBe(true)
    await answer(completed())
    expect(world.screen()).toBe(selection)
    expect(world.wallet.log).not.toContain('setRecovery')
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
    const { world, answer, completed, step, set } = await setting({
      wallet: {
        async setRecovery() {
          if (fails) throw new LatchkeyError('error', 'No', details && { details })
        },
      },
    })
    await pressOpen(world)
    await answer(completed())
    expect(step()).toEqual({ at: 'asking', isReady: true, problem })
    expect(world.events).toContain('embedded_wallet_set_recovery_failed')
    fails = false
    await pressOpen(world)
    await answer(completed())
    expect(set.value).toBeTruthy()
  })
})

describe('iCloud', () => {
  const icloud = { app: { ...appWith(['icloud']) } }

  test('is opened at the page that Apple named before the press, and heard from it alone', async () => {
    const given: unknown[] = []
    const opened = await setting({
      ...icloud,
      wallet: { setRecovery: async (_address, { own }) => void given.push(own) },
    })
    const { world, browser, step } = opened
    expect(step()).toEqual({ at: 'asking', isReady: true })
    await pressOpen(world)
    expect(browser.windows[0]?.address).toBe(appleUrl)
    await signIn(opened, 'stolen', 'https://stranger.example')
    await signIn(opened, '')
    expect(given).toEqual([])
    await signIn(opened)
    expect(given).toEqual([
      {
        method: 'icloud',
        session: 'session-1',
        confirmation: expect.objectContaining({ handle: 'h'.repeat(43) }),
      },
    ])
    expect(step()).toEqual({ at: 'done' })
  })

  test('of which nothing can be heard says so', async () => {
    const { world, browser, step } = await setting(icloud)
    browser.block(true)
    await pressOpen(world)
    expect(step()).toMatchObject({ at: 'asking', problem: 'unseen' })
    expect(world.events).toContain('recovery_oauth_error')
  })
})

describe('a new wallet', () => {
  const required = (methods: readonly Method[]) =>
    appWith(methods, { createOnLogin: 'all-users', requireUserOwnedRecoveryOnCreate: true })

  // spec W4.7
  test('is made by the login after a way was chosen, and closes by itself', async () => {
    const given: unknown[] = []
    const { world, answer, completed, step, login } = await open({
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
    await world.clock.advance(900)
    expect(world.state(selection)).toMatchObject({ byUser: false, present: undefined })
    await world.press(selection, 'choose', 'google-drive')
    await pressOpen(world)
    await answer(completed())
    expect(given).toEqual(['google-drive'])
    expect(step()).toEqual({ at: 'done' })
    expect(login.settled).toBe(false)
    await world.clock.advance(1_400)
    expect(world.screen()).not.toBe(cloudScreen)
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
    await opened.world.clock.advance(10_000)
    const signed = watch(opened.world.signMessage({ message: 'hello' }))
    await settle()
    const confirm = async () => {
      await pressOpen(opened.world)
      if (method === 'icloud') await signIn(opened)
      else await opened.answer(opened.completed())
    }
    return { ...opened, signed, confirm }
  }

  // spec W4.4, W4.5
  test('asks for it, and then shows what was asked for', async () => {
    const { world, step, confirm } = await signing(() => {})
    expect(world.state(cloudScreen)).toMatchObject({ cloud: method, purpose: 'recover', canCancel: false })
    expect(step()).toEqual({ at: 'asking', isReady: true })
    await confirm()
    expect(world.screen()).toBe('EMBEDDED_WALLET_SIGN_REQUEST_SCREEN')
    expect(world.events).toEqual(
      expect.arrayContaining(['embedded_wallet_recovery_started', 'embedded_wallet_recovery_completed']),
    )
    expect(world.events).not.toContain('embedded_wallet_pinless_recovery_started')
  })

  // spec W8.12
  test('says that the file is not there, and goes on with the right account', async () => {
    let isThere = false
    const { world, step, confirm } = await signing(() => {
      if (!isThere) throw new LatchkeyError('error', 'No', { details: { reason: 'file_missing' } })
    })
    await confirm()
    expect(step()).toEqual({ at: 'asking', isReady: true, problem: 'missing' })
    isThere = true
    await confirm()
    expect(world.screen()).toBe('EMBEDDED_WALLET_SIGN_REQUEST_SCREEN')
  })

  test('ends the call as refused when the user gives up', async () => {
    const { world, signed, confirm } = await signing(() => {
      throw new LatchkeyError('error', 'No')
    })
    await confirm()
    world.stage.close()
    await settle()
    expect(signed.error).toMatchObject({ code: 'user_rejected_request', details: { code: 4001 } })
  })
})
