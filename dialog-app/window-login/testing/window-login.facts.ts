/**
 * Tests that every login method with a window passes. Each method runs them with its own screen and its own responses,
 * and has tests of its own for its peculiarities.
 */
import { describe, expect, test } from 'vitest'
import { type Answers, type Fixture, refused, type watch } from '../../testing/fixture.ts'
import { readCard } from '../../testing/read-screen.ts'
import type { FakeBrowser } from '../testing.ts'

type Opened = {
  fixture: Pick<Fixture, 'clock' | 'view' | 'screen' | 'press' | 'back' | 'close' | 'transport'>
  browser: FakeBrowser
  login: ReturnType<typeof watch>
  /** The state of the method's screen. */
  state: () => unknown
  /** Presses the button that opens another window. */
  openAnother: () => Promise<unknown>
  /** Chooses the method on LANDING, and opens its window. */
  press: () => Promise<void>
  /** Responds in the window of this position as a user who is logged in. */
  answer: (position: number) => Promise<void>
  decline: (position: number) => Promise<void>
}

type Method = {
  provider: string
  /** The time for which its window is awaited. */
  waitSeconds: number
  finish: 'loginWithOAuth' | 'loginWithTelegram' | 'loginWithPasskey'
  /** The states of its screen while a window is open or was blocked, and of its result. */
  shown: Readonly<Record<'open' | 'blocked' | 'success' | 'late' | 'declined', object>>
  /** The state after the window reads as closed. Undefined if the method's page always reads as closed. */
  shownClosed?: object
  /** The call that begins its login, and its name in a refusal. Undefined if it begins before its window. */
  start?: { call: 'startOAuth' | 'startTelegram'; name: string }
  open: (answers?: Answers) => Promise<Opened>
}

/** The card that waits for a window, which most methods share. */
export const waitingCard = (provider: string) => ({
  shown: {
    open: { provider, status: 'verifying', window: 'open' },
    blocked: { provider, status: 'verifying', window: 'none' },
    success: { provider, status: 'success' },
    late: { provider, status: 'failed', text: 'unexpected', isRetryable: true },
    declined: { provider, status: 'failed', text: 'denied', isRetryable: true },
  },
  shownClosed: { provider, status: 'verifying', window: 'closed' },
})

export function windowFacts({
  provider,
  waitSeconds,
  finish,
  shown,
  shownClosed,
  start,
  open,
}: Method): void {
  const waitMs = waitSeconds * 1_000
  const refusing = (call: keyof Answers, ...refusal: Parameters<typeof refused>): Answers => ({
    [call]: () => {
      throw refused(...refusal)
    },
  })

  describe('the window of a login', () => {
    // spec L4.35
    test('has a card that shows the success for 1.4 s and closes', async () => {
      const opened = await open()
      const { clock, view } = opened.fixture
      await opened.press()
      await opened.answer(0)
      expect(opened.state()).toEqual(shown.success)
      await clock.advance(1_399)
      expect(view()?.open).toBe(true)
      await clock.advance(1)
      expect(view()?.open).toBe(false)
      await clock.advance(200)
      expect(clock.waiting()).toEqual([])
    })

    const readAsClosed = async () => {
      const opened = await open()
      const { fixture, browser } = opened
      await opened.press()
      await fixture.clock.advance(300)
      browser.windows[0]?.closes()
      await fixture.clock.advance(299)
      expect(opened.state()).toEqual(shown.open)
      await fixture.clock.advance(1)
      expect(opened.state()).toEqual(shownClosed)
      await opened.openAnother()
      expect(browser.windows).toHaveLength(2)
      expect(opened.state()).toEqual(shown.open)
      await opened.answer(1)
      expect(opened.login.value).toMatchObject({ loginMethod: provider })
    }
    // spec L9.7
    if (shownClosed)
      test('that reads as closed for 300 ms offers another attempt, which logs in', readAsClosed)

    test('that is blocked has a button that opens one, which logs in', async () => {
      const opened = await open()
      const { browser } = opened
      browser.block(true)
      await opened.press()
      expect(opened.state()).toEqual(shown.blocked)
      browser.block(false)
      await opened.openAnother()
      expect(opened.state()).toEqual(shown.open)
      await opened.answer(browser.windows.length - 1)
      expect(opened.login.value).toMatchObject({ loginMethod: provider })
    })

    // spec L9.7
    test(`is awaited for ${waitSeconds} s and then closed`, async () => {
      const opened = await open()
      await opened.press()
      await opened.fixture.clock.advance(waitMs - 1)
      expect(opened.state()).toEqual(shown.open)
      await opened.fixture.clock.advance(1)
      expect(opened.state()).toMatchObject(shown.late)
      expect(opened.browser.windows[0]?.wasClosed()).toBe(true)
    })

    test(`that responds after ${waitSeconds} s logs no user in`, async () => {
      const opened = await open()
      await opened.press()
      await opened.fixture.clock.advance(waitMs)
      await opened.answer(0)
      expect(opened.login.value).toBeUndefined()
      expect(opened.fixture.transport.calls(finish)).toHaveLength(0)
      expect(opened.state()).toMatchObject(shown.late)
    })

    test('that responds twice logs in once', async () => {
      const opened = await open()
      await opened.press()
      await opened.answer(0)
      await opened.answer(0)
      expect(opened.login.value).toMatchObject({ loginMethod: provider })
      expect(opened.fixture.transport.calls(finish)).toHaveLength(1)
    })

    test('closes with the card', async () => {
      const { fixture, browser, login, press } = await open()
      await press()
      await fixture.close()
      expect(login.error).toMatchObject({ code: 'exited_auth_flow' })
      expect(browser.windows[0]?.wasClosed()).toBe(true)
      await fixture.clock.advance(200)
      expect(fixture.clock.waiting()).toEqual([])
    })

    // spec L8.37
    test('in which the user declines shows that and offers another attempt, which logs in', async () => {
      const opened = await open()
      await opened.press()
      await opened.decline(0)
      expect(opened.state()).toMatchObject(shown.declined)
      await opened.openAnother()
      expect(opened.browser.windows).toHaveLength(2)
      await opened.answer(1)
      expect(opened.login.value).toMatchObject({ loginMethod: provider })
    })

    // spec L8.34
    const refusals = [
      ['allowlist_rejected', 'ALLOWLIST_REJECTION_SCREEN'],
      ['max_accounts_reached', 'USER_LIMIT_REACHED_SCREEN'],
      ['user_does_not_exist', 'ACCOUNT_NOT_FOUND_SCREEN'],
    ] as const
    test.each(refusals)(
      'a response refused with %s shows %s, which offers another account',
      async (code, refusalScreen) => {
        const { fixture, press, answer } = await open(refusing(finish, code, 403))
        await press()
        await answer(0)
        expect(fixture.screen()).toBe(refusalScreen)
        expect(readCard(fixture)).toContain('Try another account')
      },
    )

    const refusedStart = async ({ call, name }: NonNullable<typeof start>) => {
      const sentence = `Login with ${name} not allowed`
      const { fixture, browser, press } = await open(refusing(call, 'disallowed_login_method', 403, sentence))
      await press()
      expect(readCard(fixture)).toEqual(expect.arrayContaining(['Not allowed', sentence]))
      expect(browser.windows[0]?.wasClosed()).toBe(true)
      await fixture.back()
      expect(fixture.screen()).toBe('LANDING')
    }
    // spec L4.17, L8.2
    if (start) test('closes if the login does not start, with the usual error', () => refusedStart(start))
  })
}
