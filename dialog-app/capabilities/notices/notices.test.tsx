/** Notices after a login, for changes that no mail or SMS could report. */
import type { LoginNotice } from '@latchkey/protocol/api'
import { describe, expect, test } from 'vitest'
import { settle } from '../../testing/clock.ts'
import { type Answers, makeFixture, refused, watch } from '../../testing/fixture.ts'
import { makeAuthAnswer, walletUser } from '../../testing/fixtures.ts'
import { renderDialog, submitEmail } from '../../testing/page.tsx'

const screen = 'LOGIN_NOTICE_SCREEN'
const recovered: LoginNotice = { id: 'ntc_1', kind: 'recovered', name: null, at: 1_767_225_600 }
const added: LoginNotice = {
  id: 'ntc_2',
  kind: 'account',
  name: 'The wallet 0xabc',
  at: 1_767_225_700,
}

async function logIn(notices: readonly LoginNotice[], answers: Answers = {}) {
  const made = await makeFixture({
    config: { loginMethods: ['email'] },
    answers: {
      sendEmailCode: () => ({ success: true }),
      loginWithEmailCode: () =>
        makeAuthAnswer({ user: walletUser, ...(notices.length > 0 && { hasNotices: true as const }) }),
      me: () => walletUser,
      logout: () => ({ success: true }),
      loginNotices: () => ({ notices: [...notices] }),
      answerNotice: ({ isMine }) => ({ outcome: isMine ? 'acknowledged' : 'logged_out' }),
      ...answers,
    },
  })
  const page = renderDialog(made)
  const login = watch(made.login())
  await settle()
  await submitEmail(made, 'ada@example.org')
  await page.type('Digit 1 of 6', '123456')
  await settle()
  const answered = () => made.transport.calls('answerNotice').map(({ body }) => body)
  /** Waits until the login success has been visible long enough. */
  const seen = async () => {
    await made.clock.advance(1_400)
    await settle()
  }
  /** Waits until the card has closed. */
  const isClosed = async () => {
    await made.clock.advance(1_000)
    await settle()
    return made.screen() === undefined
  }
  return { ...made, page, loggedIn: login, answered, seen, isClosed }
}

describe('a login with notices that no mail or SMS could report', () => {
  test('settles at once, and asks after its success was visible', async () => {
    const made = await logIn([recovered])
    expect(made.loggedIn.value).toMatchObject({ user: { id: walletUser.id } })
    expect(made.screen()).toBe('AWAITING_PASSWORDLESS_CODE')
    await made.seen()
    await made.page.see('Was this you?')
    expect(made.screen()).toBe(screen)
    const texts = made.page.texts()
    expect(texts.join(' ')).toMatch(/Your wallet was opened on a new device on Jan 1, 2026/)
    expect(texts).toContain('It was me')
    expect(texts).toContain('It was not me: log out everywhere')
    // The card was not closed in between.
    expect(made.frame).toEqual(['show'])
  })

  test('sends no request and asks nothing without notices', async () => {
    const made = await logIn([])
    await made.seen()
    expect(await made.isClosed()).toBe(true)
    expect(made.transport.calls('loginNotices')).toEqual([])
  })

  test('asks about one notice after the other, and closes after the last', async () => {
    const made = await logIn([recovered, added])
    await made.seen()
    await made.page.see(/Your wallet was opened on a new device/)
    await made.page.press('It was me')
    await made.page.see(/The wallet 0xabc was added to your account/)
    await made.page.press('It was me')
    expect(made.answered()).toEqual([
      { id: 'ntc_1', isMine: true },
      { id: 'ntc_2', isMine: true },
    ])
    expect(await made.isClosed()).toBe(true)
    expect(made.session.state().status).toBe('authenticated')
  })

  test('logs the user out here too if it was not them, and shows the outcome', async () => {
    const made = await logIn([added, recovered], { answerNotice: () => ({ outcome: 'taken_back' }) })
    await made.seen()
    await made.page.press('It was not me: undo it')
    expect(made.answered()).toEqual([{ id: 'ntc_2', isMine: false }])
    expect(made.session.state().status).toBe('visitor')
    await made.page.see('It was undone')
    // The close button of the header has no text.
    const buttons = [...document.querySelectorAll('button')]
    buttons.find(({ textContent }) => textContent === 'Close')?.click()
    await settle()
    expect(await made.isClosed()).toBe(true)
  })

  test('cannot be closed while the server answers', async () => {
    const response = Promise.withResolvers<{ outcome: 'acknowledged' }>()
    const made = await logIn([recovered], { answerNotice: () => response.promise })
    await made.seen()
    await made.page.press('It was me')
    await made.page.see('One moment')
    expect(made.page.hasButton('Close')).toBe(false)
    response.resolve({ outcome: 'acknowledged' })
    await settle()
    expect(await made.isClosed()).toBe(true)
  })

  test('leaves a notice to the next login if the user closes the card or the server does not respond', async () => {
    const failing = await logIn([recovered], {
      answerNotice: () => {
        throw refused('internal_error', 500)
      },
    })
    await failing.seen()
    await failing.page.press('It was me')
    await failing.page.see('That did not work. Try again.')
    expect(failing.page.hasButton('It was me')).toBe(true)
    await failing.close()
    expect(await failing.isClosed()).toBe(true)
    expect(failing.session.state().status).toBe('authenticated')

    const unread = await logIn([recovered], {
      loginNotices: () => {
        throw refused('internal_error', 500)
      },
    })
    await unread.seen()
    expect(await unread.isClosed()).toBe(true)
    expect(unread.loggedIn.value).toMatchObject({ user: { id: walletUser.id } })
  })

  test('lets a call of the host page wait for the answer', async () => {
    const made = await logIn([recovered])
    const signing = watch(made.signMessage({ message: 'Hello' }))
    await made.seen()
    // A waiting call ends a held screen. The notice comes before the call.
    expect(made.screen()).toBe(screen)
    expect(signing.settled).toBe(false)
    await made.page.press('It was me')
    await settle()
    expect(made.screen()).toBe('EMBEDDED_WALLET_SIGN_REQUEST_SCREEN')
  })
})
