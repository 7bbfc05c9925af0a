import { describe, expect, test } from 'vitest'
import { settle } from '../../testing/clock.ts'
import { type Answers, type FixtureOptions, makeFixture, refused } from '../../testing/fixture.ts'
import { makeAuthAnswer, visitorUser } from '../../testing/fixtures.ts'
import { renderDialog, submitEmail } from '../../testing/page.tsx'
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
  void fixture.dialog.runStandalone()
  await settle()
  return { fixture, posted }
}
type Opened = Awaited<ReturnType<typeof open>>

async function logIn({ fixture }: Opened) {
  const page = await submitEmail(fixture, 'ada@example.org')
  await page.type('Digit 1 of 6', '123456')
}

describe('the page on which a user logs in to connect a wallet', () => {
  test('hands the login over to the page of the wallet, by a form, with what that page asked with', async () => {
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
    expect(opened.fixture.state('AUTHORIZE_SCREEN')).toEqual({ status: 'going' })
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
    await renderDialog(opened.fixture).press('Accept')
    await opened.fixture.clock.advance(2_500)
    expect(opened.posted).toHaveLength(1)
  })

  test('leaves notices of other logins to the next login, so that nothing stands before the wallet', async () => {
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
    'says that it could not hand over (%s), and begins anew with a login',
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
      const { fixture, posted } = opened
      await logIn(opened)
      expect(fixture.state('AUTHORIZE_SCREEN')).toEqual({ status: 'failed', isLate })
      expect(posted).toEqual([])
      isRefusing = false
      await fixture.press('AUTHORIZE_SCREEN', 'again')
      await fixture.clock.advance(200)
      expect(fixture.session.state().status).toBe('visitor')
      expect(fixture.screen()).toBe('LANDING')
      await logIn(opened)
      expect(posted).toHaveLength(1)
    },
  )

  test('says so where the page of the wallet does not come within 15 s', async () => {
    const opened = await open()
    await logIn(opened)
    await opened.fixture.clock.advance(14_999)
    expect(opened.fixture.state('AUTHORIZE_SCREEN')).toEqual({ status: 'going' })
    await opened.fixture.clock.advance(1)
    expect(opened.fixture.state('AUTHORIZE_SCREEN')).toEqual({ status: 'failed', isLate: false })
    await opened.fixture.press('AUTHORIZE_SCREEN', 'again')
    await opened.fixture.clock.advance(200)
    expect(opened.fixture.screen()).toBe('LANDING')
  })

  test('hands no login over that gave no secret', async () => {
    const opened = await open({ answers: { loginWithEmailCode: () => makeAuthAnswer() } })
    await logIn(opened)
    expect(opened.fixture.state('AUTHORIZE_SCREEN')).toMatchObject({ status: 'failed' })
    expect(opened.fixture.transport.calls('createHandover')).toEqual([])
  })

  test('asks for no login where no page of a wallet has opened it', async () => {
    const { fixture } = await open({ state: undefined })
    expect(fixture.state('AUTHORIZE_SCREEN')).toEqual({ status: 'alone' })
    expect(await fixture.texts()).toContain('Start in the other app')
    expect(fixture.transport.sent).toEqual([])
  })
})
