/** What a user is asked after their login, where no contact of theirs took word of it. */
import type { LoginNotice } from '@latchkey/protocol/api'
import { describe, expect, test } from 'vitest'
import { settle } from '../../testing/clock.ts'
import { type Answers, makeFixture, refused, watch } from '../../testing/fixture.ts'
import { makeAuthAnswer, walletUser } from '../../testing/fixtures.ts'

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
  const login = watch(made.login())
  await settle()
  await made.enter(0, 'submit', 'ada@example.org')
  await made.press('AWAITING_PASSWORDLESS_CODE', 'submit', '123456')
  await settle()
  const answered = () => made.transport.calls('answerNotice').map(({ body }) => body)
  /** The success of the login is seen for its time. */
  const seen = async () => {
    await made.clock.advance(1_400)
    await settle()
  }
  /** A card takes a moment to close. */
  const isClosed = async () => {
    await made.clock.advance(1_000)
    await settle()
    return made.screen() === undefined
  }
  return { ...made, loggedIn: login, answered, seen, isClosed }
}

describe('a login of a user who could be told nowhere', () => {
  test('settles at once, and asks once its success was seen', async () => {
    const made = await logIn([recovered])
    expect(made.loggedIn.value).toMatchObject({ user: { id: walletUser.id } })
    expect(made.screen()).toBe('AWAITING_PASSWORDLESS_CODE')
    await made.seen()
    expect(made.screen()).toBe(screen)
    const texts = await made.texts()
    expect(texts).toContain('Was this you?')
    expect(texts.join(' ')).toMatch(/Your wallet was opened on a new device on Jan 1, 2026/)
    expect(texts).toContain('It was me')
    expect(texts).toContain('It was not me: log out everywhere')
    // The card was not closed in between.
    expect(made.frame).toEqual(['show'])
  })

  test('asks nothing, and no server, where there is nothing', async () => {
    const made = await logIn([])
    await made.seen()
    expect(await made.isClosed()).toBe(true)
    expect(made.transport.calls('loginNotices')).toEqual([])
  })

  test('asks one after the other, and closes after the last', async () => {
    const made = await logIn([recovered, added])
    await made.seen()
    expect(made.state(screen)).toMatchObject({ kind: 'recovered', step: { at: 'asking' } })
    await made.press(screen, 'mine')
    expect(made.state(screen)).toMatchObject({ kind: 'account', name: 'The wallet 0xabc' })
    await made.press(screen, 'mine')
    expect(made.answered()).toEqual([
      { id: 'ntc_1', isMine: true },
      { id: 'ntc_2', isMine: true },
    ])
    expect(await made.isClosed()).toBe(true)
    expect(made.session.state().status).toBe('authenticated')
  })

  test('logs its user out here too where it was not them, and says what became of it', async () => {
    const made = await logIn([added, recovered], { answerNotice: () => ({ outcome: 'taken_back' }) })
    await made.seen()
    await made.press(screen, 'notMine')
    expect(made.answered()).toEqual([{ id: 'ntc_2', isMine: false }])
    expect(made.session.state().status).toBe('visitor')
    expect(await made.texts()).toContain('It was undone')
    await made.press(screen, 'close')
    expect(await made.isClosed()).toBe(true)
  })

  test('is asked again at the next login where its user closes the card, or the server does not answer', async () => {
    const failing = await logIn([recovered], {
      answerNotice: () => {
        throw refused('internal_error', 500)
      },
    })
    await failing.seen()
    await failing.press(screen, 'mine')
    expect(failing.state(screen)).toMatchObject({ step: { at: 'asking', hasFailed: true } })
    expect(await failing.texts()).toContain('That did not work. Try again.')
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

  test('a call of the page waits for the answer, and comes then', async () => {
    const made = await logIn([recovered])
    const signing = watch(made.signMessage({ message: 'Hello' }))
    await made.seen()
    // A call that waits ends what is only held; the notice has the turn before it.
    expect(made.screen()).toBe(screen)
    expect(signing.settled).toBe(false)
    await made.press(screen, 'mine')
    await settle()
    expect(made.screen()).toBe('EMBEDDED_WALLET_SIGN_REQUEST_SCREEN')
  })
})
