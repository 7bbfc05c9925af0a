import type { ClientConfig } from '@latchkey/protocol'
import { describe, expect, test } from 'vitest'
import { settle } from '../../testing/clock.ts'
import { makeAuthAnswer, visitorUser } from '../../testing/fixtures.ts'
import { readCard } from '../../testing/refused-ways.ts'
import { type Answers, makeWorld, refused, watch } from '../../testing/world.ts'
import { emptyPhone, typed } from '../../ui/fields/phone/phone-value.ts'

const app = { emailAuth: false, smsAuth: true }
const phone = typed(emptyPhone('US'), '2025550123')
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
  const world = await makeWorld({ answers, app, config })
  const login = watch(world.login())
  await settle()
  return { world, login }
}

describe('a login by SMS', () => {
  // spec L1.16
  test.each([
    [{ intl: { defaultCountry: 'FR' } }, '+33', 'France (+33)'],
    [{}, '+1', 'United States (+1)'],
  ])('begins with the country of a host of %j', async (config, callingCode, country) => {
    const { world } = await open(happy, config)
    expect(readCard(world)).toEqual(['Log in or sign up', callingCode, country])
  })

  // spec L1.3, L7.29, L7.36
  test('sends a code to the qualified number, takes it trimmed, and names the phone', async () => {
    const { world, login } = await open()
    expect(world.entry(0)).toEqual({ status: 'ready', given: undefined, country: 'FR', isHidden: false })
    await world.enter(0, 'submit', phone)
    expect(world.transport.calls('sendSmsCode')[0]?.body).toEqual({ phoneNumber: '+1 2025550123' })
    expect(world.state('AWAITING_PASSWORDLESS_CODE')).toMatchObject({
      status: 'awaiting-code-input',
      address: '+1 2025550123',
      sentBy: 'message',
    })
    await world.press('AWAITING_PASSWORDLESS_CODE', 'submit', ' 123456 ')
    expect(world.transport.calls('loginWithSmsCode')[0]?.body).toEqual({
      phoneNumber: '+1 2025550123',
      code: '123456',
    })
    expect(login.value).toMatchObject({
      loginMethod: 'sms',
      loginAccount: { type: 'phone', phoneNumber: '+1 2025550123' },
    })
  })

  // spec L7.29
  test('sends another code to the same number', async () => {
    const { world } = await open()
    await world.enter(0, 'submit', phone)
    await world.press('AWAITING_PASSWORDLESS_CODE', 'resend')
    expect(world.transport.calls('sendSmsCode').map(({ body }) => body)).toEqual([
      { phoneNumber },
      { phoneNumber },
    ])
  })

  test('keeps the number for who comes back', async () => {
    const { world } = await open()
    await world.enter(0, 'submit', phone)
    world.back()
    await settle()
    expect(world.entry(0)).toMatchObject({ status: 'ready', given: phone })
  })

  test('sends nothing to what is no number', async () => {
    const { world } = await open()
    await world.enter(0, 'submit', typed(emptyPhone('US'), '202'))
    expect(world.transport.sent.filter(({ name }) => name === 'sendSmsCode')).toEqual([])
  })

  // spec L8.5
  test('from a region that gets no messages is told so', async () => {
    const { world } = await open({
      ...happy,
      sendSmsCode: () => {
        throw refused('not_supported', 400, 'SMS authentication from this region is not available')
      },
    })
    await world.enter(0, 'submit', phone)
    await settle()
    expect(world.state('ERROR_SCREEN')).toMatchObject({
      title: 'This region is not supported',
      detail: 'SMS authentication from this region is not available',
      button: 'Try another method',
    })
  })
})
