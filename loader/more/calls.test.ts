import { expect, test } from 'vitest'
import { askOf, readAnswer } from './calls.ts'
import { hear } from './events.ts'

const user = { id: 'usr_1', createdAt: 1, linkedAccounts: [] }
const appId = 'a'.repeat(25)
const neverAsked = () => Promise.reject(new Error('Asked'))
const tokens = { provider: 'google', accessToken: 'ya29', scopes: ['openid'] }

test('a provider is named to go there again, and the user comes back', () => {
  expect(askOf('reauthorize', [{ provider: 'google' }, { signal: new AbortController().signal }])).toEqual({
    call: 'reauthorize',
    data: { provider: 'google' },
  })
  expect(readAnswer('reauthorize', { user }, neverAsked, new EventTarget(), appId)).toEqual(user)
})

test('what a provider hands out is told with its user, as a later dialog may write it too', () => {
  const data = { tokens: { ...tokens, idToken: 'later' }, user }
  const events = new EventTarget()
  const heard: unknown[] = []
  events.addEventListener('oauthTokens', (event) => heard.push(Reflect.get(event, 'detail')))
  hear({ name: 'oauthTokens', data }, neverAsked, events, appId)
  expect(heard).toEqual([data])
})

test.each([
  ['no token', { tokens: { provider: 'google' }, user }],
  ['no provider', { tokens: { accessToken: 'ya29' }, user }],
  ['no user', { tokens }],
  ['nothing', null],
])('an event with %s is none', (_what, data) => {
  const events = new EventTarget()
  events.addEventListener('oauthTokens', () => expect.unreachable())
  hear({ name: 'oauthTokens', data }, neverAsked, events, appId)
})

const round: { self?: unknown } = {}
round.self = round
test.each([
  ['reauthorize', []],
  ['signTypedData', [round]],
  ['signFarcasterMessage', []],
])('%s of what can not be asked has a code', (name, args) => {
  expect(() => askOf(name, args)).toThrow(
    expect.objectContaining({ name: 'LatchkeyError', code: 'invalid_data' }),
  )
})

test.each([new Uint8Array(2), () => {}, 7, undefined])(
  'a message that is no text, %s, crosses as none',
  (message) => {
    expect(askOf('signMessage', [message])).toEqual({ call: 'signMessage', data: { message: null, ui: {} } })
  },
)
