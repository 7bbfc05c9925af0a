import { LatchkeyError, type UserRecord } from '@latchkey/protocol'
import { describe, expect, test } from 'vitest'
import type { HostPage } from '../../browser/ports.ts'
import { settle } from '../../testing/clock.ts'
import { type FixtureOptions, makeFixture, refused, watch } from '../../testing/fixture.ts'
import { makeAuthAnswer, makeToken, visitorUser, walletUser } from '../../testing/fixtures.ts'
import { renderDialog } from '../../testing/page.tsx'

const times = { verifiedAt: 1, firstVerifiedAt: 1, latestVerifiedAt: 1 }
const makeUser = (subject: string): UserRecord => ({
  ...visitorUser,
  id: `user-${subject}`,
  linkedAccounts: [{ type: 'custom_auth', customUserId: subject, ...times }],
})
const answerFor = (user: UserRecord, jti = 'first') =>
  makeAuthAnswer({ user, token: makeToken({ sub: user.id, jti }) })
const ada = makeUser('ada')
const ben = makeUser('ben')

/** A page that returns these results of `getToken` in order, and the last one from then on. */
function makePage(...results: readonly unknown[]) {
  const requests: unknown[] = []
  const page: HostPage = {
    findWallets: async () => ({ wallets: [] }),
    async request(request) {
      requests.push(request)
      const result = results[Math.min(requests.length, results.length) - 1]
      return (await (typeof result === 'function' ? result() : { result })) as never
    },
  }
  return { page, requests }
}

/** A dialog in a page with these tokens. The tokens are the subjects that the server finds in them. */
async function open(tokens: readonly unknown[], options: FixtureOptions = {}) {
  const { page, requests } = makePage(...tokens)
  const users: Record<string, UserRecord> = { ada, ben }
  const fixture = await makeFixture({
    page,
    ...options,
    answers: {
      logout: () => ({ success: true }),
      confirmCustomJwt: ({ token }, session) => ({
        isSameUser: session === answerFor(makeUser(token)).token,
      }),
      loginWithCustomJwt({ token }) {
        const user = users[token]
        if (!user) throw refused('missing_or_invalid_token', 401)
        return answerFor(user)
      },
      me: () => ada,
      ...options.answers,
    },
  })
  await fixture.session.start()
  const { hostLogin, logIn } = fixture.dialog
  const follow = async () => (await hostLogin()).follow()
  const login = async () => (await hostLogin()).logIn({ signal: new AbortController().signal })
  const userId = () => {
    const state = fixture.session.state()
    return state.status === 'authenticated' ? state.user.id : null
  }
  return { ...fixture, requests, follow, login, logIn, userId }
}
const token = 'latchkey_getToken'

test("logs in the page's user at the start, without a screen", async () => {
  const { follow, requests, userId, screen, events, wallet } = await open(['ada'])
  await follow()
  expect(requests).toEqual([{ wallet: 'page', method: token, params: [] }])
  expect(userId()).toBe(ada.id)
  expect(screen()).toBeUndefined()
  expect(events).toContain('sdk_authenticate')
  expect(wallet.log).toContain('prepareOperation')
})

test('keeps the session of the same subject, without a second login', async () => {
  const { follow, session, userId, transport } = await open(['ada'])
  session.accept(answerFor(ada))
  await follow()
  expect(userId()).toBe(ada.id)
  expect(transport.calls('confirmCustomJwt')).toMatchObject([{ body: { token: 'ada' } }])
  expect(transport.calls('loginWithCustomJwt')).toEqual([])
})

test('ends the session if no user is logged in to the page', async () => {
  const { follow, session, userId, transport } = await open([null])
  session.accept(answerFor(ada))
  await follow()
  expect(userId()).toBeNull()
  expect(transport.calls('logout')).toHaveLength(1)
})

test('ends the session of another subject, and starts a new one', async () => {
  const { follow, session, userId, transport } = await open(['ben'])
  session.accept(answerFor(ada))
  await follow()
  expect(userId()).toBe(ben.id)
  expect(transport.sent.map(({ name }) => name).filter((name) => name !== 'analyticsEvent')).toEqual([
    'confirmCustomJwt',
    'logout',
    'loginWithCustomJwt',
  ])
})

test('ends the session and reports the code if the server refuses the token', async () => {
  const { follow, session, userId, pageHeard } = await open(['expired'])
  session.accept(answerFor(ada))
  await follow()
  expect(userId()).toBeNull()
  expect(pageHeard).toMatchObject([{ name: 'hostLoginFailed', data: { code: 'missing_or_invalid_token' } }])
})

test.each([
  ['throws', () => Promise.reject(new Error('offline'))],
  ['returns a number', 7],
  ['returns an object', { token: 'ada' }],
  ['returns nothing', undefined],
  ['returns an empty text', ''],
  ['returns a token of 5,000 characters', 'x'.repeat(5_000)],
])('keeps the session and reports host_login_failed if the page %s', async (_what, result) => {
  const { follow, login, session, userId, pageHeard, transport } = await open([result])
  session.accept(answerFor(ada))
  await follow()
  expect(userId()).toBe(ada.id)
  expect(pageHeard).toMatchObject([{ name: 'hostLoginFailed', data: { code: 'host_login_failed' } }])
  await expect(login()).rejects.toMatchObject({ code: 'host_login_failed' })
  expect(transport.calls('loginWithCustomJwt')).toEqual([])
})

test('waits ten seconds for a page that does not answer', async () => {
  const { follow, clock, pageHeard } = await open([() => new Promise(() => {})])
  const followed = watch(follow())
  await clock.advance(9_999)
  expect([followed.settled, pageHeard]).toEqual([false, []])
  await clock.advance(1)
  expect(followed.settled).toBe(true)
  expect(pageHeard).toMatchObject([{ data: { code: 'host_login_failed' } }])
})

test('lets the calls of the page continue after fifteen seconds if the server does not answer', async () => {
  const loginWithCustomJwt = () => new Promise<never>(() => {})
  const { follow, clock } = await open(['ada'], { answers: { loginWithCustomJwt } })
  const followed = watch(follow())
  await clock.advance(14_999)
  expect(followed.settled).toBe(false)
  await clock.advance(1)
  expect(followed.settled).toBe(true)
})

test('keeps the session if the server cannot verify the token now', async () => {
  const confirmCustomJwt = () => {
    throw refused('unavailable', 503)
  }
  const { follow, session, userId, pageHeard } = await open(['ada'], { answers: { confirmCustomJwt } })
  session.accept(answerFor(ada))
  await follow()
  expect(userId()).toBe(ada.id)
  expect(pageHeard).toMatchObject([{ data: { code: 'unavailable' } }])
})

test('checks the login of the page again when the session is renewed', async () => {
  const { follow, session, requests, userId } = await open(['ada', null])
  await follow()
  session.replaceUser({ ...ada, hasAcceptedTerms: true })
  await settle()
  expect(requests).toHaveLength(1)
  session.accept(answerFor(ada, 'renewed'))
  await settle()
  expect(requests).toHaveLength(2)
  expect(userId()).toBeNull()
})

test('login() returns the new user of the page, without the login screen', async () => {
  const { follow, login, screen } = await open([null, 'ada'])
  await follow()
  expect(await login()).toMatchObject({
    user: { id: ada.id },
    isNewUser: true,
    wasAlreadyAuthenticated: false,
    loginMethod: null,
    loginAccount: { type: 'custom_auth', customUserId: 'ada' },
  })
  expect(screen()).toBeUndefined()
})

test('login() returns the logged-in user, and another user after a change in the page', async () => {
  const { follow, login } = await open(['ada', 'ada', 'ben'])
  await follow()
  expect(await login()).toMatchObject({ user: { id: ada.id }, wasAlreadyAuthenticated: true })
  expect(await login()).toMatchObject({ user: { id: ben.id }, wasAlreadyAuthenticated: false })
})

test('login() shares one check with the start', async () => {
  const { follow, login, requests, transport } = await open(['ada'])
  const [, result] = await Promise.all([follow(), login()])
  expect(result.user.id).toBe(ada.id)
  expect(requests).toHaveLength(1)
  expect(transport.calls('loginWithCustomJwt')).toHaveLength(1)
})

test('login() rejects with host_login_absent if no user is logged in to the page', async () => {
  const { login } = await open([null])
  await expect(login()).rejects.toMatchObject({ code: 'host_login_absent' })
})

test('login() rejects with the code of the server if the token is refused', async () => {
  const { login } = await open(['of another app'])
  await expect(login()).rejects.toMatchObject({ code: 'missing_or_invalid_token' })
})

test('login() shows only the steps after a login that need the user', async () => {
  const legal = {
    requireUsersAcceptTerms: true,
    termsAndConditionsUrl: 'https://shop.example/terms',
  } as const
  const { login, screen } = await open(['ada'], { config: { legal } })
  watch(login())
  await settle()
  expect(screen()).toBe('AFFIRMATIVE_CONSENT_SCREEN')
})

test('creates the wallet of a new user silently', async () => {
  const { login, wallet, screen } = await open(['ada'], {
    config: { embeddedWallets: { createOnLogin: 'all-users' } },
    answers: { me: () => ({ ...walletUser, id: ada.id }) },
  })
  await login()
  expect(wallet.log).toContain('create')
  expect(screen()).toBeUndefined()
})

describe('a wallet call of a session without a device', () => {
  const openWithoutDevice = async (tokens: readonly unknown[]) => {
    let isBound = false
    const owner = { ...ada, linkedAccounts: [...ada.linkedAccounts, ...walletUser.linkedAccounts] }
    const opened = await open(['ada', ...tokens], {
      answers: { loginWithCustomJwt: ({ token }) => answerFor(token === 'ada' ? owner : ben, 'again') },
      wallet: {
        acceptLogin: () => {
          isBound = true
        },
        async connect() {
          if (!isBound) throw new LatchkeyError('device_not_bound', 'Log in again')
        },
      },
    })
    opened.session.accept(answerFor(owner))
    await opened.follow()
    const page = renderDialog(opened)
    const signing = watch(opened.signMessage({ message: 'Hello' }))
    await settle()
    return { ...opened, page, signing }
  }

  test("logs in again with the page's login, without the login screen", async () => {
    const { page, signing, transport } = await openWithoutDevice(['ada'])
    await page.see('Sign message')
    await page.approve()
    expect(signing.value).toMatchObject({ signature: '0xsigned' })
    expect(transport.calls('loginWithCustomJwt')).toHaveLength(1)
  })

  test('rejects if another user is logged in to the page', async () => {
    const { signing, wallet } = await openWithoutDevice(['ben'])
    expect(signing.error).toMatchObject({ code: 'must_be_authenticated' })
    expect(wallet.log).not.toContain('sign Hello')
  })

  test('ends the session if no user is logged in to the page', async () => {
    const { signing, userId } = await openWithoutDevice([null])
    expect(signing.error).toMatchObject({ code: 'must_be_authenticated' })
    expect(userId()).toBeNull()
  })
})

test('cancels the check when the caller of login() aborts', async () => {
  const { dialog, transport } = await open([() => new Promise(() => {})])
  const caller = new AbortController()
  const login = (await dialog.hostLogin()).logIn({ signal: caller.signal })
  caller.abort()
  await expect(login).rejects.toMatchObject({ code: 'call_cancelled' })
  expect(transport.calls('loginWithCustomJwt')).toEqual([])
})
