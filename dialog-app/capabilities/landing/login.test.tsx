import { describe, expect, test, vi } from 'vitest'
import { settle } from '../../testing/clock.ts'
import {
  type Answers,
  type Fixture,
  type FixtureOptions,
  makeBrowser,
  makeFixture,
  makeTab,
  refused,
  watch,
} from '../../testing/fixture.ts'
import { makeAuthAnswer, visitorUser, walletUser } from '../../testing/fixtures.ts'
import { type Page, renderDialog, submitEmail } from '../../testing/page.tsx'
import { readCard } from '../../testing/read-screen.ts'

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

async function atCode(fixture: Fixture) {
  const login = watch(fixture.login())
  await settle()
  return { login, page: await submitEmail(fixture, email) }
}
/** The page of a login whose methods are on screen. */
async function atLanding(fixture: Parameters<typeof renderDialog>[0]) {
  const page = renderDialog(fixture)
  await page.see(/^Log in/)
  return page
}
const enter = (page: Page, code = '123456') => page.type(firstDigit, code)
const firstDigit = 'Digit 1 of 6'
const wrongCode = 'Invalid or expired verification code'

describe('a login by e-mail', () => {
  // spec L1.2, L7.35, L4.23
  test('sends a code, takes it, and closes with success after 1.4 s', async () => {
    const fixture = await makeFixture({ answers: happy })
    const login = watch(fixture.login())
    await settle()
    expect(fixture.frame).toEqual(['show'])
    expect((await atLanding(fixture)).value('E-mail')).toBe('')
    const page = await submitEmail(fixture, email)
    await page.see(email)
    expect(page.hasButton('Resend code')).toBe(true)
    await enter(page)
    expect(fixture.transport.calls('sendEmailCode')[0]?.body).toEqual({ email })
    expect(fixture.transport.calls('loginWithEmailCode')[0]?.body).toEqual({ email, code: '123456' })
    expect(page.has('Code accepted')).toBe(true)
    await fixture.clock.advance(1_399)
    expect(fixture.view()?.open).toBe(true)
    await fixture.clock.advance(1)
    expect(fixture.view()?.open).toBe(false)
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
    expect(fixture.session.state().status).toBe('authenticated')
    expect(fixture.events).toEqual(['modal_open', 'sdk_authenticate', 'modal_closed'])
  })

  test('resolves when the code is accepted, before its success screen closes', async () => {
    const fixture = await makeFixture({ answers: happy })
    const { login, page } = await atCode(fixture)
    await enter(page)
    expect(login.value).toMatchObject({ loginMethod: 'email' })
    expect(fixture.view()?.open).toBe(true)
  })

  // spec L4.23, L7.48
  test('reloads the user and their wallets before it closes', async () => {
    const fixture = await makeFixture({ answers: { ...happy, me: () => walletUser } })
    const { page } = await atCode(fixture)
    await enter(page)
    await fixture.clock.advance(1_399)
    expect(fixture.view()?.open).toBe(true)
    expect(fixture.session.state()).toMatchObject({ user: walletUser })
  })

  test('sends the key of a waiting vault, and passes the response to the wallet', async () => {
    const vault = { publicKey: 'B'.repeat(87), operation: { id: 'operation-1', step: 1 } }
    const said = { vault, headers: { 'latchkey-device': 'statement' } }
    const accepted: unknown[] = []
    const fixture = await makeFixture({
      answers: happy,
      wallet: {
        loginVault: () => said,
        acceptLogin: (named, { user }) => void accepted.push(named, user.id),
      },
    })
    const { page } = await atCode(fixture)
    await enter(page)
    expect(fixture.transport.calls('loginWithEmailCode')[0]?.body).toEqual({ email, code: '123456', vault })
    expect(fixture.transport.calls('loginWithEmailCode')[0]?.headers).toEqual(said.headers)
    expect(accepted).toEqual([said, visitorUser.id])
  })

  test('prepares the wallet frame when the address is sent, not before', async () => {
    const fixture = await makeFixture({ answers: happy })
    const login = watch(fixture.login())
    await settle()
    expect(fixture.wallet.log).toEqual([])
    await submitEmail(fixture, email)
    expect(fixture.wallet.log).toEqual(['prepareOperation'])
    expect(login.settled).toBe(false)
  })

  // spec L5.11
  test('trims the code', async () => {
    const fixture = await makeFixture({ answers: happy })
    const { page } = await atCode(fixture)
    await page.paste(firstDigit, ' 123456\n')
    expect(fixture.transport.calls('loginWithEmailCode')[0]?.body).toMatchObject({ code: '123456' })
  })

  test('does not send a code of five digits', async () => {
    const fixture = await makeFixture({ answers: happy })
    const { page } = await atCode(fixture)
    await enter(page, '12345')
    expect(fixture.transport.calls('loginWithEmailCode')).toEqual([])
  })

  // spec L5.2
  test.each(['', 'ada', 'ada@', 'a b@c.d'])('does not send a code to %j', async (address) => {
    const fixture = await makeFixture({ answers: happy })
    void fixture.login().catch(() => {})
    await settle()
    const page = await submitEmail(fixture, address)
    await page.pressKey('Enter')
    expect(fixture.transport.sent).toEqual([])
    expect(fixture.screen()).toBe('LANDING')
  })

  test('sends one code for two quick clicks', async () => {
    const fixture = await makeFixture({ answers: happy })
    void fixture.login().catch(() => {})
    await settle()
    const page = await atLanding(fixture)
    await page.fill('E-mail', email)
    await page.doublePress('Submit e-mail address')
    expect(fixture.transport.calls('sendEmailCode')).toHaveLength(1)
  })

  test('ignores input of LANDING after another screen opened', async () => {
    const fixture = await makeFixture({ answers: happy })
    void fixture.login().catch(() => {})
    await settle()
    await submitEmail(fixture, email)
    expect(fixture.screen()).toBe('AWAITING_PASSWORDLESS_CODE')
    const form = document.querySelector<HTMLFormElement>('form:has([type="email"])')
    form?.requestSubmit()
    await settle()
    expect(form).not.toBeNull()
    expect(fixture.transport.calls('sendEmailCode')).toHaveLength(1)
  })

  test('does not show an earlier address on the screen of a later one', async () => {
    const fixture = await makeFixture({ answers: happy })
    const { page } = await atCode(fixture)
    await page.press('Resend code')
    await fixture.back()
    await submitEmail(fixture, 'later@example.org')
    await page.see('later@example.org')
    expect(page.hasButton('Resend code')).toBe(true)
    await fixture.clock.advance(30_000)
    expect(page.has(email)).toBe(false)
  })

  test('prefills the address of the last login, until the user presses Not you?', async () => {
    const browser = makeBrowser()
    const come = async (options: FixtureOptions = {}) => {
      const fixture = await makeFixture({ answers: happy, browser, ...options })
      const login = watch(fixture.login())
      await settle()
      return { ...fixture, login }
    }
    const offered = (page: Page) => [page.value('E-mail'), page.hasButton('Not you?')]
    const first = await come()
    expect(offered(await atLanding(first))).toEqual(['', false])
    await enter(await submitEmail(first, email), '000000')
    await first.session.logout()
    const second = await atLanding(await come())
    expect(offered(second)).toEqual([email, true])
    const otherApp = await come({ app: { id: 'lkdemo0000000000000000002' } })
    expect(offered(await atLanding(otherApp))).toEqual(['', false])
    await second.press('Not you?')
    expect(offered(second)).toEqual(['', false])
    expect(offered(await atLanding(await come()))).toEqual(['', false])
  })

  test('does not prefill an address after a rejected code', async () => {
    const browser = makeBrowser()
    const refusing = { ...happy, loginWithEmailCode: fails('invalid_credentials', 401) }
    const first = await makeFixture({ answers: refusing, browser })
    const { page } = await atCode(first)
    await enter(page)
    const second = await makeFixture({ answers: happy, browser })
    watch(second.login())
    await settle()
    expect((await atLanding(second)).value('E-mail')).toBe('')
  })

  test('keeps the address when the user goes back', async () => {
    const fixture = await makeFixture({ answers: happy })
    const { page } = await atCode(fixture)
    await fixture.back()
    expect([page.value('E-mail'), page.isBusy('Submit e-mail address')]).toEqual([email, false])
    expect(fixture.view()?.direction).toBe('back')
  })
})

describe('a rejected code', () => {
  // spec L4.24, L8.12
  test('shows an error, and is cleared after 1.4 s', async () => {
    const fixture = await makeFixture({
      answers: { ...happy, loginWithEmailCode: fails('invalid_credentials', 422) },
    })
    const { page } = await atCode(fixture)
    await enter(page)
    await page.see(wrongCode)
    await fixture.clock.advance(1_399)
    expect(page.value(firstDigit)).toBe('1')
    await fixture.clock.advance(1)
    expect([page.value(firstDigit), page.has(wrongCode)]).toEqual(['', true])
  })

  test('can be followed immediately by the next one, which has its own 1.4 s', async () => {
    const fixture = await makeFixture({
      answers: { ...happy, loginWithEmailCode: fails('invalid_credentials', 422) },
    })
    const { page } = await atCode(fixture)
    await enter(page)
    await fixture.clock.advance(1_000)
    await enter(page, '654321')
    expect(fixture.transport.calls('loginWithEmailCode')[1]?.body).toMatchObject({ code: '654321' })
    await fixture.clock.advance(1_399)
    expect(page.value(firstDigit)).toBe('6')
    await fixture.clock.advance(1)
    expect(page.value(firstDigit)).toBe('')
  })

  // spec L8.14, L8.15, L8.16
  test.each([
    ['max_accounts_reached', 'USER_LIMIT_REACHED_SCREEN'],
    ['user_does_not_exist', 'ACCOUNT_NOT_FOUND_SCREEN'],
    ['allowlist_rejected', 'ALLOWLIST_REJECTION_SCREEN'],
    ['linked_to_another_user', 'ERROR_SCREEN'],
  ] as const)('with %s opens %s', async (code, screen) => {
    const fixture = await makeFixture({ answers: { ...happy, loginWithEmailCode: fails(code, 403) } })
    const { page } = await atCode(fixture)
    await enter(page)
    expect(fixture.screen()).toBe(screen)
    await page.press(screen === 'ERROR_SCREEN' ? 'Try again' : 'Try another account')
    expect(fixture.screen()).toBe(screen === 'ERROR_SCREEN' ? 'AWAITING_PASSWORDLESS_CODE' : 'LANDING')
  })
})

describe('resend', () => {
  // spec L4.25
  test('sends a new code and is locked for 30 s', async () => {
    const fixture = await makeFixture({ answers: happy })
    const { page } = await atCode(fixture)
    await page.press('Resend code')
    expect(fixture.transport.calls('sendEmailCode')).toHaveLength(2)
    expect([page.has('Code sent'), page.hasButton('Resend code')]).toEqual([true, false])
    await fixture.clock.advance(29_999)
    expect(page.hasButton('Resend code')).toBe(false)
    await fixture.clock.advance(1)
    expect(page.hasButton('Resend code')).toBe(true)
  })

  test('unlocks in time while another screen covers it', async () => {
    const answers: Answers = { ...happy, loginWithEmailCode: fails('linked_to_another_user', 400) }
    const fixture = await makeFixture({ answers })
    const { page } = await atCode(fixture)
    await page.press('Resend code')
    await enter(page)
    expect(fixture.screen()).toBe('ERROR_SCREEN')
    await fixture.clock.advance(30_000)
    await page.press('Try again')
    expect(page.hasButton('Resend code')).toBe(true)
  })

  async function resending() {
    const sent = Promise.withResolvers<{ success: true }>()
    const answers: Answers = { ...happy }
    const fixture = await makeFixture({ answers })
    const { login, page } = await atCode(fixture)
    answers.sendEmailCode = () => sent.promise
    await page.press('Resend code')
    return { login, page, sent }
  }

  test('accepts a code during the request', async () => {
    const { login, page, sent } = await resending()
    await enter(page)
    expect(login.value).toMatchObject({ loginMethod: 'email' })
    sent.resolve({ success: true })
    await settle()
    expect(page.has('Code accepted')).toBe(true)
  })

  test('does not clear a typed code if it fails late', async () => {
    const { page, sent } = await resending()
    await enter(page, '123')
    sent.reject(refused('server_unreachable', 0))
    await settle()
    expect([page.value(firstDigit), page.hasButton('Resend code')]).toEqual(['1', true])
  })

  test('does not hide the success if it fails after a code was accepted', async () => {
    const { page, sent } = await resending()
    await enter(page)
    sent.reject(refused('server_unreachable', 0))
    await settle()
    expect(page.has('Code accepted')).toBe(true)
  })

  test('shows its failure, and leads back to the code', async () => {
    const answers: Answers = { ...happy }
    const fixture = await makeFixture({ answers })
    const { page } = await atCode(fixture)
    answers.sendEmailCode = fails('too_many_requests', 429)
    await page.press('Resend code')
    expect(readCard(fixture)).toEqual(
      expect.arrayContaining(['Request failed', 'Too many attempts.', 'Try again later']),
    )
    await page.press('Try again later')
    expect([page.has('Enter confirmation code'), page.hasButton('Resend code')]).toEqual([true, true])
  })
})

describe('without a network', () => {
  test('the address is sent automatically when the network returns', async () => {
    const fixture = await makeFixture({ answers: happy })
    fixture.transport.network.goOffline()
    const { page } = await atCode(fixture)
    expect([page.value('E-mail'), page.has(/^You are offline/)]).toEqual([email, true])
    expect(fixture.transport.calls('sendEmailCode')).toEqual([])
    fixture.transport.network.comeBack()
    await settle()
    expect(fixture.transport.calls('sendEmailCode')).toHaveLength(1)
    expect(fixture.screen()).toBe('AWAITING_PASSWORDLESS_CODE')
  })

  test('the address can be cancelled, and is then not sent', async () => {
    const fixture = await makeFixture({ answers: happy })
    fixture.transport.network.goOffline()
    const { page } = await atCode(fixture)
    await page.press('Cancel')
    expect([page.value('E-mail'), page.has(/^You are offline/)]).toEqual([email, false])
    fixture.transport.network.comeBack()
    await settle()
    expect(fixture.transport.calls('sendEmailCode')).toEqual([])
    expect(fixture.screen()).toBe('LANDING')
  })

  test('the code is sent automatically when the network returns', async () => {
    const fixture = await makeFixture({ answers: happy })
    const { login, page } = await atCode(fixture)
    fixture.transport.network.goOffline()
    await enter(page)
    expect(page.has(/^You are offline/)).toBe(true)
    fixture.transport.network.comeBack()
    await settle()
    expect([page.has('Code accepted'), page.has(/^You are offline/)]).toEqual([true, false])
    expect(login.value).toMatchObject({ loginMethod: 'email' })
  })

  test('a code, and the request for a new one, can be cancelled', async () => {
    const fixture = await makeFixture({ answers: happy })
    const { page } = await atCode(fixture)
    fixture.transport.network.goOffline()
    for (const send of [() => enter(page), () => page.press('Resend code')]) {
      await send()
      expect(page.has(/^You are offline/)).toBe(true)
      await page.press('Cancel')
      expect(page.has(/^You are offline/)).toBe(false)
      expect([page.value(firstDigit), page.hasButton('Resend code')]).toEqual(['', true])
    }
    expect(fixture.transport.calls('loginWithEmailCode')).toEqual([])
    expect(fixture.transport.calls('sendEmailCode')).toHaveLength(1)
  })
})

describe('a login that cannot start', () => {
  // spec L4.17, L8.2
  test('shows the error, and its retry returns to the failed screen', async () => {
    const sendEmailCode = fails('disallowed_login_method', 403, 'E-mail is off')
    const fixture = await makeFixture({ answers: { sendEmailCode } })
    const { page } = await atCode(fixture)
    await page.see('Not allowed')
    await page.see('E-mail is off')
    await page.press('Try another method')
    expect([page.value('E-mail'), page.isBusy('Submit e-mail address')]).toEqual([email, false])
  })
})

test('without storage the host gets an error immediately, and the user sees which setting blocks it', async () => {
  const fixture = await makeFixture({ answers: happy })
  fixture.browser.store.breakDown()
  const logins = [watch(fixture.login()), watch(fixture.login())]
  await settle()
  for (const login of logins) expect(login.error).toMatchObject({ code: 'session_storage_unavailable' })
  expect(readCard(fixture)).toEqual(
    expect.arrayContaining(['Your browser blocks this login', expect.stringContaining('cross-site cookies')]),
  )
  await renderDialog(fixture).pressText('Close')
  expect(fixture.view()?.open).toBe(false)
})

test.each<[Pick<FixtureOptions, 'app' | 'config'>, string, string]>([
  [{ app: { emailAuth: false } }, 'has no login method on', 'email_auth=true'],
  [{ config: { loginMethods: ['sms'] } }, 'asks for sms, and app', 'sms_auth=true'],
  [{ config: { loginMethods: ['google'] } }, 'has email on', 'google_oauth=true'],
] as const)(
  'without a method LANDING says so, and the developer hears how to turn one on: %o',
  async (given, why, set) => {
    const said = vi.spyOn(console, 'error').mockImplementation(() => {})
    const fixture = await makeFixture({ answers: happy, ...given })
    void fixture.login().catch(() => {})
    await settle()
    expect(renderDialog(fixture).controls()).toEqual([])
    const command = `npm run app -- set lkdemo0000000000000000001 ${set}`
    await vi.waitFor(() => expect(said.mock.calls.flat().join()).toContain(command), { timeout: 20_000 })
    expect(said.mock.calls.flat().join()).toContain(why)
    said.mockRestore()
  },
)

describe('a closed card', () => {
  // spec L4.12
  test.each(['LANDING', 'AWAITING_PASSWORDLESS_CODE', 'ERROR_SCREEN'] as const)(
    'rejects with exited_auth_flow at %s',
    async (screen) => {
      const sendEmailCode = screen === 'ERROR_SCREEN' ? fails('too_many_requests', 429) : ok
      const fixture = await makeFixture({ answers: { sendEmailCode } })
      const login = watch(fixture.login())
      await settle()
      if (screen !== 'LANDING') await submitEmail(fixture, email)
      expect(fixture.screen()).toBe(screen)
      await fixture.close()
      expect(login.error).toMatchObject({ code: 'exited_auth_flow' })
    },
  )

  // spec L4.11
  test('clears the flow after 200 ms', async () => {
    const fixture = await makeFixture({ answers: happy })
    await atCode(fixture)
    await fixture.close()
    await fixture.clock.advance(199)
    expect(fixture.view()).toMatchObject({ open: false, screen: { name: 'AWAITING_PASSWORDLESS_CODE' } })
    expect(fixture.frame).toEqual(['show'])
    await fixture.clock.advance(1)
    expect(fixture.view()).toMatchObject({ open: false, screen: undefined })
    expect(fixture.frame).toEqual(['show', 'hide'])
  })

  test('during the verification discards the login, here and at the server', async () => {
    const { promise, resolve } = Promise.withResolvers<ReturnType<typeof makeAuthAnswer>>()
    const fixture = await makeFixture({ answers: { ...happy, loginWithEmailCode: () => promise } })
    const { login, page } = await atCode(fixture)
    await enter(page)
    await fixture.close()
    resolve(makeAuthAnswer())
    await settle()
    expect(login.error).toMatchObject({ code: 'exited_auth_flow' })
    expect(fixture.session.state().status).toBe('visitor')
    expect(fixture.transport.calls('logout').map(({ body }) => body)).toEqual([{ refreshToken: 'refresh-1' }])
  })

  test('keeps the login after its success', async () => {
    const fixture = await makeFixture({ answers: happy })
    const { login, page } = await atCode(fixture)
    await enter(page)
    await fixture.close()
    expect(fixture.view()?.open).toBe(false)
    expect(login.value).toMatchObject({ wasAlreadyAuthenticated: false })
  })

  test('leaves no timers running', async () => {
    const fixture = await makeFixture({
      answers: { ...happy, loginWithEmailCode: fails('invalid_credentials', 422) },
    })
    const { page } = await atCode(fixture)
    await page.press('Resend code')
    await enter(page)
    await fixture.close()
    await fixture.clock.advance(200)
    expect(fixture.clock.waiting()).toEqual([])
  })
})

describe('login()', () => {
  test('shares one dialog and one result between concurrent calls', async () => {
    const fixture = await makeFixture({ answers: happy })
    const logins = [watch(fixture.login()), watch(fixture.login())]
    await settle()
    expect(fixture.frame).toEqual(['show'])
    await fixture.close()
    for (const login of logins) expect(login.error).toMatchObject({ code: 'exited_auth_flow' })
    expect(fixture.events.filter((event) => event === 'modal_open')).toHaveLength(1)
  })

  test('resolves immediately without a dialog for a logged-in user', async () => {
    const fixture = await makeFixture({ answers: happy })
    fixture.session.accept(makeAuthAnswer())
    expect(await fixture.login()).toMatchObject({
      user: { id: visitorUser.id },
      wasAlreadyAuthenticated: true,
      isNewUser: false,
      loginMethod: null,
    })
    expect(fixture.frame).toEqual([])
  })

  test('can be called again after a close', async () => {
    const fixture = await makeFixture({ answers: happy })
    const first = watch(fixture.login())
    await settle()
    await fixture.close()
    expect(first.settled).toBe(true)
    const second = watch(fixture.login())
    await fixture.clock.advance(200)
    expect(fixture.frame).toEqual(['show', 'hide', 'show'])
    expect(fixture.screen()).toBe('LANDING')
    expect(second.settled).toBe(false)
  })

  test('rejects with client_destroyed if the frame was removed', async () => {
    const show = () => Promise.reject(refused('client_destroyed', 0))
    const fixture = await makeFixture({ answers: happy, show })
    const login = watch(fixture.login())
    await settle()
    expect(login.error).toMatchObject({ code: 'client_destroyed' })
  })
})

test('a login in another tab ends this one with that user', async () => {
  const fixture = await makeFixture({ answers: happy })
  const other = makeTab(fixture.browser, fixture.transport)
  const { login } = await atCode(fixture)
  other.session.accept(makeAuthAnswer())
  await settle()
  expect(login.value).toMatchObject({ user: { id: visitorUser.id }, loginMethod: null })
  expect(fixture.view()?.open).toBe(false)
})
