import { describe, expect, test } from 'vitest'
import { settle } from '../../testing/clock.ts'
import { makeAuthAnswer, visitorUser } from '../../testing/fixtures.ts'
import { type Answers, makeWorld, refused, watch } from '../../testing/world.ts'
import { makeDecidedCaptcha } from '../captcha/testing.ts'
import { capabilities } from '../index.ts'

const email = 'ada@example.com'

/** A login by e-mail whose captchas a test decides. */
async function open(answers: Answers = { sendEmailCode: () => ({ success: true }) }) {
  const { asked, behind, decide } = makeDecidedCaptcha()
  const world = await makeWorld({
    answers: { loginWithEmailCode: () => makeAuthAnswer({ user: visitorUser }), ...answers },
    app: { emailAuth: true },
    capabilities: behind(capabilities),
  })
  const login = watch(world.login())
  await settle()
  return {
    world,
    login,
    asked,
    decide,
    sent: () => world.transport.calls('sendEmailCode').map(({ body }) => body),
  }
}

describe('a code', () => {
  // spec L4.13, L7.28
  test('is asked for after the captcha, with its token', async () => {
    const { asked, decide, sent, world } = await open()
    await world.enter(0, 'submit', email)
    expect(asked).toHaveLength(1)
    expect(sent()).toEqual([])
    await decide({ token: 'first' })
    expect(sent()).toEqual([{ email, token: 'first' }])
    expect(world.screen()).toBe('AWAITING_PASSWORDLESS_CODE')
  })

  test('that is sent anew has a captcha and a token of its own', async () => {
    const { decide, sent, world } = await open()
    await world.enter(0, 'submit', email)
    await decide({ token: 'first' })
    await world.press('AWAITING_PASSWORDLESS_CODE', 'resend')
    await decide({ token: 'second' })
    expect(sent()).toEqual([
      { email, token: 'first' },
      { email, token: 'second' },
    ])
  })

  test('is not sent to who goes back from the captcha, who may choose anew', async () => {
    const { asked, decide, sent, world } = await open()
    await world.enter(0, 'submit', email)
    await decide(undefined)
    expect(world.screen()).toBe('LANDING')
    expect(world.entry(0)).toMatchObject({ status: 'ready', address: email })
    await world.enter(0, 'submit', email)
    expect(asked).toHaveLength(1)
    await decide({ token: 'first' })
    await world.press('AWAITING_PASSWORDLESS_CODE', 'resend')
    await decide(undefined)
    expect(world.state('AWAITING_PASSWORDLESS_CODE')).toMatchObject({
      status: 'awaiting-code-input',
      resend: 'available',
    })
    expect(sent()).toHaveLength(1)
  })

  // spec L8.1
  test('whose captcha the server refuses leads back to a captcha', async () => {
    const { asked, decide, world } = await open({
      sendEmailCode: () => {
        throw refused('invalid_captcha', 400)
      },
    })
    await world.enter(0, 'submit', email)
    await decide({ token: 'spent' })
    await settle()
    expect(world.state('ERROR_SCREEN')).toMatchObject({
      title: 'Something went wrong',
      detail: 'Please try again.',
    })
    await world.press('ERROR_SCREEN', 'retry')
    await world.enter(0, 'submit', email)
    expect(asked).toHaveLength(1)
  })
})
