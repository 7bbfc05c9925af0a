import type { ClientConfig } from '@latchkey/protocol'
import { describe, expect, test } from 'vitest'
import { makeDecidedCaptcha } from '../../testing/captcha.ts'
import { settle } from '../../testing/clock.ts'
import { type Answers, makeFixture, refused, watch } from '../../testing/fixture.ts'
import { makeAuthAnswer, visitorUser } from '../../testing/fixtures.ts'
import { submitPhone } from '../../testing/page.tsx'
import { readCard } from '../../testing/read-screen.ts'
import { capabilities } from '../index.ts'

const app = { emailAuth: false, smsAuth: true }
const phone = '+12025550123'
const phoneNumber = '+1 2025550123'
const user = {
  ...visitorUser,
  linkedAccounts: [
    { type: 'phone' as const, phoneNumber, verifiedAt: 1, firstVerifiedAt: 1, latestVerifiedAt: 1 },
  ],
}
const happy: Answers = {
  sendSmsCode: () => ({ success: true }),
  loginWithSmsCode: () => makeAuthAnswer({ user }),
  me: () => user,
}

async function open(answers: Answers = happy, config: ClientConfig = { intl: { defaultCountry: 'FR' } }) {
  const fixture = await makeFixture({ answers, app, config })
  const login = watch(fixture.login())
  await settle()
  return { fixture, login }
}

describe('a login by SMS', () => {
  // spec L1.16, L2.20
  test.each([
    [{ intl: { defaultCountry: 'FR' } }, '+33', 'France (+33)'],
    [{}, '+1', 'United States (+1)'],
  ])('begins with the country of a host of %j', async (config, callingCode, country) => {
    const { fixture } = await open(happy, config)
    expect(readCard(fixture)).toEqual(['Log in or sign up', callingCode, country])
  })

  // spec L1.3, L7.29, L7.36
  test('sends a code to the qualified number, takes it trimmed, and names the phone', async () => {
    const { fixture, login } = await open()
    const page = await submitPhone(fixture, phone)
    expect(fixture.transport.calls('sendSmsCode')[0]?.body).toEqual({ phoneNumber: '+1 2025550123' })
    await page.see('+1 2025550123')
    expect(page.texts()).toContain('Didn’t get a message?')
    await page.paste('Digit 1 of 6', ' 123456 ')
    expect(fixture.transport.calls('loginWithSmsCode')[0]?.body).toEqual({
      phoneNumber: '+1 2025550123',
      code: '123456',
    })
    expect(login.value).toMatchObject({
      loginMethod: 'sms',
      loginAccount: { type: 'phone', phoneNumber: '+1 2025550123' },
    })
  })

  // spec L7.29
  test('sends the number with the token of a captcha, and resends with a new token', async () => {
    const { behind, decide } = makeDecidedCaptcha()
    const fixture = await makeFixture({ answers: happy, app, capabilities: behind(capabilities) })
    watch(fixture.login())
    await settle()
    const page = await submitPhone(fixture, phone)
    await decide({ token: 'first' })
    await page.press('Resend code')
    await decide({ token: 'second' })
    expect(fixture.transport.calls('sendSmsCode').map(({ body }) => body)).toEqual([
      { phoneNumber, token: 'first' },
      { phoneNumber, token: 'second' },
    ])
  })

  test('keeps the entered number when the user goes back', async () => {
    const { fixture } = await open()
    const page = await submitPhone(fixture, phone)
    await fixture.back()
    expect([page.value('Phone number'), page.isBusy('Submit phone number')]).toEqual([
      '(202) 555-0123',
      false,
    ])
  })

  test('sends no code to an invalid number', async () => {
    const { fixture } = await open()
    const page = await submitPhone(fixture, '+1202')
    await page.pressKey('Enter')
    expect(fixture.transport.sent.filter(({ name }) => name === 'sendSmsCode')).toEqual([])
  })

  // spec L8.5
  test('shows an error for a region that receives no messages', async () => {
    const { fixture } = await open({
      ...happy,
      sendSmsCode: () => {
        throw refused('not_supported', 400, 'SMS authentication from this region is not available')
      },
    })
    await submitPhone(fixture, phone)
    expect(readCard(fixture)).toEqual(
      expect.arrayContaining([
        'This region is not supported',
        'SMS authentication from this region is not available',
        'Try another method',
      ]),
    )
  })
})
