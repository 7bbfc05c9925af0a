import type { AppConfig, UserRecord } from '@latchkey/protocol'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { hasApp } from '../../phone-app/phone-app.ts'
import { makeDecidedCaptcha } from '../../testing/captcha.ts'
import { settle } from '../../testing/clock.ts'
import { type Answers, makeBrowser, makeFixture, refused, watch } from '../../testing/fixture.ts'
import { makeAuthAnswer, visitorUser } from '../../testing/fixtures.ts'
import { renderDialog } from '../../testing/page.tsx'
import { capabilities } from '../index.ts'
import { farcasterOn } from './farcaster.ts'

const times = { verifiedAt: 1, firstVerifiedAt: 1, latestVerifiedAt: 1 }
const account = {
  type: 'farcaster' as const,
  fid: 7,
  ownerAddress: '0x52908400098527886E0F7030069857D2E4169EE7',
  username: 'ada',
  ...times,
}
const owner: UserRecord = { ...visitorUser, linkedAccounts: [account] }
const both: UserRecord = { ...visitorUser, linkedAccounts: [...visitorUser.linkedAccounts, account] }

const connectUri = 'https://farcaster.xyz/~/siwf?channelToken=channel-1'
const signed = { message: 'What the phone signed', signature: '0xab12', fid: 7 }
const completed = { state: 'completed' as const, nonce: 'nonce-1', ...signed, username: 'ada' }
const waiting = 'Scan this code with your phone’s camera, then approve in your Farcaster app.'
const connected = 'Connected to Farcaster'
const timedOut = 'The request timed out. Try again.'
const invalid = 'Something went wrong. Try again.'
const unexpected = 'Something went wrong. Please try again.'
const linkedToOther = 'This account has already been linked to another user.'

/** A relay whose phone the test answers for. */
function makePhone() {
  let approved = false
  let refusal: Error | undefined
  const answers: Answers = {
    beginFarcaster: () => ({ channelToken: 'channel-1', connectUri }),
    farcasterStatus: () => {
      if (refusal) throw refusal
      return approved ? completed : { state: 'pending', nonce: 'nonce-1' }
    },
    loginWithFarcaster: () => makeAuthAnswer({ user: owner, isNewUser: false }),
    me: () => owner,
  }
  return {
    answers,
    approve: () => {
      approved = true
    },
    failing: (error: Error | undefined) => {
      refusal = error
    },
  }
}

type Options = {
  answers?: Answers
  app?: Partial<AppConfig>
  hasCaptcha?: boolean
  onPhone?: boolean
}

async function open({ answers = {}, app = {}, hasCaptcha = false, onPhone = false }: Options) {
  const phone = makePhone()
  const own = farcasterOn({ isPhone: onPhone })
  const captcha = makeDecidedCaptcha()
  const withOwn = capabilities.map((each) => (each.name === 'farcaster' ? own : each))
  const fixture = await makeFixture({
    answers: { ...phone.answers, ...answers },
    app: { emailAuth: true, farcasterAuth: true, ...app },
    capabilities: hasCaptcha ? captcha.behind(withOwn) : withOwn,
    browser: makeBrowser(),
  })
  return { fixture, phone, captcha }
}

async function logIn(options: Options = {}) {
  const { fixture, phone, captcha } = await open(options)
  const login = watch(fixture.login())
  await settle()
  const page = renderDialog(fixture)
  const choose = () => page.press('Farcaster')
  await choose()
  return {
    fixture,
    page,
    choose,
    phone,
    captcha,
    login,
    polls: () => fixture.transport.calls('farcasterStatus').length,
  }
}

const throwing = (error: Error) => () => {
  throw error
}

describe('a login with Farcaster', () => {
  // spec L1.6, L2.30, L4.31, L7.31, L7.38
  test('shows a code for a phone, polls every 2 s until it has approved, and closes 1.4 s after the success', async () => {
    const { fixture, page, phone, login, polls } = await logIn()
    expect(fixture.transport.calls('beginFarcaster')[0]?.body).toEqual({
      origin: fixture.settings().hostOrigin,
    })
    await page.see(waiting)
    expect(page.link('Take me to Warpcast')).toBeUndefined()
    await fixture.clock.advance(1_999)
    expect(polls()).toBe(0)
    await fixture.clock.advance(1)
    expect(polls()).toBe(1)
    expect(fixture.transport.calls('farcasterStatus')[0]?.headers).toEqual({
      'farcaster-channel-token': 'channel-1',
    })
    await fixture.clock.advance(2_000)
    expect(polls()).toBe(2)
    expect(page.has(waiting)).toBe(true)
    phone.approve()
    await fixture.clock.advance(2_000)
    expect(fixture.transport.calls('loginWithFarcaster')[0]?.body).toEqual({
      channelToken: 'channel-1',
      ...signed,
    })
    await page.see(connected)
    expect(login.value).toMatchObject({ loginMethod: 'farcaster', loginAccount: account, isNewUser: false })
    expect(fixture.events).toContain('sdk_authenticate')
    await fixture.clock.advance(1_399)
    expect(fixture.frame).toEqual(['show'])
    await fixture.clock.advance(1 + 200)
    expect(fixture.frame).toEqual(['show', 'hide'])
    expect(polls()).toBe(3)
  })

  // spec L4.19
  test('shows the terms 1.4 s after the success if the user must accept them', async () => {
    const { fixture, page, phone } = await logIn({ app: { requireUsersAcceptTerms: true } })
    phone.approve()
    await fixture.clock.advance(2_000)
    await fixture.clock.advance(1_399)
    expect(page.has(connected)).toBe(true)
    await fixture.clock.advance(1)
    expect(fixture.screen()).toBe('AFFIRMATIVE_CONSENT_SCREEN')
  })

  // spec L2.30
  test('on a phone shows a link to the app instead of a code', async () => {
    const { page } = await logIn({ onPhone: true })
    await page.see('Approve in your Farcaster app, then come back here.')
    expect(page.link('Take me to Warpcast')).toBe(connectUri)
    expect(page.has(waiting)).toBe(false)
  })

  // spec L4.31, L8.25
  test('times out after 120 s without an approval, and Retry opens another request', async () => {
    const { fixture, page, phone, login, polls } = await logIn()
    await fixture.clock.advance(119_999)
    expect(page.has(waiting)).toBe(true)
    await fixture.clock.advance(1)
    await page.see(timedOut)
    expect(polls()).toBe(60)
    await fixture.clock.advance(10_000)
    expect(polls()).toBe(60)
    await page.press('Retry')
    expect(fixture.transport.calls('beginFarcaster')).toHaveLength(2)
    await page.see(waiting)
    phone.approve()
    await fixture.clock.advance(2_000)
    expect(login.value).toMatchObject({ loginMethod: 'farcaster' })
  })

  test('on a phone that was suspended polls once more before it times out', async () => {
    const { fixture, phone, login } = await logIn({ onPhone: true })
    await fixture.clock.advance(3_000)
    phone.approve()
    fixture.clock.sleep(600_000)
    await fixture.clock.advance(2_000)
    expect(login.value).toMatchObject({ loginMethod: 'farcaster' })
  })

  test('continues after failed polls until the deadline', async () => {
    const { fixture, page, phone } = await logIn()
    phone.failing(refused('unavailable', 503))
    await fixture.clock.advance(118_000)
    expect(page.has(waiting)).toBe(true)
    phone.failing(undefined)
    phone.approve()
    await fixture.clock.advance(2_000)
    await page.see(connected)
  })

  test('times out 2 s after a last poll without a response', async () => {
    let asked = 0
    const { fixture, page } = await logIn({
      answers: {
        farcasterStatus() {
          asked += 1
          return asked < 60 ? { state: 'pending', nonce: 'nonce-1' } : new Promise(() => {})
        },
      },
    })
    await fixture.clock.advance(121_999)
    expect(asked).toBe(60)
    expect(page.has(waiting)).toBe(true)
    await fixture.clock.advance(1)
    await page.see(timedOut)
  })

  test('shows that it connects after 150 ms, and keeps the methods visible until then', async () => {
    const begun = Promise.withResolvers<{ channelToken: string; connectUri: string }>()
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const { fixture, page } = await logIn({ answers: { beginFarcaster: () => begun.promise } })
    vi.advanceTimersByTime(149)
    await settle()
    expect([page.hasButton('Farcaster'), page.has('Connecting to Farcaster')]).toEqual([true, false])
    vi.advanceTimersByTime(1)
    await page.see('Connecting to Farcaster')
    begun.resolve({ channelToken: 'channel-1', connectUri })
    await page.see(waiting)
    await page.press('Back')
    expect(fixture.screen()).toBe('LANDING')
  })

  test.each(['answered', 'refused'] as const)(
    'that the user leaves while it connects has no effect when that is %s',
    async (how) => {
      const begun = Promise.withResolvers<{ channelToken: string; connectUri: string }>()
      const { fixture, page, polls } = await logIn({ answers: { beginFarcaster: () => begun.promise } })
      await page.see('Connecting to Farcaster')
      await page.press('Back')
      if (how === 'answered') begun.resolve({ channelToken: 'channel-1', connectUri })
      else begun.reject(refused('unavailable', 503))
      await fixture.clock.advance(2_000)
      expect(fixture.screen()).toBe('LANDING')
      expect(polls()).toBe(0)
    },
  )

  test('logs no user in if the user leaves during a poll', async () => {
    const answered = Promise.withResolvers<typeof completed>()
    const { fixture } = await logIn({ answers: { farcasterStatus: () => answered.promise } })
    await fixture.clock.advance(2_000)
    await fixture.back()
    answered.resolve(completed)
    await settle()
    expect(fixture.transport.calls('loginWithFarcaster')).toEqual([])
    expect(fixture.screen()).toBe('LANDING')
  })

  test('stops polling if the user leaves, and opens another request for the next login', async () => {
    const { fixture, choose, phone, login, polls } = await logIn()
    await fixture.clock.advance(2_000)
    await fixture.back()
    expect(fixture.screen()).toBe('LANDING')
    phone.approve()
    await fixture.clock.advance(120_000)
    expect(polls()).toBe(1)
    expect(fixture.transport.calls('loginWithFarcaster')).toEqual([])
    await choose()
    expect(fixture.transport.calls('beginFarcaster')).toHaveLength(2)
    await fixture.clock.advance(2_000)
    expect(login.value).toMatchObject({ loginMethod: 'farcaster' })
  })

  test('polls only for the latest request after the user left and started again', async () => {
    const { fixture, choose, polls } = await logIn()
    await fixture.back()
    await choose()
    await fixture.clock.advance(2_000)
    expect(polls()).toBe(1)
  })

  test('stops polling after the card is closed', async () => {
    const { fixture, login, polls } = await logIn()
    await fixture.close()
    await fixture.clock.advance(10_000)
    expect(polls()).toBe(0)
    expect(login.error).toMatchObject({ code: 'exited_auth_flow' })
  })

  // spec L8.21, L8.22, L8.23, L8.24, L8.25
  test.each([
    ['linked_to_another_user', linkedToOther, false],
    ['invalid_credentials', invalid, true],
    ['too_many_requests', 'Too many requests. Please wait before trying again.', false],
    ['client_request_timeout', timedOut, true],
    ['cannot_link_more_of_type', 'You cannot link more than one Farcaster account.', false],
    ['disallowed_login_method', 'This app does not accept Farcaster accounts.', false],
    ['invalid_message', unexpected, true],
    ['internal_error', unexpected, true],
  ] as const)('that fails with %s shows "%s"', async (code, text, isRetryable) => {
    const { fixture, page, phone } = await logIn({
      answers: { loginWithFarcaster: throwing(refused(code, 400)) },
    })
    phone.approve()
    await fixture.clock.advance(2_000)
    await page.see(text)
    expect(page.has('Authentication failed')).toBe(true)
    await page.press(isRetryable ? 'Retry' : 'Go back')
    if (isRetryable) await page.see(waiting)
    else expect(fixture.screen()).toBe('LANDING')
  })

  test('fails immediately if the relay no longer has the request', async () => {
    const { fixture, page, phone, polls } = await logIn()
    phone.failing(refused('invalid_credentials', 422))
    await fixture.clock.advance(2_000)
    await page.see(invalid)
    expect(page.hasButton('Retry')).toBe(true)
    await fixture.clock.advance(10_000)
    expect(polls()).toBe(1)
  })

  test('shows ERROR_SCREEN if the login cannot start, and returns to LANDING', async () => {
    const { fixture, page } = await logIn({
      answers: { beginFarcaster: throwing(refused('too_many_requests', 429)) },
    })
    await page.see('Request failed')
    expect(page.has('Too many attempts.')).toBe(true)
    await page.press('Back')
    expect(fixture.screen()).toBe('LANDING')
  })

  test('shows the allowlist screen to a user outside the allowlist', async () => {
    const { fixture, phone } = await logIn({
      answers: { loginWithFarcaster: throwing(refused('allowlist_rejected', 401)) },
    })
    phone.approve()
    await fixture.clock.advance(2_000)
    expect(fixture.screen()).toBe('ALLOWLIST_REJECTION_SCREEN')
  })
})

describe('a login with Farcaster behind a captcha', () => {
  // spec L4.13
  test('begins with the token, and another attempt with another token', async () => {
    const { fixture, page, captcha } = await logIn({ hasCaptcha: true })
    expect(fixture.transport.calls('beginFarcaster')).toEqual([])
    await captcha.decide({ token: 'first' })
    await page.see(waiting)
    await fixture.clock.advance(120_000)
    await page.press('Retry')
    await captcha.decide({ token: 'second' })
    expect(fixture.transport.calls('beginFarcaster').map(({ body }) => body)).toEqual([
      { origin: fixture.settings().hostOrigin, token: 'first' },
      { origin: fixture.settings().hostOrigin, token: 'second' },
    ])
  })

  test('keeps a failure if the user goes back from the captcha of another attempt', async () => {
    const { fixture, page, captcha } = await logIn({ hasCaptcha: true })
    await captcha.decide({ token: 'first' })
    await fixture.clock.advance(120_000)
    await page.press('Retry')
    await captcha.decide(undefined)
    await page.see(timedOut)
    expect(fixture.transport.calls('beginFarcaster')).toHaveLength(1)
  })

  test('does not begin if the user goes back from the captcha', async () => {
    const { fixture, captcha } = await logIn({ hasCaptcha: true })
    await captcha.decide(undefined)
    expect(fixture.screen()).toBe('LANDING')
    expect(fixture.transport.calls('beginFarcaster')).toEqual([])
  })
})

describe('an account of Farcaster', () => {
  async function openLink(answers: Answers, hasCaptcha = false) {
    const { fixture, phone, captcha } = await open({
      answers: { me: () => visitorUser, ...answers },
      hasCaptcha,
    })
    await fixture.session.start()
    fixture.session.accept(makeAuthAnswer({ user: visitorUser }))
    await settle()
    const linked = watch(fixture.link('farcaster'))
    await settle()
    const page = renderDialog(fixture)
    return { fixture, page, choose: () => page.press('Continue with Farcaster'), phone, captcha, linked }
  }

  // spec L1.6
  test('is linked like a login, and the host receives it', async () => {
    const { fixture, page, choose, phone, linked } = await openLink({ linkFarcaster: () => both })
    await page.see('Continue with Farcaster')
    await choose()
    phone.approve()
    await fixture.clock.advance(2_000)
    expect(fixture.transport.calls('linkFarcaster')[0]).toMatchObject({
      body: { channelToken: 'channel-1', ...signed },
      token: expect.any(String),
    })
    await page.see(connected)
    expect(linked.value).toMatchObject({ user: { linkedAccounts: both.linkedAccounts } })
  })

  // spec L4.15
  test('is linked with the token of a captcha, although the user is logged in', async () => {
    const { fixture, choose, captcha } = await openLink({}, true)
    await choose()
    expect(captcha.asked).toHaveLength(1)
    expect(fixture.transport.calls('beginFarcaster')).toEqual([])
    await captcha.decide({ token: 'passed' })
    expect(fixture.transport.calls('beginFarcaster')).toMatchObject([{ body: { token: 'passed' } }])
  })

  // spec L8.22
  test('rejects an account of another user, and returns the error to the host when the user leaves', async () => {
    const { fixture, page, choose, phone, linked } = await openLink({
      linkFarcaster: throwing(refused('linked_to_another_user', 400)),
    })
    await choose()
    phone.approve()
    await fixture.clock.advance(2_000)
    await page.see(linkedToOther)
    expect(page.hasButton('Go back')).toBe(true)
    await fixture.close()
    expect(linked.error).toMatchObject({ code: 'linked_to_another_user' })
  })

  // spec L7.15
  test('is unlinked by its number, under the name that the user knows', async () => {
    const { fixture } = await open({ answers: { me: () => both, unlinkFarcaster: () => visitorUser } })
    await fixture.session.start()
    fixture.session.accept(makeAuthAnswer({ user: both }))
    await settle()
    const unlinked = watch(fixture.unlink('farcaster', '7'))
    await settle()
    const page = renderDialog(fixture)
    await page.see(/Farcaster/)
    expect(page.has(/\bada\b/)).toBe(true)
    await page.press('Unlink')
    expect(fixture.transport.calls('unlinkFarcaster')[0]?.body).toEqual({ fid: 7 })
    expect(unlinked.value).toMatchObject({ user: { linkedAccounts: visitorUser.linkedAccounts } })
  })
})

test.each([
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Safari/604.1', 5, true],
  ['Mozilla/5.0 (Linux; Android 15; Pixel 9) Chrome/140 Mobile', 5, true],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Version/18.0 Safari/605.1.15', 5, true],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Version/18.0 Safari/605.1.15', 0, false],
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/140', 10, false],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Firefox/140.0', 0, false],
])('%s with %d points of touch has the app: %j', (userAgent, maxTouchPoints, expected) => {
  expect(hasApp({ userAgent, maxTouchPoints })).toBe(expected)
})
