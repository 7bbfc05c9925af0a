import { expect, test } from 'vitest'
import type { PageWithProvider } from '../client/page.ts'
import type { EthereumProvider } from '../types/options.ts'
import { createCall, readAnswer } from './calls.ts'
import { receiveEvent } from './events.ts'

const user = { id: 'usr_1', createdAt: 1, linkedAccounts: [] }
const appId = 'a'.repeat(25)
const pageWith = (events: EventTarget): PageWithProvider => ({
  send: () => Promise.reject(new Error('Asked')),
  events,
  appId,
  provider: {} as EthereumProvider,
  implement: () => expect.unreachable(),
  announce: () => expect.unreachable(),
})
const configure = async () => expect.unreachable()
const tokens = { provider: 'google', accessToken: 'ya29', scopes: ['openid'] }

test('reauthorize sends the provider and returns the user', () => {
  expect(
    createCall('reauthorize', [{ provider: 'google' }, { signal: new AbortController().signal }]),
  ).toEqual({
    call: 'reauthorize',
    data: { provider: 'google' },
  })
  expect(readAnswer('reauthorize', { user }, pageWith(new EventTarget()))).toEqual(user)
})

test('the oauthTokens event contains tokens and user, also with fields of later dialogs', () => {
  const data = { tokens: { ...tokens, idToken: 'later' }, user }
  const events = new EventTarget()
  const received: unknown[] = []
  events.addEventListener('oauthTokens', (event) => received.push(Reflect.get(event, 'detail')))
  receiveEvent({ name: 'oauthTokens', data }, pageWith(events), { configure, config: () => ({}) })
  expect(received).toEqual([data])
})

test.each([
  ['no token', { tokens: { provider: 'google' }, user }],
  ['no provider', { tokens: { accessToken: 'ya29' }, user }],
  ['no user', { tokens }],
  ['nothing', null],
])('an oauthTokens event with %s is ignored', (_what, data) => {
  const events = new EventTarget()
  events.addEventListener('oauthTokens', () => expect.unreachable())
  receiveEvent({ name: 'oauthTokens', data }, pageWith(events), { configure, config: () => ({}) })
})

const round: { self?: unknown } = {}
round.self = round
test.each([
  ['reauthorize', []],
  ['signTypedData', [round]],
  ['signFarcasterMessage', []],
])('%s rejects unreadable arguments with a code', (name, args) => {
  expect(() => createCall(name, args)).toThrow(
    expect.objectContaining({ name: 'LatchkeyError', code: 'invalid_data' }),
  )
})

test.each([
  ['signMessage', [new Uint8Array(2)], 'message must be a string'],
  ['signMessage', [], 'message must be a string'],
  ['signTypedData', [], 'data must be an object'],
  ['signTypedData', [7], 'data must be an object'],
  ['sendTransaction', [], 'transaction must be an object'],
  ['sendTransaction', ['0x'], 'transaction must be an object'],
  ['unlinkEmail', [], 'id must be a string'],
  ['reauthorize', [], 'account must be an object'],
  ['importWallet', [{}], 'privateKey must be a string'],
  [
    'signFarcasterMessage',
    [new Uint8Array(3)],
    'The hash of a Farcaster message is a Uint8Array of 20 bytes',
  ],
  ['signFarcasterMessage', ['a'.repeat(20)], 'The hash of a Farcaster message is a Uint8Array of 20 bytes'],
])('%s(%j) rejects with a message that names the wrong argument', (name, args, message) => {
  expect(() => createCall(name, args)).toThrow(
    expect.objectContaining({ name: 'LatchkeyError', code: 'invalid_data', message }),
  )
})

test.each([
  ['signMessage', ['hi'], { message: 'hi', ui: {} }],
  ['signTypedData', [{ a: 1n }], { data: '{"a":"1"}', ui: {} }],
  ['signTypedData', ['{}'], { data: '{}', ui: {} }],
  ['sendTransaction', [{ to: '0x1' }], { transaction: { to: '0x1' }, ui: {} }],
  ['unlinkEmail', ['a@b.example'], { method: 'email', id: 'a@b.example' }],
  ['importWallet', [], {}],
  ['signFarcasterMessage', [new Uint8Array(20).fill(255)], { hash: `${'_'.repeat(26)}8` }],
])('%s sends valid arguments unchanged', async (name, args, data) => {
  expect((await createCall(name, args)).data).toEqual(data)
})
