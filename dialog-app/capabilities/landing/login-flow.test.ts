import { expect, test } from 'vitest'
import type { OfferedMethod } from '../../contract/login.ts'
import type { Settings } from '../../host/settings.ts'
import { makeSettings } from '../../testing/fixtures.ts'
import { offeredMethods } from './login-flow.ts'

const bring = (method: OfferedMethod['method'], appSetting: OfferedMethod['appSetting']): OfferedMethod => ({
  method,
  appSetting,
  shows: 'row',
  load: () => Promise.reject(new Error('not loaded here')),
})
const brought = [bring('email', 'emailAuth'), bring('passkey', 'passkeyAuth')]
const offered = (settings: Settings) => offeredMethods(settings, brought).map(({ method }) => method)

// spec L1.11
test('methods that are off are not offered, whoever turned them off', () => {
  expect(offered(makeSettings())).toEqual(['email'])
  expect(offered(makeSettings({ emailAuth: false }))).toEqual([])
  expect(offered(makeSettings({}, { loginMethods: ['wallet'] }))).toEqual([])
  expect(offered(makeSettings({}, { loginMethodsAndOrder: { primary: ['email', 'email'] } }))).toEqual([
    'email',
  ])
})

test('the host orders what it chooses among what the app has on', () => {
  const app = { passkeyAuth: true }
  expect(offered(makeSettings(app))).toEqual(['email', 'passkey'])
  const order = { primary: ['passkey'], overflow: ['sms', 'email'] }
  expect(offered(makeSettings(app, { loginMethodsAndOrder: order }))).toEqual(['passkey', 'email'])
})
