/**
 * Tests that every login method with a window passes. Each method runs them with its own screen and its own responses,
 * and has tests of its own for its peculiarities.
 */
import { describe, expect, test } from 'vitest'
import { type Answers, type Fixture, refused, type watch } from '../../testing/fixture.ts'
import type { Page } from '../../testing/page.tsx'
import type { FakeBrowser } from '../testing.ts'

type Opened = {
  fixture: Pick<Fixture, 'clock' | 'view' | 'screen' | 'close' | 'transport'>
  page: Page
  browser: FakeBrowser
  login: ReturnType<typeof watch>
  /** Chooses the method on LANDING, and opens its window. */
  press: () => Promise<void>
  /** Opens another window after the first one was declined. */
  retry: () => Promise<void>
  /** Responds in the window of this position as a user who is logged in. */
  answer: (position: number) => Promise<void>
  decline: (position: number) => Promise<void>
}

type Method = {
  provider: string
  /** The time for which its window is awaited. */
  waitSeconds: number
  finish: 'loginWithOAuth' | 'loginWithTelegram' | 'loginWithPasskey'
  /** The texts of its screens while a window is open or was blocked, and of its result. */
  texts: Readonly<Record<'open' | 'blocked' | 'success' | 'late' | 'declined', string>>
  /** The button that opens another window after none opened. */
  openAnother: string
  /** Shown after the window reads as closed. Undefined if the method's page always reads as closed. */
  closed?: { text: string; button: string }
  /** The call that begins its login, and its name in a refusal. Undefined if it begins before its window. */
  start?: { call: 'startOAuth' | 'startTelegram'; name: string }
  open: (answers?: Answers) => Promise<Opened>
}

/** The screen that waits for a window, which most methods share. */
export const waitingScreen = (name: string) => ({
  texts: {
    open: `Log in to ${name} in the window that opened.`,
    blocked: `${name} opens in a new window. If you don’t see one, your browser may have blocked it.`,
    success: `Connected to ${name}`,
    late: 'Something went wrong. Please try again.',
    declined: `Retry and check ${name} to finish connecting your account.`,
  },
  openAnother: `Continue with ${name}`,
  closed: { text: `If you closed the ${name} window, try again.`, button: 'Try again' },
})

export function windowFacts({
  provider,
  waitSeconds,
  finish,
  texts,
  openAnother,
  closed,
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
      await opened.page.see(texts.success)
      await clock.advance(1_399)
      expect(view()?.open).toBe(true)
      await clock.advance(1)
      expect(view()?.open).toBe(false)
      await clock.advance(200)
      expect(clock.waiting()).toEqual([])
    })

    const readAsClosed = async ({ text, button }: NonNullable<typeof closed>) => {
      const { fixture, page, browser, press, answer, login } = await open()
      await press()
      await fixture.clock.advance(300)
      browser.windows[0]?.closes()
      await fixture.clock.advance(299)
      expect(page.has(texts.open)).toBe(true)
      await fixture.clock.advance(1)
      await page.see(text)
      await page.press(button)
      expect(browser.windows).toHaveLength(2)
      await page.see(texts.open)
      await answer(1)
      expect(login.value).toMatchObject({ loginMethod: provider })
    }
    // spec L9.7
    if (closed)
      test('offers another attempt, which logs in, if the window reads as closed for 300 ms', () =>
        readAsClosed(closed))

    test('shows a button that opens another window, which logs in, if the first was blocked', async () => {
      const { page, browser, press, answer, login } = await open()
      browser.block(true)
      await press()
      await page.see(texts.blocked)
      browser.block(false)
      await page.press(openAnother)
      await page.see(texts.open)
      await answer(browser.windows.length - 1)
      expect(login.value).toMatchObject({ loginMethod: provider })
    })

    // spec L9.7
    test(`is awaited for ${waitSeconds} s and then closed`, async () => {
      const opened = await open()
      await opened.press()
      await opened.fixture.clock.advance(waitMs - 1)
      expect(opened.page.has(texts.open)).toBe(true)
      await opened.fixture.clock.advance(1)
      await opened.page.see(texts.late)
      expect(opened.browser.windows[0]?.wasClosed()).toBe(true)
    })

    test(`ignores a response after ${waitSeconds} s`, async () => {
      const opened = await open()
      await opened.press()
      await opened.fixture.clock.advance(waitMs)
      await opened.answer(0)
      expect(opened.login.value).toBeUndefined()
      expect(opened.fixture.transport.calls(finish)).toHaveLength(0)
      await opened.page.see(texts.late)
    })

    test('logs in once if the window responds twice', async () => {
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
    test('offers another attempt, which logs in, after the user declined', async () => {
      const opened = await open()
      await opened.press()
      await opened.decline(0)
      await opened.page.see(texts.declined)
      await opened.retry()
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
      'a response refused with %s shows %s, which leads to the methods',
      async (code, refusalScreen) => {
        const { fixture, page, press, answer } = await open(refusing(finish, code, 403))
        await press()
        await answer(0)
        expect(fixture.screen()).toBe(refusalScreen)
        await page.press('Try another account')
        expect(fixture.screen()).toBe('LANDING')
      },
    )

    const refusedStart = async ({ call, name }: NonNullable<typeof start>) => {
      const sentence = `Login with ${name} not allowed`
      const opened = await open(refusing(call, 'disallowed_login_method', 403, sentence))
      const { fixture, page, browser, press } = opened
      await press()
      await page.see('Not allowed')
      expect(page.has(sentence)).toBe(true)
      expect(browser.windows[0]?.wasClosed()).toBe(true)
      await page.press('Back')
      expect(fixture.screen()).toBe('LANDING')
    }
    // spec L4.17, L8.2
    if (start) test('closes if the login does not start, with the usual error', () => refusedStart(start))
  })
}
