import type { AppConfig, UserRecord } from '@latchkey/protocol'
import { describe, expect, test } from 'vitest'
import { hasApp } from '../../phone-app/phone-app.ts'
import { makeDecidedCaptcha } from '../../testing/captcha.ts'
import { settle } from '../../testing/clock.ts'
import { makeAuthAnswer, visitorUser } from '../../testing/fixtures.ts'
import { pressIn } from '../../testing/press.ts'
import { type Answers, makeBrowser, makeWorld, refused, watch } from '../../testing/world.ts'
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
  readonly answers?: Answers
  readonly app?: Partial<AppConfig>
  readonly hasCaptcha?: boolean
  readonly onPhone?: boolean
}

async function open({ answers = {}, app = {}, hasCaptcha = false, onPhone = false }: Options) {
  const phone = makePhone()
  const own = farcasterOn({ isPhone: onPhone })
  const captcha = makeDecidedCaptcha()
  const withOwn = capabilities.map((each) => (each.name === 'farcaster' ? own : each))
  const world = await makeWorld({
    answers: { ...phone.answers, ...answers },
    app: { emailAuth: true, farcasterAuth: true, ...app },
    capabilities: hasCaptcha ? captcha.behind(withOwn) : withOwn,
    browser: makeBrowser(),
  })
  return { world, phone, captcha }
}

const FARCASTER = 1
async function logIn(options: Options = {}) {
  const { world, phone, captcha } = await open(options)
  const login = watch(world.login())
  await settle()
  await world.enter(FARCASTER, 'choose')
  return { world, phone, captcha, login, polls: () => world.transport.calls('farcasterStatus').length }
}

const throwing = (error: Error) => () => {
  throw error
}

describe('a login with Farcaster', () => {
  // spec L1.6, L2.30, L4.31, L7.31, L7.38
  test('shows a code for a phone, asks every 2 s until it has approved, and closes 1.4 s after the success', async () => {
    const { world, phone, login, polls } = await logIn()
    expect(world.transport.calls('beginFarcaster')[0]?.body).toEqual({ origin: world.settings().hostOrigin })
    expect(world.state(screen)).toEqual(waiting)
    await world.clock.advance(1_999)
    expect(polls()).toBe(0)
    await world.clock.advance(1)
    expect(polls()).toBe(1)
    expect(world.transport.calls('farcasterStatus')[0]?.headers).toEqual({
      'farcaster-channel-token': 'channel-1',
    })
    await world.clock.advance(2_000)
    expect(polls()).toBe(2)
    expect(world.state(screen)).toEqual(waiting)
    phone.approve()
    await world.clock.advance(2_000)
    expect(world.transport.calls('loginWithFarcaster')[0]?.body).toEqual({
      channelToken: 'channel-1',
      ...signed,
    })
    expect(world.state(screen)).toEqual({ status: 'success' })
    expect(login.value).toMatchObject({ loginMethod: 'farcaster', loginAccount: account, isNewUser: false })
    expect(world.events).toContain('sdk_authenticate')
    await world.clock.advance(1_399)
    expect(world.frame).toEqual(['show'])
    await world.clock.advance(1 + 200)
    expect(world.frame).toEqual(['show', 'hide'])
    expect(polls()).toBe(3)
  })

  // spec L4.19
  test('of somebody who has to accept the terms goes on to them 1.4 s after the success', async () => {
    const { world, phone } = await logIn({ app: { requireUsersAcceptTerms: true } })
    phone.approve()
    await world.clock.advance(2_000)
    await world.clock.advance(1_399)
    expect(world.state(screen)).toEqual({ status: 'success' })
    await world.clock.advance(1)
    expect(world.screen()).toBe('AFFIRMATIVE_CONSENT_SCREEN')
  })

  // spec L2.30
  test('on a phone shows the way to the app instead of a code', async () => {
    const { world } = await logIn({ onPhone: true })
    expect(world.state(screen)).toEqual({ ...waiting, isPhone: true })
  })

  // spec L4.31, L8.25
  test('that nobody approves for 120 s has timed out, and Retry opens another request', async () => {
    const { world, phone, login, polls } = await logIn()
    await world.clock.advance(119_999)
    expect(world.state(screen)).toEqual(waiting)
    await world.clock.advance(1)
    expect(world.state(screen)).toEqual({ status: 'failed', text: 'timeout', isRetryable: true })
    expect(polls()).toBe(60)
    await world.clock.advance(10_000)
    expect(polls()).toBe(60)
    await world.press(screen, 'retry')
    expect(world.transport.calls('beginFarcaster')).toHaveLength(2)
    expect(world.state(screen)).toEqual(waiting)
    phone.approve()
    await world.clock.advance(2_000)
    expect(login.value).toMatchObject({ loginMethod: 'farcaster' })
  })

  test('on a phone that slept meanwhile asks once more before it has timed out', async () => {
    const { world, phone, login } = await logIn({ onPhone: true })
    await world.clock.advance(3_000)
    phone.approve()
    world.clock.sleep(600_000)
    await world.clock.advance(2_000)
    expect(login.value).toMatchObject({ loginMethod: 'farcaster' })
  })

  test('goes on where a question was not answered, and only the time ends it', async () => {
    const { world, phone } = await logIn()
    phone.failing(refused('unavailable', 503))
    await world.clock.advance(118_000)
    expect(world.state(screen)).toEqual(waiting)
    phone.failing(undefined)
    phone.approve()
    await world.clock.advance(2_000)
    expect(world.state(screen)).toEqual({ status: 'success' })
  })

  test('whose last question is never answered has timed out 2 s later', async () => {
    let asked = 0
    const { world } = await logIn({
      answers: {
        farcasterStatus() {
          asked += 1
          return asked < 60 ? { state: 'pending', nonce: 'nonce-1' } : new Promise(() => {})
        },
      },
    })
    await world.clock.advance(121_999)
    expect(asked).toBe(60)
    expect(world.state(screen)).toEqual(waiting)
    await world.clock.advance(1)
    expect(world.state(screen)).toMatchObject({ status: 'failed', text: 'timeout' })
  })

  test('says that it connects only where that takes 150 ms', async () => {
    const begun = Promise.withResolvers<{ channelToken: string; connectUri: string }>()
    const { world } = await logIn({ answers: { beginFarcaster: () => begun.promise } })
    await world.clock.advance(149)
    expect(world.screen()).toBe('LANDING')
    await world.clock.advance(1)
    expect(world.state(screen)).toEqual({ status: 'opening' })
    begun.resolve({ channelToken: 'channel-1', connectUri })
    await settle()
    expect(world.state(screen)).toEqual(waiting)
    await world.back()
    expect(world.screen()).toBe('LANDING')
  })

  test.each(['answered', 'refused'] as const)(
    'that the user goes back from while it connects shows nothing when that is %s',
    async (how) => {
      const begun = Promise.withResolvers<{ channelToken: string; connectUri: string }>()
      const { world, polls } = await logIn({ answers: { beginFarcaster: () => begun.promise } })
      await world.clock.advance(150)
      await world.back()
      if (how === 'answered') begun.resolve({ channelToken: 'channel-1', connectUri })
      else begun.reject(refused('unavailable', 503))
      await world.clock.advance(2_000)
      expect(world.screen()).toBe('LANDING')
      expect(polls()).toBe(0)
    },
  )

  test('that the user goes back from while a question is under way logs nobody in, whatever is answered', async () => {
    const answered = Promise.withResolvers<typeof completed>()
    const { world } = await logIn({ answers: { farcasterStatus: () => answered.promise } })
    await world.clock.advance(2_000)
    await world.back()
    answered.resolve(completed)
    await settle()
    expect(world.transport.calls('loginWithFarcaster')).toEqual([])
    expect(world.screen()).toBe('LANDING')
  })

  test('that the user goes back from asks nothing more, and the next one is another', async () => {
    const { world, phone, login, polls } = await logIn()
    await world.clock.advance(2_000)
    await world.back()
    expect(world.screen()).toBe('LANDING')
    phone.approve()
    await world.clock.advance(120_000)
    expect(polls()).toBe(1)
    expect(world.transport.calls('loginWithFarcaster')).toEqual([])
    await world.enter(FARCASTER, 'choose')
    expect(world.transport.calls('beginFarcaster')).toHaveLength(2)
    await world.clock.advance(2_000)
    expect(login.value).toMatchObject({ loginMethod: 'farcaster' })
  })

  test('that the user left and began again asks for the second request alone', async () => {
    const { world, polls } = await logIn()
    await world.back()
    await world.enter(FARCASTER, 'choose')
    await world.clock.advance(2_000)
    expect(polls()).toBe(1)
  })

  test('whose card is closed asks nothing more', async () => {
    const { world, login, polls } = await logIn()
    await world.close()
    await world.clock.advance(10_000)
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
    const { world, phone } = await logIn({
      answers: { loginWithFarcaster: throwing(refused(code, 400)) },
    })
    phone.approve()
    await world.clock.advance(2_000)
    expect(world.state(screen)).toEqual({ status: 'failed', text, isRetryable })
    await world.press(screen, isRetryable ? 'retry' : 'leave')
    if (isRetryable) expect(world.state(screen)).toEqual(waiting)
    else expect(world.screen()).toBe('LANDING')
  })

  test('that the relay has forgotten ends at once', async () => {
    const { world, phone, polls } = await logIn()
    phone.failing(refused('invalid_credentials', 422))
    await world.clock.advance(2_000)
    expect(world.state(screen)).toEqual({ status: 'failed', text: 'credentials', isRetryable: true })
    await world.clock.advance(10_000)
    expect(polls()).toBe(1)
  })

  test('that does not begin goes to ERROR_SCREEN, and back to LANDING', async () => {
    const { world } = await logIn({
      answers: { beginFarcaster: throwing(refused('too_many_requests', 429)) },
    })
    expect(world.state('ERROR_SCREEN')).toMatchObject({
      title: 'Request failed',
      detail: 'Too many attempts.',
    })
    await world.press('ERROR_SCREEN', 'retry')
    expect(world.screen()).toBe('LANDING')
  })

  test('of somebody who may not come in shows the screen for that', async () => {
    const { world, phone } = await logIn({
      answers: { loginWithFarcaster: throwing(refused('allowlist_rejected', 401)) },
    })
    phone.approve()
    await world.clock.advance(2_000)
    expect(world.screen()).toBe('ALLOWLIST_REJECTION_SCREEN')
  })
})

describe('a login with Farcaster behind a captcha', () => {
  // spec L4.13
  test('begins with the token, and another try with another', async () => {
    const { world, captcha } = await logIn({ hasCaptcha: true })
    expect(world.transport.calls('beginFarcaster')).toEqual([])
    await captcha.decide({ token: 'first' })
    expect(world.state(screen)).toEqual(waiting)
    await world.clock.advance(120_000)
    await world.press(screen, 'retry')
    await captcha.decide({ token: 'second' })
    expect(world.transport.calls('beginFarcaster').map(({ body }) => body)).toEqual([
      { origin: world.settings().hostOrigin, token: 'first' },
      { origin: world.settings().hostOrigin, token: 'second' },
    ])
  })

  test('that the user goes back from begins nothing', async () => {
    const { world, captcha } = await logIn({ hasCaptcha: true })
    await captcha.decide(undefined)
    expect(world.screen()).toBe('LANDING')
    expect(world.transport.calls('beginFarcaster')).toEqual([])
  })
})

describe('an account of Farcaster', () => {
  async function openLink(answers: Answers) {
    const { world, phone } = await open({ answers: { me: () => visitorUser, ...answers } })
    await world.session.start()
    world.session.accept(makeAuthAnswer({ user: visitorUser }))
    await settle()
    const linked = watch(world.link('farcaster'))
    await settle()
    return { world, phone, linked }
  }
  type World = Awaited<ReturnType<typeof openLink>>['world']
  const entryOf = (world: World) => world.state('LINK_ACCOUNT_SCREEN').entries[0]
  async function choose(world: World) {
    const entry = entryOf(world)
    if (entry) pressIn(entry, 'choose', [])
    await settle()
  }

  // spec L1.6
  test('is linked as it logs in, which the host hears', async () => {
    const { world, phone, linked } = await openLink({ linkFarcaster: () => both })
    expect(entryOf(world)?.state).toEqual({ isAlone: true })
    await choose(world)
    phone.approve()
    await world.clock.advance(2_000)
    expect(world.transport.calls('linkFarcaster')[0]).toMatchObject({
      body: { channelToken: 'channel-1', ...signed },
      token: expect.any(String),
    })
    expect(world.state(screen)).toEqual({ status: 'success' })
    expect(linked.value).toMatchObject({ user: { linkedAccounts: both.linkedAccounts } })
  })

  // spec L8.22
  test('of another user is not linked, which the host hears once the user leaves', async () => {
    const { world, phone, linked } = await openLink({
      linkFarcaster: throwing(refused('linked_to_another_user', 400)),
    })
    await choose(world)
    phone.approve()
    await world.clock.advance(2_000)
    expect(world.state(screen)).toEqual({ status: 'failed', text: 'linked', isRetryable: false })
    await world.close()
    expect(linked.error).toMatchObject({ code: 'linked_to_another_user' })
  })

  // spec L7.15
  test('is unlinked by its number, under the name that the user knows', async () => {
    const { world } = await open({ answers: { me: () => both, unlinkFarcaster: () => visitorUser } })
    await world.session.start()
    world.session.accept(makeAuthAnswer({ user: both }))
    await settle()
    const unlinked = watch(world.unlink('farcaster', '7'))
    await settle()
    expect(world.state('UNLINK_SCREEN')).toMatchObject({ method: 'farcaster', name: 'ada' })
    await world.press('UNLINK_SCREEN', 'unlink')
    expect(world.transport.calls('unlinkFarcaster')[0]?.body).toEqual({ fid: 7 })
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
