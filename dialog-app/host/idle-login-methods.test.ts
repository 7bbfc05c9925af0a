import { expect, test } from 'vitest'
import { appConfig } from '../testing/fixtures.ts'
import { idleLoginMethods } from './idle-login-methods.ts'

const app = { ...appConfig, emailAuth: true, walletAuth: false }
const made = new Set(['email'])
const sentence = (method: string) =>
  `The login method "${method}" is on, but this release of Latchkey does not have it.`

test('a method that the app turned on and nothing serves is told', () => {
  const withMore = { ...app, googleOauth: true, smsAuth: true }
  expect(idleLoginMethods({ app: withMore, config: {} }, made)).toEqual([sentence('sms'), sentence('google')])
})

test('a method that the host turned on and nothing serves is told once', () => {
  const config = {
    loginMethods: ['email', 'passkey'],
    loginMethodsAndOrder: { primary: ['email', 'passkey'], overflow: ['metamask'] },
  } as const
  const lists = { primary: [...config.loginMethodsAndOrder.primary], overflow: ['metamask'] }
  const heard = { loginMethods: [...config.loginMethods], loginMethodsAndOrder: lists }
  expect(idleLoginMethods({ app, config: heard }, made)).toEqual([sentence('passkey'), sentence('metamask')])
})

test('methods that are served are not told of', () => {
  expect(idleLoginMethods({ app, config: { loginMethods: ['email'] } }, made)).toEqual([])
})
