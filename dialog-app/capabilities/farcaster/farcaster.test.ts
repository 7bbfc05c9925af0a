import type { AppConfig, UserRecord } from '@latchkey/protocol'
import { describe, expect, test } from 'vitest'
import { hasApp } from '../../phone-app/phone-app.ts'
import { makeDecidedCaptcha } from '../../testing/captcha.ts'
import { settle } from '../../testing/clock.ts'
import { type Answers, makeBrowser, makeFixture, refused, watch } from '../../testing/fixture.ts'
import { makeAuthAnswer, visitorUser } from '../../testing/fixtures.ts'
import { readCard } from '../../testing/read-screen.ts'
import { capabilities } from '../index.ts'
import { farcasterOn } from './farcaster.ts'

const screen = 'AWAITING_FARCASTER_CONNECTION'
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
const waiting = { status: 'waiting', connectUri, isPhone: false }

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

const FARCASTER = 1
async function logIn(options: Options = {}) {
  const { fixture, phone, captcha } = await open(options)
  const login = watch(fixture.login())
  await settle()
  await fixture.enter(FARCASTER, 'choose')
  return { fixture, phone, captcha, login, polls: () => fixture.transport.calls('farcasterStatus').length }
}

const throwing = (error: Error) => () => {
  throw error
}

describe('a login with Farcaster', () => {
  // spec L1.6, L2.30, L4.31, L7.31, L7.38
  test('shows a code for a phone, asks every 2 s until it has approved, and closes 1.4 s after the success', async () => {
    const { fixture, phone, login, polls } = await logIn()
    expect(fixture.transport.calls('beginFarcaster')[0]?.body).toEqual({
      origin: fixture.settings().hostOrigin,
    })
    expect(fixture.state(screen)).toEqual(waiting)
    await fixture.clock.advance(1_999)
    expect(polls()).toBe(0)
    await fixture.clock.advance(1)
    expect(polls()).toBe(1)
    expect(fixture.transport.calls('farcasterStatus')[0]?.headers).toEqual({
      'farcaster-channel-token': 'channel-1',
    })
    await fixture.clock.advance(2_000)
    expect(polls()).toBe(2)
    expect(fixture.state(screen)).toEqual(waiting)
    phone.approve()
    await fixture.clock.advance(2_000)
    expect(fixture.transport.calls('loginWithFarcaster')[0]?.body).toEqual({
      channelToken: 'channel-1',
      ...signed,
    })
    expect(fixture.state(screen)).toEqual({ status: 'success' })
    expect(login.value).toMatchObject({ loginMethod: 'farcaster', loginAccount: account, isNewUser: false })
    expect(fixture.events).toContain('sdk_authenticate')
    await fixture.clock.advance(1_399)
    expect(fixture.frame).toEqual(['show'])
    await fixture.clock.advance(1 + 200)
    expect(fixture.frame).toEqual(['show', 'hide'])
    expect(polls()).toBe(3)
  })

  // spec L4.19
  test('of somebody who has to accept the terms goes on to them 1.4 s after the success', async () => {
    const { fixture, phone } = await logIn({ app: { requireUsersAcceptTerms: true } })
    phone.approve()
    await fixture.clock.advance(2_000)
    await fixture.clock.advance(1_399)
    expect(fixture.state(screen)).toEqual({ status: 'success' })
    await fixture.clock.advance(1)
    expect(fixture.screen()).toBe('AFFIRMATIVE_CONSENT_SCREEN')
  })

  // spec L2.30
  test('on a phone shows the way to the app instead of a code', async () => {
    const { fixture } = await logIn({ onPhone: true })
    expect(fixture.state(screen)).toEqual({ ...waiting, isPhone: true })
  })

  // spec L4.31, L8.25
  test('that nobody approves for 120 s has timed out, and Retry opens another request', async () => {
    const { fixture, phone, login, polls } = await logIn()
    await fixture.clock.advance(119_999)
    expect(fixture.state(screen)).toEqual(waiting)
    await fixture.clock.advance(1)
    expect(fixture.state(screen)).toEqual({ status: 'failed', text: 'timeout', isRetryable: true })
    expect(polls()).toBe(60)
    await fixture.clock.advance(10_000)
    expect(polls()).toBe(60)
    await fixture.press(screen, 'retry')
    expect(fixture.transport.calls('beginFarcaster')).toHaveLength(2)
    expect(fixture.state(screen)).toEqual(waiting)
    phone.approve()
    await fixture.clock.advance(2_000)
    expect(login.value).toMatchObject({ loginMethod: 'farcaster' })
  })

  test('on a phone that slept meanwhile asks once more before it has timed out', async () => {
    const { fixture, phone, login } = await logIn({ onPhone: true })
    await fixture.clock.advance(3_000)
    phone.approve()
    fixture.clock.sleep(600_000)
    await fixture.clock.advance(2_000)
    expect(login.value).toMatchObject({ loginMethod: 'farcaster' })
  })

  test('goes on where a question was not answered, and only the time ends it', async () => {
    const { fixture, phone } = await logIn()
    phone.failing(refused('unavailable', 503))
    await fixture.clock.advance(118_000)
    expect(fixture.state(screen)).toEqual(waiting)
    phone.failing(undefined)
    phone.approve()
    await fixture.clock.advance(2_000)
    expect(fixture.state(screen)).toEqual({ status: 'success' })
  })

  test('whose last question is never answered has timed out 2 s later', async () => {
    let asked = 0
    const { fixture } = await logIn({
      answers: {
        farcasterStatus() {
          asked += 1
          return asked < 60 ? { state: 'pending', nonce: 'nonce-1' } : new Promise(() => {})
        },
      },
    })
    await fixture.clock.advance(121_999)
    expect(asked).toBe(60)
    expect(fixture.state(screen)).toEqual(waiting)
    await fixture.clock.advance(1)
    expect(fixture.state(screen)).toMatchObject({ status: 'failed', text: 'timeout' })
  })

  test('says that it connects only where that takes 150 ms', async () => {
    const begun = Promise.withResolvers<{ channelToken: string; connectUri: string }>()
    const { fixture } = await logIn({ answers: { beginFarcaster: () => begun.promise } })
    await fixture.clock.advance(149)
    expect(fixture.screen()).toBe('LANDING')
    await fixture.clock.advance(1)
    expect(fixture.state(screen)).toEqual({ status: 'opening' })
    begun.resolve({ channelToken: 'channel-1', connectUri })
    await settle()
    expect(fixture.state(screen)).toEqual(waiting)
    await fixture.back()
    expect(fixture.screen()).toBe('LANDING')
  })

  test.each(['answered', 'refused'] as const)(
    'that the user goes back from while it connects shows nothing when that is %s',
    async (how) => {
      const begun = Promise.withResolvers<{ channelToken: string; connectUri: string }>()
      const { fixture, polls } = await logIn({ answers: { beginFarcaster: () => begun.promise } })
      await fixture.clock.advance(150)
      await fixture.back()
      if (how === 'answered') begun.resolve({ channelToken: 'channel-1', connectUri })
      else begun.reject(refused('unavailable', 503))
      await fixture.clock.advance(2_000)
      expect(fixture.screen()).toBe('LANDING')
      expect(polls()).toBe(0)
    },
  )

  test('that the user goes back from while a question is under way logs nobody in, whatever is answered', async () => {
    const answered = Promise.withResolvers<typeof completed>()
    const { fixture } = await logIn({ answers: { farcasterStatus: () => answered.promise } })
    await fixture.clock.advance(2_000)
    await fixture.back()
    answered.resolve(completed)
    await settle()
    expect(fixture.transport.calls('loginWithFarcaster')).toEqual([])
    expect(fixture.screen()).toBe('LANDING')
  })

  test('that the user goes back from asks nothing more, and the next one is another', async () => {
    const { fixture, phone, login, polls } = await logIn()
    await fixture.clock.advance(2_000)
    await fixture.back()
    expect(fixture.screen()).toBe('LANDING')
    phone.approve()
    await fixture.clock.advance(120_000)
    expect(polls()).toBe(1)
    expect(fixture.transport.calls('loginWithFarcaster')).toEqual([])
    await fixture.enter(FARCASTER, 'choose')
    expect(fixture.transport.calls('beginFarcaster')).toHaveLength(2)
    await fixture.clock.advance(2_000)
    expect(login.value).toMatchObject({ loginMethod: 'farcaster' })
  })

  test('that the user left and began again asks for the second request alone', async () => {
    const { fixture, polls } = await logIn()
    await fixture.back()
    await fixture.enter(FARCASTER, 'choose')
    await fixture.clock.advance(2_000)
    expect(polls()).toBe(1)
  })

  test('whose card is closed asks nothing more', async () => {
    const { fixture, login, polls } = await logIn()
    await fixture.close()
    await fixture.clock.advance(10_000)
    expect(polls()).toBe(0)
    expect(login.error).toMatchObject({ code: 'exited_auth_flow' })
  })

  // spec L8.21, L8.22, L8.23, L8.24, L8.25
  test.each([
    ['linked_to_another_user', 'linked', false],
    ['invalid_credentials', 'credentials', true],
    ['too_many_requests', 'limit', false],
    ['client_request_timeout', 'timeout', true],
    ['cannot_link_more_of_type', 'onlyOne', false],
    ['disallowed_login_method', 'notAllowed', false],
    ['invalid_message', 'unexpected', true],
    ['internal_error', 'unexpected', true],
  ] as const)('at %s says %s', async (code, text, isRetryable) => {
    const { fixture, phone } = await logIn({
      answers: { loginWithFarcaster: throwing(refused(code, 400)) },
    })
    phone.approve()
    await fixture.clock.advance(2_000)
    expect(fixture.state(screen)).toEqual({ status: 'failed', text, isRetryable })
    await fixture.press(screen, isRetryable ? 'retry' : 'leave')
    if (isRetryable) expect(fixture.state(screen)).toEqual(waiting)
    else expect(fixture.screen()).toBe('LANDING')
  })

  test('that the relay has forgotten ends at once', async () => {
    const { fixture, phone, polls } = await logIn()
    phone.failing(refused('invalid_credentials', 422))
    await fixture.clock.advance(2_000)
    expect(fixture.state(screen)).toEqual({ status: 'failed', text: 'credentials', isRetryable: true })
    await fixture.clock.advance(10_000)
    expect(polls()).toBe(1)
  })

  test('that does not begin goes to ERROR_SCREEN, and back to LANDING', async () => {
    const { fixture } = await logIn({
      answers: { beginFarcaster: throwing(refused('too_many_requests', 429)) },
    })
    expect(readCard(fixture)).toEqual(expect.arrayContaining(['Request failed', 'Too many attempts.']))
    await fixture.back()
    expect(fixture.screen()).toBe('LANDING')
  })

  test('of somebody who may not come in shows the screen for that', async () => {
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
  test('begins with the token, and another try with another', async () => {
    const { fixture, captcha } = await logIn({ hasCaptcha: true })
    expect(fixture.transport.calls('beginFarcaster')).toEqual([])
    await captcha.decide({ token: 'first' })
    expect(fixture.state(screen)).toEqual(waiting)
    await fixture.clock.advance(120_000)
    await fixture.press(screen, 'retry')
    await captcha.decide({ token: 'second' })
    expect(fixture.transport.calls('beginFarcaster').map(({ body }) => body)).toEqual([
      { origin: fixture.settings().hostOrigin, token: 'first' },
      { origin: fixture.settings().hostOrigin, token: 'second' },
    ])
  })

  test('that the user goes back from begins nothing', async () => {
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
    return { fixture, phone, captcha, linked }
  }
  type Fixture = Awaited<ReturnType<typeof openLink>>['fixture']
  const choose = (fixture: Fixture) => fixture.enter(0, 'choose')

  // spec L1.6
  test('is linked as it logs in, which the host hears', async () => {
    const { fixture, phone, linked } = await openLink({ linkFarcaster: () => both })
    expect(fixture.entry(0)).toEqual({ isAlone: true })
    await choose(fixture)
    phone.approve()
    await fixture.clock.advance(2_000)
    expect(fixture.transport.calls('linkFarcaster')[0]).toMatchObject({
      body: { channelToken: 'channel-1', ...signed },
      token: expect.any(String),
    })
    expect(fixture.state(screen)).toEqual({ status: 'success' })
    expect(linked.value).toMatchObject({ user: { linkedAccounts: both.linkedAccounts } })
  })

  // spec L4.15
  test('is linked with the token of a captcha, although the user is logged in', async () => {
    const { fixture, captcha } = await openLink({}, true)
    await choose(fixture)
    expect(captcha.asked).toHaveLength(1)
    expect(fixture.transport.calls('beginFarcaster')).toEqual([])
    await captcha.decide({ token: 'passed' })
    expect(fixture.transport.calls('beginFarcaster')).toMatchObject([{ body: { token: 'passed' } }])
  })

  // spec L8.22
  test('of another user is not linked, which the host hears once the user leaves', async () => {
    const { fixture, phone, linked } = await openLink({
      linkFarcaster: throwing(refused('linked_to_another_user', 400)),
    })
    await choose(fixture)
    phone.approve()
    await fixture.clock.advance(2_000)
    expect(fixture.state(screen)).toEqual({ status: 'failed', text: 'linked', isRetryable: false })
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
    expect(fixture.state('UNLINK_SCREEN')).toMatchObject({ method: 'farcaster', name: 'ada' })
    await fixture.press('UNLINK_SCREEN', 'unlink')
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
