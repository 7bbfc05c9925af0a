import { describe, expect, test } from 'vitest'
import { settle } from '../../testing/clock.ts'
import { type Answers, type FixtureOptions, makeFixture, refused } from '../../testing/fixture.ts'
import { makeAuthAnswer, visitorUser } from '../../testing/fixtures.ts'
import { renderDialog } from '../../testing/page.tsx'
import { capabilities } from '../index.ts'
import { authorizeOn } from './authorize.ts'

const ok = () => ({ success: true }) as const
const code = 'c29tZS1jb2Rl'
const secret = 'c29tZS1zZWNyZXQ'
const state = 's'.repeat(48)

type Posted = { address: string; fields: Readonly<Record<string, string>> }

async function open(change: FixtureOptions & { state?: string | undefined } = {}) {
  const posted: Posted[] = []
  let held: string | undefined
  const answers: Answers = {
    sendEmailCode: ok,
    loginWithEmailCode: () => makeAuthAnswer({ deviceSecret: secret }),
    createHandover: () => ({ code, expiresInSeconds: 60 }),
    acceptTerms: () => ({ ...visitorUser, hasAcceptedTerms: true }),
    me: () => visitorUser,
    logout: ok,
    ...change.answers,
  }
  const here = authorizeOn({
    state: 'state' in change ? change.state : state,
    takeSecret() {
      const taken = held
      held = undefined
      return taken
    },
    post: (address, fields) => void posted.push({ address, fields }),
  })
  const fixture = await makeFixture({
    standalone: true,
    ...change,
    answers,
    capabilities: [here, ...capabilities.filter(({ name }) => name !== 'authorize')],
    wallet: {
      acceptLogin(_said, { deviceSecret }) {
        held = deviceSecret
      },
    },
  })
  const page = renderDialog(fixture)
  void fixture.dialog.runStandalone()
  await settle()
  return { fixture, page, posted }
}
type Opened = Awaited<ReturnType<typeof open>>

async function logIn({ page }: Opened) {
  await page.fill('E-mail', 'ada@example.org')
  await page.press('Submit e-mail address')
  await page.type('Digit 1 of 6', '123456')
}
const going = 'You are logged in'
const failed = 'Your wallet did not open'

describe('the authorization page', () => {
  test('hands the login over to the wallet page by a form, with the state of that page', async () => {
    const opened = await open()
    expect(opened.fixture.screen()).toBe('LANDING')
    expect(opened.fixture.view()).toMatchObject({ open: true, header: { close: false, back: false } })
    await logIn(opened)
    expect(opened.fixture.transport.calls('createHandover')).toMatchObject([{ body: { secret } }])
    expect(opened.posted).toEqual([
      {
        address: 'http://wallet.localhost:4000/apps/lkdemo0000000000000000001/cross-app/session',
        fields: { code, state, user: 'user-1' },
      },
    ])
    await opened.page.see(going)
    expect(opened.fixture.view()).toMatchObject({ header: { close: false, back: false } })
  })

  test('names no vault with the login', async () => {
    const opened = await open()
    await logIn(opened)
    expect(opened.fixture.transport.calls('loginWithEmailCode')[0]?.body).toEqual({
      email: 'ada@example.org',
      code: '123456',
    })
  })

  test('hands nothing over before the terms are accepted', async () => {
    const opened = await open({ app: { requireUsersAcceptTerms: true } })
    await logIn(opened)
    await opened.fixture.clock.advance(2_500)
    expect(opened.fixture.screen()).toBe('AFFIRMATIVE_CONSENT_SCREEN')
    expect(opened.fixture.transport.calls('createHandover')).toEqual([])
    await opened.page.press('Accept')
    await opened.fixture.clock.advance(2_500)
    expect(opened.posted).toHaveLength(1)
  })

  test('shows no notices of other logins, which the next login shows', async () => {
    const opened = await open({
      answers: { loginWithEmailCode: () => makeAuthAnswer({ deviceSecret: secret, hasNotices: true }) },
    })
    await logIn(opened)
    await opened.fixture.clock.advance(2_500)
    expect(opened.fixture.transport.calls('loginNotices')).toEqual([])
    expect(opened.fixture.screen()).toBe('AUTHORIZE_SCREEN')
  })

  test.each([
    ['internal_error', 500, false],
    ['device_not_bound', 400, true],
  ] as const)(
    'shows that the handover failed (%s), and starts again with a login',
    async (why, status, isLate) => {
      let isRefusing = true
      const opened = await open({
        answers: {
          createHandover() {
            if (isRefusing) throw refused(why, status)
            return { code, expiresInSeconds: 60 }
          },
        },
      })
      const { fixture, page, posted } = opened
      await logIn(opened)
      await page.see(failed)
      expect(page.has(/^More than a minute has passed/)).toBe(isLate)
      expect(page.has('Nothing was connected. Log in again to continue.')).toBe(!isLate)
      expect(posted).toEqual([])
      isRefusing = false
      await page.press('Log in again')
      await fixture.clock.advance(200)
      expect(fixture.session.state().status).toBe('visitor')
      expect(fixture.screen()).toBe('LANDING')
      await logIn(opened)
      expect(posted).toHaveLength(1)
    },
  )

  test('shows a failure if the wallet page does not load within 15 s', async () => {
    const opened = await open()
    await logIn(opened)
    await opened.fixture.clock.advance(14_999)
    expect(opened.page.has(going)).toBe(true)
    await opened.fixture.clock.advance(1)
    await opened.page.see('Nothing was connected. Log in again to continue.')
    await opened.page.press('Log in again')
    await opened.fixture.clock.advance(200)
    expect(opened.fixture.screen()).toBe('LANDING')
  })

  test('hands over no login without a secret', async () => {
    const opened = await open({ answers: { loginWithEmailCode: () => makeAuthAnswer() } })
    await logIn(opened)
    await opened.page.see(failed)
    expect(opened.fixture.transport.calls('createHandover')).toEqual([])
  })

  test('requests no login if no wallet page opened it', async () => {
    const { fixture, page } = await open({ state: undefined })
    await page.see('Start in the other app')
    expect(fixture.transport.sent).toEqual([])
  })
})
