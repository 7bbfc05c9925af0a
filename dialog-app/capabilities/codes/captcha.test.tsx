import { describe, expect, test } from 'vitest'
import { makeDecidedCaptcha } from '../../testing/captcha.ts'
import { settle } from '../../testing/clock.ts'
import { type Answers, type Fixture, makeFixture, refused, watch } from '../../testing/fixture.ts'
import { makeAuthAnswer, visitorUser, walletAccount } from '../../testing/fixtures.ts'
import { renderDialog, submitEmail } from '../../testing/page.tsx'
import { readCard } from '../../testing/read-screen.ts'
import { capabilities } from '../index.ts'

const email = 'ada@example.com'

/** A login by e-mail whose captchas a test decides. */
async function open(answers: Answers = { sendEmailCode: () => ({ success: true }) }) {
  const { asked, behind, decide } = makeDecidedCaptcha()
  const fixture = await makeFixture({
    answers: { loginWithEmailCode: () => makeAuthAnswer({ user: visitorUser }), ...answers },
    app: { emailAuth: true },
    capabilities: behind(capabilities),
  })
  const login = watch(fixture.login())
  await settle()
  return {
    fixture,
    login,
    asked,
    decide,
    sent: () => fixture.transport.calls('sendEmailCode').map(({ body }) => body),
  }
}

describe('a code', () => {
  // spec L4.13, L7.28
  test('is requested after the captcha, with its token', async () => {
    const { asked, decide, sent, fixture } = await open()
    await submitEmail(fixture, email)
    expect(asked).toHaveLength(1)
    expect(sent()).toEqual([])
    await decide({ token: 'first' })
    expect(sent()).toEqual([{ email, token: 'first' }])
    expect(fixture.screen()).toBe('AWAITING_PASSWORDLESS_CODE')
  })

  test('needs another captcha and token for each resend', async () => {
    const { decide, sent, fixture } = await open()
    await submitEmail(fixture, email)
    await decide({ token: 'first' })
    await renderDialog(fixture).press('Resend code')
    await decide({ token: 'second' })
    expect(sent()).toEqual([
      { email, token: 'first' },
      { email, token: 'second' },
    ])
  })

  test('is not sent if the user goes back from the captcha, and can be requested again', async () => {
    const { asked, decide, sent, fixture } = await open()
    await submitEmail(fixture, email)
    await decide(undefined)
    expect(fixture.screen()).toBe('LANDING')
    const page = renderDialog(fixture)
    expect([page.value('E-mail'), page.isBusy('Submit e-mail address')]).toEqual([email, false])
    await submitEmail(fixture, email)
    expect(asked).toHaveLength(1)
    await decide({ token: 'first' })
    await page.press('Resend code')
    await decide(undefined)
    expect(page.hasButton('Resend code')).toBe(true)
    expect(sent()).toHaveLength(1)
  })

  const walletOnly = { ...visitorUser, linkedAccounts: [walletAccount] }

  // spec L4.14
  test.each([
    ['LINK_EMAIL_SCREEN', walletOnly, (fixture: Fixture) => fixture.link('email')],
    ['UPDATE_EMAIL_SCREEN', visitorUser, (fixture: Fixture) => fixture.updateEmail()],
  ] as const)('of %s has no captcha, since the user is logged in', async (screen, user, begin) => {
    const { asked, behind } = makeDecidedCaptcha()
    const fixture = await makeFixture({
      answers: { me: () => user, sendEmailCode: () => ({ success: true }) },
      app: { emailAuth: true },
      capabilities: behind(capabilities),
    })
    fixture.session.accept(makeAuthAnswer({ user }))
    watch(begin(fixture))
    await settle()
    expect(fixture.screen()).toBe(screen)
    await submitEmail(fixture, 'ada@new.example')
    expect(asked).toEqual([])
    const sent = fixture.transport.calls('sendEmailCode').map(({ body }) => body)
    expect(sent).toEqual([{ email: 'ada@new.example' }])
  })

  // spec L8.1
  test('is requested with another captcha if the server rejects the first one', async () => {
    const { asked, decide, fixture } = await open({
      sendEmailCode: () => {
        throw refused('invalid_captcha', 400)
      },
    })
    await submitEmail(fixture, email)
    await decide({ token: 'spent' })
    await settle()
    expect(readCard(fixture)).toEqual(expect.arrayContaining(['Something went wrong', 'Please try again.']))
    await renderDialog(fixture).press('Try again')
    await submitEmail(fixture, email)
    expect(asked).toHaveLength(1)
  })
})
