import { describe, expect, test } from 'vitest'
import { noSession } from '../../session/stored-session.ts'
import { settle } from '../../testing/clock.ts'
import {
  type Answers,
  type FixtureOptions,
  makeBrowser,
  makeFakeTransport,
  makeFixture,
  makeTab,
  refused,
} from '../../testing/fixture.ts'
import { makeAuthAnswer, makeToken, visitorUser } from '../../testing/fixtures.ts'
import { renderDialog, submitEmail } from '../../testing/page.tsx'
import { readCard } from '../../testing/read-screen.ts'

const ok = () => ({ success: true }) as const
const answers: Answers = {
  sendEmailCode: ok,
  loginWithEmailCode: () => makeAuthAnswer(),
  me: () => visitorUser,
  logout: ok,
}

async function start(change: FixtureOptions = {}) {
  const fixture = await makeFixture({ answers, standalone: true, ...change })
  void fixture.dialog.runStandalone()
  await settle()
  return fixture
}

describe('the standalone dialog', () => {
  // spec L1.1, L2.3
  test('shows the login at once, without a close button', async () => {
    const fixture = await start()
    expect(fixture.view()).toMatchObject({ open: true, standalone: true, header: { close: false } })
    expect(fixture.screen()).toBe('LANDING')
  })

  test('shows the account after a login, and the login again after a logout', async () => {
    const fixture = await start()
    const page = renderDialog(fixture)
    await submitEmail(fixture, 'ada@example.org')
    await page.type('Digit 1 of 6', '123456')
    await fixture.clock.advance(1_600)
    await page.see(/ada@example\.org/)
    await page.press('Log out')
    await fixture.clock.advance(200)
    expect(fixture.session.state().status).toBe('visitor')
    expect(fixture.screen()).toBe('LANDING')
  })

  // spec L1.1
  test('stays open between a login and its end, and after a logout', async () => {
    const fixture = await start()
    const page = renderDialog(fixture)
    const staysOpen = async (steps: number) => {
      for (let step = 0; step < steps; step += 1) {
        expect(fixture.view()?.open).toBe(true)
        expect(fixture.screen()).toBeDefined()
        await fixture.clock.advance(50)
      }
    }
    await submitEmail(fixture, 'ada@example.org')
    await page.type('Digit 1 of 6', '123456')
    await staysOpen(40)
    expect(fixture.screen()).toBe('SIGNED_IN')
    await page.press('Log out')
    await staysOpen(20)
    expect(fixture.screen()).toBe('LANDING')
  })

  test('shows the user of the last visit', async () => {
    const browser = makeBrowser()
    const { sessionStore } = makeTab(browser, makeFakeTransport({}))
    sessionStore.write({ ...noSession, accessToken: makeToken(), refreshToken: 'refresh-1' })
    const fixture = await start({ browser })
    expect(fixture.screen()).toBe('SIGNED_IN')
  })

  test('shows an error if the session check fails, and retries on a press', async () => {
    const browser = makeBrowser()
    const { sessionStore } = makeTab(browser, makeFakeTransport({}))
    sessionStore.write({ ...noSession, accessToken: makeToken(), refreshToken: 'refresh-1' })
    const changing: Answers = {
      ...answers,
      me: () => {
        throw refused('client_request_timeout', 408, 'No answer')
      },
    }
    const fixture = await start({ browser, answers: changing })
    expect(readCard(fixture)).toEqual(expect.arrayContaining(['Timed out', 'No answer']))
    changing.me = () => visitorUser
    await renderDialog(fixture).press('Try again')
    await fixture.clock.advance(200)
    expect(fixture.screen()).toBe('SIGNED_IN')
  })
})
