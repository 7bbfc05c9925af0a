/** Users see and end their sessions, over HTTP. */
import { beforeEach, describe, expect, test } from 'vitest'
import { collectExpiryRules } from '../../kernel/capability.ts'
import { cleanUp } from '../../kernel/db/cleanup.ts'
import { forDefaultEngine, forEachEngine } from '../../kernel/db/test-engines.ts'
import { testApp, testContext } from '../../testing/context.ts'
import { sessions as capability } from './capability.ts'
import { sessionBrowserLimits } from './own-sessions.ts'
import { forkInto, type TestBrowser, type TestSession, testBrowser, testServer } from './testing/browser.ts'
import { createTokenVerifier } from './tokens/verifier.ts'

type Database = Parameters<typeof testContext>[0]

const firefox = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:153.0) Gecko/20100101 Firefox/153.0'
const safari =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Mobile/15E148 Safari/604.1'

async function sessionsFixture(database: Database) {
  const context = await testContext(database, {
    verifyToken: (own) => (token) => createTokenVerifier(own())(token),
  })
  const app = await testApp(context)
  const server = testServer(context)
  const newBrowser = () => testBrowser(server, context, app)

  async function logIn(browser: TestBrowser, userAgent?: string, email = 'ada@example.com') {
    const code = await browser.codeFor(email)
    const headers = userAgent === undefined ? {} : { 'user-agent': userAgent }
    const { answer } = await browser.call('loginWithEmailCode', { body: { email, code }, headers })
    return answer as TestSession
  }
  const list = async (browser: TestBrowser, { token }: TestSession) =>
    (await browser.call('listOwnSessions', { token })).answer as { sessions: { id: string }[] }
  const isAlive = async (browser: TestBrowser, { token }: TestSession) =>
    (await browser.call('me', { token })).status === 200
  return { context, app, server, newBrowser, logIn, list, isAlive }
}
type Fixture = Awaited<ReturnType<typeof sessionsFixture>>

const readSessionId = ({ token }: TestSession): string =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()).sid

forEachEngine((database) => {
  test('lists browsers newest first, marks the current session, and ends one or all others', async () => {
    const fixture = await sessionsFixture(database())
    const { context, logIn, list, isAlive } = fixture
    const [desktop, phone, tablet] = [fixture.newBrowser(), fixture.newBrowser(), fixture.newBrowser()]
    const onDesktop = await logIn(desktop, firefox)
    context.clock.advanceSeconds(7_200)
    const onPhone = await logIn(phone, safari)
    context.clock.advanceSeconds(60)
    const onTablet = await logIn(tablet)
    await logIn(fixture.newBrowser(), firefox, 'bob@example.com')
    expect(await list(phone, onPhone)).toMatchObject({
      sessions: [
        { id: readSessionId(onTablet), browser: null, system: null, is_current: false },
        {
          id: readSessionId(onPhone),
          browser: 'Safari',
          system: 'iPhone',
          is_current: true,
          opens_wallets: true,
        },
        { id: readSessionId(onDesktop), browser: 'Firefox', system: 'Windows', is_current: false },
      ],
    })
    const end = { token: onPhone.token, body: { id: readSessionId(onDesktop) } }
    expect(await phone.call('endOwnSession', end)).toMatchObject({ status: 200 })
    expect(await phone.call('endOwnSession', end)).toMatchObject({ status: 200 })
    expect([await isAlive(desktop, onDesktop), await isAlive(tablet, onTablet)]).toEqual([false, true])
    const others = await phone.call('endOtherSessions', { token: onPhone.token, body: {} })
    expect(others.answer).toEqual({ ended: 1 })
    expect([await isAlive(tablet, onTablet), await isAlive(phone, onPhone)]).toEqual([false, true])
    expect((await list(phone, onPhone)).sessions.map(({ id }) => id)).toEqual([readSessionId(onPhone)])
    const audit = await context.db
      .selectFrom('audit_log')
      .select('session_id')
      .where('event', '=', 'session.ended_by_user')
      .orderBy('created_at')
      .execute()
    expect(audit.map(({ session_id: id }) => id)).toEqual([readSessionId(onDesktop), readSessionId(onTablet)])
  })
})

forDefaultEngine((database) => {
  let fixture: Fixture
  let browser: TestBrowser
  let session: TestSession
  beforeEach(async () => {
    fixture = await sessionsFixture(database())
    browser = fixture.newBrowser()
    session = await fixture.logIn(browser, firefox)
  })

  test('a fork counts as its parent session, sees no sessions and ends none', async () => {
    const other = fixture.newBrowser()
    const fork = await forkInto(other, browser, session)
    const forkedFrom = await fixture.logIn(fixture.newBrowser())
    expect((await fixture.list(browser, session)).sessions.map(({ id }) => id).sort()).toEqual(
      [readSessionId(session), readSessionId(forkedFrom)].sort(),
    )
    const refused = { status: 403, answer: { code: 'insufficient_scope' } }
    const { token } = fork
    expect(await other.call('listOwnSessions', { token })).toMatchObject(refused)
    const body = { id: readSessionId(session) }
    expect(await other.call('endOwnSession', { token, body })).toMatchObject(refused)
    expect(await other.call('endOtherSessions', { token, body: {} })).toMatchObject(refused)
  })

  describe('ends no session', () => {
    const notFound = { status: 404, answer: { code: 'not_found' } }

    test('of another user', async () => {
      const bobsBrowser = fixture.newBrowser()
      const bob = await fixture.logIn(bobsBrowser, firefox, 'bob@example.com')
      const body = { id: readSessionId(bob) }
      expect(await browser.call('endOwnSession', { token: session.token, body })).toMatchObject(notFound)
      await browser.call('endOtherSessions', { token: session.token, body: {} })
      expect(await fixture.isAlive(bobsBrowser, bob)).toBe(true)
    })

    test('that does not exist', async () => {
      const body = { id: 'ses_unknown' }
      expect(await browser.call('endOwnSession', { token: session.token, body })).toMatchObject(notFound)
    })

    test('for the host token', async () => {
      const other = await fixture.logIn(fixture.newBrowser())
      const token = session.host_token
      const body = { id: readSessionId(other) }
      expect((await browser.call('listOwnSessions', { token })).status).toBe(403)
      expect((await browser.call('endOwnSession', { token, body })).status).toBe(403)
      expect((await browser.call('endOtherSessions', { token, body: {} })).status).toBe(403)
    })
  })

  test('the time of the last use is rounded down to the hour', async () => {
    fixture.context.clock.advanceSeconds(2 * 3_600 + 1_234)
    const body = { refresh_token: session.refresh_token }
    const { answer } = await browser.call('refreshSession', { token: session.token, body })
    const [listed] = (await fixture.list(browser, answer as TestSession)).sessions
    expect(listed).toMatchObject({ last_used_at: Date.UTC(2026, 0, 1, 2) / 1_000 })
  })

  test('names of browsers are deleted after 90 days', async () => {
    expect(sessionBrowserLimits.keptSeconds).toBe(90 * 86_400)
    const { clock, db } = fixture.context
    const count = async () =>
      (
        await db
          .withTables<{ session_browsers: { session_id: string } }>()
          .selectFrom('session_browsers')
          .select('session_id')
          .execute()
      ).length
    const clean = () => cleanUp(database(), clock, collectExpiryRules([capability]))
    clock.advanceSeconds(90 * 86_400 - 60)
    await clean()
    expect(await count()).toBe(1)
    clock.advanceSeconds(120)
    await clean()
    expect(await count()).toBe(0)
  })
})
