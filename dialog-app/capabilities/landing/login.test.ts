import { describe, expect, test, vi } from 'vitest'
import { settle } from '../../testing/clock.ts'
import { makeAuthAnswer, visitorUser, walletUser } from '../../testing/fixtures.ts'
import {
  type Answers,
  makeTab,
  makeWorld,
  refused,
  type World,
  type WorldOptions,
  watch,
} from '../../testing/world.ts'

const email = 'ada@example.org'
const ok = () => ({ success: true }) as const
const happy: Answers = {
  sendEmailCode: ok,
  loginWithEmailCode: () => makeAuthAnswer(),
  me: () => visitorUser,
  logout: ok,
}
const fails = (code: Parameters<typeof refused>[0], status: number, message?: string) => () => {
  throw refused(code, status, message)
}

async function atCode(world: World) {
  const login = watch(world.login())
  await settle()
  await world.enter(0, 'submit', email)
  return login
}
const submit = (world: World, code = '123456') => world.press('AWAITING_PASSWORDLESS_CODE', 'submit', code)

describe('a login by e-mail', () => {
  // spec L1.2, L7.35, L4.23
  test('sends a code, takes it, and closes with success after 1.4 s', async () => {
    const world = await makeWorld({ answers: happy })
    const login = watch(world.login())
    await settle()
    expect(world.frame).toEqual(['show'])
    expect(world.entry(0)).toEqual({ status: 'ready', address: '' })
    await world.enter(0, 'submit', email)
    expect(world.state('AWAITING_PASSWORDLESS_CODE')).toMatchObject({
      status: 'awaiting-code-input',
      address: email,
      resend: 'available',
    })
    await submit(world)
    expect(world.transport.calls('sendEmailCode')[0]?.body).toEqual({ email })
    expect(world.transport.calls('loginWithEmailCode')[0]?.body).toEqual({ email, code: '123456' })
    expect(world.state('AWAITING_PASSWORDLESS_CODE').status).toBe('done')
    await world.clock.advance(1_399)
    expect(world.view()?.open).toBe(true)
    await world.clock.advance(1)
    expect(world.view()?.open).toBe(false)
    expect(login.value).toMatchObject({
      user: { id: visitorUser.id, email: { address: email } },
      isNewUser: true,
      wasAlreadyAuthenticated: false,
      loginMethod: 'email',
      loginAccount: { type: 'email', address: email },
    })
    expect(Object.keys(Object(login.value)).toSorted()).toEqual([
      'isNewUser',
      'loginAccount',
      'loginMethod',
      'user',
      'wasAlreadyAuthenticated',
    ])
    expect(world.session.state().status).toBe('authenticated')
    expect(world.events).toEqual(['modal_open', 'sdk_authenticate', 'modal_closed'])
  })

  test('is known to the caller when the code is accepted, while its success is still to be seen', async () => {
    const world = await makeWorld({ answers: happy })
    const login = await atCode(world)
    await submit(world)
    expect(login.value).toMatchObject({ loginMethod: 'email' })
    expect(world.view()?.open).toBe(true)
  })

  // spec L4.23, L7.48
  test('asks for the user and their wallets again before it closes', async () => {
    const world = await makeWorld({ answers: { ...happy, me: () => walletUser } })
    await atCode(world)
    await submit(world)
    await world.clock.advance(1_399)
    expect(world.view()?.open).toBe(true)
    expect(world.session.state()).toMatchObject({ user: walletUser })
  })

  test('names the key of a vault that waits, and hands over what its answer brings', async () => {
    const vault = { publicKey: 'B'.repeat(87), operation: { id: 'operation-1', step: 1 } }
    const said = { vault, headers: { 'latchkey-device': 'statement' } }
    const accepted: unknown[] = []
    const world = await makeWorld({
      answers: happy,
      wallet: {
        loginVault: () => said,
        acceptLogin: (named, { user }) => void accepted.push(named, user.id),
      },
    })
    await atCode(world)
    await submit(world)
    expect(world.transport.calls('loginWithEmailCode')[0]?.body).toEqual({ email, code: '123456', vault })
    expect(world.transport.calls('loginWithEmailCode')[0]?.headers).toEqual(said.headers)
    expect(accepted).toEqual([said, visitorUser.id])
  })

  test('makes the wallet frame ready when the address is sent, not before', async () => {
    const world = await makeWorld({ answers: happy })
    const login = watch(world.login())
    await settle()
    expect(world.wallet.log).toEqual([])
    await world.enter(0, 'submit', email)
    expect(world.wallet.log).toEqual(['prepareOperation'])
    expect(login.settled).toBe(false)
  })

  // spec L5.11
  test('trims the code', async () => {
    const world = await makeWorld({ answers: happy })
    await atCode(world)
    await submit(world, ' 123456\n')
    expect(world.transport.calls('loginWithEmailCode')[0]?.body).toMatchObject({ code: '123456' })
  })

  test.each(['', '12345', '1234567'])('does not send the code %j', async (code) => {
    const world = await makeWorld({ answers: happy })
    await atCode(world)
    await submit(world, code)
    expect(world.transport.calls('loginWithEmailCode')).toEqual([])
  })

  // spec L5.2
  test.each(['', 'ada', 'ada@', 'a b@c.d'])('does not send a code to %j', async (address) => {
    const world = await makeWorld({ answers: happy })
    void world.login().catch(() => {})
    await settle()
    await world.enter(0, 'submit', address)
    expect(world.transport.sent).toEqual([])
    expect(world.screen()).toBe('LANDING')
  })

  test('sends one code for two quick clicks', async () => {
    const world = await makeWorld({ answers: happy })
    void world.login().catch(() => {})
    await settle()
    await Promise.all([world.enter(0, 'submit', email), world.enter(0, 'submit', email)])
    expect(world.transport.calls('sendEmailCode')).toHaveLength(1)
  })

  test('takes nothing from LANDING once it was left', async () => {
    const world = await makeWorld({ answers: happy })
    void world.login().catch(() => {})
    await settle()
    const before = world.landing()
    await world.enter(0, 'submit', email)
    expect(world.screen()).toBe('AWAITING_PASSWORDLESS_CODE')
    before.enter(0, 'submit', 'somebody@example.org')
    await settle()
    expect(world.transport.calls('sendEmailCode')).toHaveLength(1)
  })

  test('shows nothing of an earlier address on the screen of a later one', async () => {
    const world = await makeWorld({ answers: happy })
    await atCode(world)
    await world.press('AWAITING_PASSWORDLESS_CODE', 'resend')
    await world.back()
    await world.enter(0, 'submit', 'later@example.org')
    await world.clock.advance(30_000)
    expect(world.state('AWAITING_PASSWORDLESS_CODE')).toMatchObject({ address: 'later@example.org' })
  })

  test('goes back to the address that was given', async () => {
    const world = await makeWorld({ answers: happy })
    await atCode(world)
    await world.back()
    expect(world.entry(0)).toEqual({ address: email, status: 'ready' })
    expect(world.view()?.direction).toBe('back')
  })
})

describe('a code that is refused', () => {
  // spec L4.24, L8.12
  test('says so, and clears after 1.4 s', async () => {
    const world = await makeWorld({
      answers: { ...happy, loginWithEmailCode: fails('invalid_credentials', 422) },
    })
    await atCode(world)
    await submit(world)
    const wrong = world.state('AWAITING_PASSWORDLESS_CODE')
    expect(wrong).toMatchObject({ status: 'error', problem: 'Invalid or expired verification code' })
    await world.clock.advance(1_399)
    expect(world.state('AWAITING_PASSWORDLESS_CODE').status).toBe('error')
    await world.clock.advance(1)
    expect(world.state('AWAITING_PASSWORDLESS_CODE')).toMatchObject({
      status: 'awaiting-code-input',
      attempt: wrong.attempt + 1,
    })
  })

  test('may be followed by the next at once, which then has its own 1.4 s', async () => {
    const world = await makeWorld({
      answers: { ...happy, loginWithEmailCode: fails('invalid_credentials', 422) },
    })
    await atCode(world)
    await submit(world)
    await world.clock.advance(1_000)
    await world.press('AWAITING_PASSWORDLESS_CODE', 'edit')
    await submit(world, '654321')
    expect(world.transport.calls('loginWithEmailCode')[1]?.body).toMatchObject({ code: '654321' })
    await world.clock.advance(1_399)
    expect(world.state('AWAITING_PASSWORDLESS_CODE').status).toBe('error')
    await world.clock.advance(1)
    expect(world.state('AWAITING_PASSWORDLESS_CODE').status).toBe('awaiting-code-input')
  })

  // spec L8.14, L8.15, L8.16
  test.each([
    ['max_accounts_reached', 'USER_LIMIT_REACHED_SCREEN'],
    ['user_does_not_exist', 'ACCOUNT_NOT_FOUND_SCREEN'],
    ['allowlist_rejected', 'ALLOWLIST_REJECTION_SCREEN'],
    ['linked_to_another_user', 'ERROR_SCREEN'],
  ] as const)('with %s goes to %s', async (code, screen) => {
    const world = await makeWorld({ answers: { ...happy, loginWithEmailCode: fails(code, 403) } })
    await atCode(world)
    await submit(world)
    expect(world.screen()).toBe(screen)
    await world.press(screen, 'retry')
    expect(world.screen()).toBe(screen === 'ERROR_SCREEN' ? 'AWAITING_PASSWORDLESS_CODE' : 'LANDING')
  })
})

describe('resend', () => {
  // spec L4.25
  test('sends a new code and is locked for 30 s', async () => {
    const world = await makeWorld({ answers: happy })
    await atCode(world)
    await world.press('AWAITING_PASSWORDLESS_CODE', 'resend')
    expect(world.transport.calls('sendEmailCode')).toHaveLength(2)
    expect(world.state('AWAITING_PASSWORDLESS_CODE')).toMatchObject({
      resend: 'locked',
      unlocksAtMs: world.clock.nowMs() + 30_000,
    })
    await world.press('AWAITING_PASSWORDLESS_CODE', 'resend')
    expect(world.transport.calls('sendEmailCode')).toHaveLength(2)
    await world.clock.advance(29_999)
    expect(world.state('AWAITING_PASSWORDLESS_CODE').resend).toBe('locked')
    await world.clock.advance(1)
    expect(world.state('AWAITING_PASSWORDLESS_CODE').resend).toBe('available')
  })

  test('unlocks in time although another screen stands in front of it', async () => {
    const answers: Answers = { ...happy, loginWithEmailCode: fails('linked_to_another_user', 400) }
    const world = await makeWorld({ answers })
    await atCode(world)
    await world.press('AWAITING_PASSWORDLESS_CODE', 'resend')
    await submit(world)
    expect(world.screen()).toBe('ERROR_SCREEN')
    await world.clock.advance(30_000)
    await world.press('ERROR_SCREEN', 'retry')
    expect(world.state('AWAITING_PASSWORDLESS_CODE').resend).toBe('available')
  })

  async function resending() {
    const sent = Promise.withResolvers<{ readonly success: true }>()
    const answers: Answers = { ...happy }
    const world = await makeWorld({ answers })
    const login = await atCode(world)
    answers.sendEmailCode = () => sent.promise
    await world.press('AWAITING_PASSWORDLESS_CODE', 'resend')
    return { world, login, sent }
  }

  test('takes a code that is typed while it is under way', async () => {
    const { world, login, sent } = await resending()
    await world.press('AWAITING_PASSWORDLESS_CODE', 'edit')
    await submit(world)
    expect(login.value).toMatchObject({ loginMethod: 'email' })
    sent.resolve({ success: true })
    await settle()
    expect(world.state('AWAITING_PASSWORDLESS_CODE').status).toBe('done')
  })

  test.each([
    ['typed', 0],
    ['accepted', 1],
  ] as const)('that fails late covers no code that was %s meanwhile', async (_, codes) => {
    const { world, sent } = await resending()
    await world.press('AWAITING_PASSWORDLESS_CODE', 'edit')
    if (codes > 0) await submit(world)
    sent.reject(refused('server_unreachable', 0))
    await settle()
    expect(world.state('AWAITING_PASSWORDLESS_CODE')).toMatchObject({
      status: codes > 0 ? 'done' : 'awaiting-code-input',
      resend: 'available',
    })
  })

  test('that fails shows why, and leads back to the code', async () => {
    const answers: Answers = { ...happy }
    const world = await makeWorld({ answers })
    await atCode(world)
    answers.sendEmailCode = fails('too_many_requests', 429)
    await world.press('AWAITING_PASSWORDLESS_CODE', 'resend')
    expect(world.state('ERROR_SCREEN')).toEqual({
      title: 'Request failed',
      detail: 'Too many attempts.',
      button: 'Try again later',
    })
    await world.press('ERROR_SCREEN', 'retry')
    expect(world.state('AWAITING_PASSWORDLESS_CODE')).toMatchObject({
      status: 'awaiting-code-input',
      resend: 'available',
    })
  })
})

describe('without a network', () => {
  test('the address is sent by itself when the network is back', async () => {
    const world = await makeWorld({ answers: happy })
    world.transport.network.goOffline()
    await atCode(world)
    expect(world.entry(0)).toEqual({ status: 'offline', address: email })
    expect(world.transport.calls('sendEmailCode')).toEqual([])
    world.transport.network.comeBack()
    await settle()
    expect(world.transport.calls('sendEmailCode')).toHaveLength(1)
    expect(world.screen()).toBe('AWAITING_PASSWORDLESS_CODE')
  })

  test('the address can be taken back, and is not sent', async () => {
    const world = await makeWorld({ answers: happy })
    world.transport.network.goOffline()
    await atCode(world)
    await world.enter(0, 'cancel')
    expect(world.entry(0)).toEqual({ status: 'ready', address: email })
    world.transport.network.comeBack()
    await settle()
    expect(world.transport.calls('sendEmailCode')).toEqual([])
    expect(world.screen()).toBe('LANDING')
  })

  test('the code is sent by itself when the network is back', async () => {
    const world = await makeWorld({ answers: happy })
    const login = await atCode(world)
    world.transport.network.goOffline()
    await submit(world)
    expect(world.state('AWAITING_PASSWORDLESS_CODE')).toMatchObject({
      status: 'submitting-code',
      offline: true,
    })
    world.transport.network.comeBack()
    await settle()
    expect(world.state('AWAITING_PASSWORDLESS_CODE')).toMatchObject({ status: 'done', offline: false })
    expect(login.value).toMatchObject({ loginMethod: 'email' })
  })

  test('a code, or a new one, can be taken back', async () => {
    const world = await makeWorld({ answers: happy })
    await atCode(world)
    world.transport.network.goOffline()
    for (const event of ['submit', 'resend'] as const) {
      if (event === 'submit') await submit(world)
      else await world.press('AWAITING_PASSWORDLESS_CODE', 'resend')
      expect(world.state('AWAITING_PASSWORDLESS_CODE').offline).toBe(true)
      await world.press('AWAITING_PASSWORDLESS_CODE', 'cancel')
      expect(world.state('AWAITING_PASSWORDLESS_CODE')).toMatchObject({
        status: 'awaiting-code-input',
        resend: 'available',
        problem: undefined,
        offline: false,
      })
    }
    expect(world.transport.calls('loginWithEmailCode')).toEqual([])
    expect(world.transport.calls('sendEmailCode')).toHaveLength(1)
  })
})

describe('a login that can not start', () => {
  // spec L4.17, L8.2
  test('shows the error, and retry returns to where it failed', async () => {
    const sendEmailCode = fails('disallowed_login_method', 403, 'E-mail is off')
    const world = await makeWorld({ answers: { sendEmailCode } })
    await atCode(world)
    expect(world.state('ERROR_SCREEN')).toEqual({
      title: 'Not allowed',
      detail: 'E-mail is off',
      button: 'Try another method',
      code: 'disallowed_login_method',
    })
    await world.press('ERROR_SCREEN', 'retry')
    expect(world.entry(0)).toEqual({ status: 'ready', address: email })
  })
})

test('where nothing can be stored the host hears so at once, and the user which setting is in the way', async () => {
  const world = await makeWorld({ answers: happy })
  world.browser.store.breakDown()
  const logins = [watch(world.login()), watch(world.login())]
  await settle()
  for (const login of logins) expect(login.error).toMatchObject({ code: 'session_storage_unavailable' })
  expect(world.state('ERROR_SCREEN')).toMatchObject({
    title: 'Your browser blocks this login',
    detail: expect.stringContaining('cross-site cookies'),
  })
  await world.press('ERROR_SCREEN', 'retry')
  expect(world.view()?.open).toBe(false)
})

test.each<[Pick<WorldOptions, 'app' | 'config'>, string, string]>([
  [{ app: { emailAuth: false } }, 'has no login method on', 'email_auth=true'],
  [{ config: { loginMethods: ['sms'] } }, 'asks for sms, and app', 'sms_auth=true'],
  [{ config: { loginMethods: ['google'] } }, 'has email on', 'google_oauth=true'],
] as const)(
  'without a method LANDING says so, and the developer hears how to turn one on: %o',
  async (given, why, set) => {
    const said = vi.spyOn(console, 'error').mockImplementation(() => {})
    const world = await makeWorld({ answers: happy, ...given })
    void world.login().catch(() => {})
    await settle()
    expect(world.state('LANDING').entries).toEqual([])
    const command = `npm run app -- set lkdemo0000000000000000001 ${set}`
    await vi.waitFor(() => expect(said.mock.calls.flat().join()).toContain(command), { timeout: 20_000 })
    expect(said.mock.calls.flat().join()).toContain(why)
    said.mockRestore()
  },
)

describe('closing', () => {
  // spec L4.12
  test.each(['LANDING', 'AWAITING_PASSWORDLESS_CODE', 'ERROR_SCREEN'] as const)(
    'at %s reports exited_auth_flow',
    async (screen) => {
      const sendEmailCode = screen === 'ERROR_SCREEN' ? fails('too_many_requests', 429) : ok
      const world = await makeWorld({ answers: { sendEmailCode } })
      const login = watch(world.login())
      await settle()
      if (screen !== 'LANDING') await world.enter(0, 'submit', email)
      expect(world.screen()).toBe(screen)
      await world.close()
      expect(login.error).toMatchObject({ code: 'exited_auth_flow' })
    },
  )

  // spec L4.11
  test('clears the flow after 200 ms', async () => {
    const world = await makeWorld({ answers: happy })
    await atCode(world)
    await world.close()
    await world.clock.advance(199)
    expect(world.view()).toMatchObject({ open: false, screen: { name: 'AWAITING_PASSWORDLESS_CODE' } })
    expect(world.frame).toEqual(['show'])
    await world.clock.advance(1)
    expect(world.view()).toMatchObject({ open: false, screen: undefined })
    expect(world.frame).toEqual(['show', 'hide'])
  })

  test('while the code is being checked logs nobody in, here or at the server', async () => {
    const { promise, resolve } = Promise.withResolvers<ReturnType<typeof makeAuthAnswer>>()
    const world = await makeWorld({ answers: { ...happy, loginWithEmailCode: () => promise } })
    const login = await atCode(world)
    await submit(world)
    await world.close()
    resolve(makeAuthAnswer())
    await settle()
    expect(login.error).toMatchObject({ code: 'exited_auth_flow' })
    expect(world.session.state().status).toBe('visitor')
    expect(world.transport.calls('logout').map(({ body }) => body)).toEqual([{ refreshToken: 'refresh-1' }])
  })

  test('after success does not take it back', async () => {
    const world = await makeWorld({ answers: happy })
    const login = await atCode(world)
    await submit(world)
    await world.close()
    expect(world.view()?.open).toBe(false)
    expect(login.value).toMatchObject({ wasAlreadyAuthenticated: false })
  })

  test('leaves nothing behind that acts later', async () => {
    const world = await makeWorld({
      answers: { ...happy, loginWithEmailCode: fails('invalid_credentials', 422) },
    })
    await atCode(world)
    await world.press('AWAITING_PASSWORDLESS_CODE', 'resend')
    await submit(world)
    await world.close()
    await world.clock.advance(200)
    expect(world.clock.waiting()).toEqual([])
  })
})

describe('who asks', () => {
  test('several times at once gets one dialog and one answer', async () => {
    const world = await makeWorld({ answers: happy })
    const logins = [watch(world.login()), watch(world.login())]
    await settle()
    expect(world.frame).toEqual(['show'])
    await world.close()
    for (const login of logins) expect(login.error).toMatchObject({ code: 'exited_auth_flow' })
    expect(world.events.filter((event) => event === 'modal_open')).toHaveLength(1)
  })

  test('as somebody who is logged in is answered at once, without a dialog', async () => {
    const world = await makeWorld({ answers: happy })
    world.session.accept(makeAuthAnswer())
    expect(await world.login()).toMatchObject({
      user: { id: visitorUser.id },
      wasAlreadyAuthenticated: true,
      isNewUser: false,
      loginMethod: null,
    })
    expect(world.frame).toEqual([])
  })

  test('may ask again after a close', async () => {
    const world = await makeWorld({ answers: happy })
    const first = watch(world.login())
    await settle()
    await world.close()
    expect(first.settled).toBe(true)
    const second = watch(world.login())
    await world.clock.advance(200)
    expect(world.frame).toEqual(['show', 'hide', 'show'])
    expect(world.screen()).toBe('LANDING')
    expect(second.settled).toBe(false)
  })

  test('in a page whose frame is gone hears so', async () => {
    const show = () => Promise.reject(refused('client_destroyed', 0))
    const world = await makeWorld({ answers: happy, show })
    const login = watch(world.login())
    await settle()
    expect(login.error).toMatchObject({ code: 'client_destroyed' })
  })
})

test('a login in another tab ends this one with that user', async () => {
  const world = await makeWorld({ answers: happy })
  const other = makeTab(world.browser, world.transport)
  const login = await atCode(world)
  other.session.accept(makeAuthAnswer())
  await settle()
  expect(login.value).toMatchObject({ user: { id: visitorUser.id }, loginMethod: null })
  expect(world.view()?.open).toBe(false)
})
