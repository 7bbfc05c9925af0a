import { LatchkeyError } from '@latchkey/protocol'
import { describe, expect, test } from 'vitest'
import type { CaptchaPass } from '../../../contract/login.ts'
import { playing } from '../../../testing/machine.ts'
import type { CrossAppGrant } from '../auth.ts'
import { type RequestEvent, requestStep, unasked } from './request-state.ts'

const after = playing(requestStep)
const begun = unasked()
const grant = {} as CrossAppGrant
const pass = {} as CaptchaPass
const begin: RequestEvent = { type: 'begin' }
const pressed: RequestEvent = { type: 'pressed', needsPass: false }
const shown: RequestEvent = { type: 'window shown', window: { window: 'open' } }
const toReady: readonly RequestEvent[] = [begin, { type: 'checked', isConnected: true }]
const toLost: readonly RequestEvent[] = [begin, { type: 'checked', isConnected: false }]
const toGranted: readonly RequestEvent[] = [...toReady, pressed, shown, { type: 'granted', result: '0x5e' }]
const toConnecting: readonly RequestEvent[] = [
  ...toLost,
  pressed,
  shown,
  { type: 'connection granted', grant },
]
const refusedWith = (
  code: 'user_rejected_request' | 'missing_or_invalid_token' | 'client_request_timeout' | 'unable_to_sign',
) => ({ type: 'refused', error: new LatchkeyError(code, 'refused') }) as const

describe('the machine of a request to another app', () => {
  test('asks in a window, and connects anew first where there is no token', () => {
    const ways = [
      [toReady, 'ready', []],
      [[...toReady, pressed], 'ready', ['open request']],
      [[...toReady, pressed, shown], 'waiting', []],
      [toGranted, 'granted', ['track', 'settle', 'hold']],
      [toLost, 'lost', []],
      [[...toLost, pressed], 'lost', ['open connection']],
      [toConnecting, 'connecting', ['connect']],
      [[...toConnecting, { type: 'connected', hasToken: true }], 'ready', ['track']],
      [[...toConnecting, { type: 'connected', hasToken: true }, pressed], 'ready', ['open request']],
      [[...toConnecting, { type: 'connected', hasToken: false }], 'lost', ['track']],
    ] satisfies readonly (readonly [readonly RequestEvent[], string, readonly string[]])[]
    expect(
      ways.map(([events]) => {
        const { at, effects } = after(begun, ...events)
        return [events, at, effects.map(({ type }) => type)]
      }),
    ).toEqual(ways)
  })

  test.each([
    ['a refusal after it was granted', toGranted, refusedWith('user_rejected_request')],
    ['a press after it was granted', toGranted, pressed],
    ['a press while it connects', toConnecting, pressed],
    ['a window that closes while it connects', toConnecting, shown],
    ['a second connection while it connects', toConnecting, { type: 'connection granted', grant }],
    ['a connection that nobody asked for', toReady, { type: 'connected', hasToken: true }],
  ] satisfies readonly (readonly [string, readonly RequestEvent[], RequestEvent])[])(
    'is not changed by %s',
    (_, events, event) => {
      const { state } = after(begun, ...events)
      expect(requestStep(state, event)).toEqual([state])
      expect(requestStep(state, event)[0]).toBe(state)
    },
  )

  test.each([
    ['user_rejected_request', 'waiting', ['track', 'end']],
    ['missing_or_invalid_token', 'lost', ['track']],
    ['client_request_timeout', 'failed', ['track', 'settle']],
    ['unable_to_sign', 'failed', ['track']],
  ] as const)('after %s it is %s', (code, at, effects) => {
    const refused = after(begun, ...toReady, pressed, shown, refusedWith(code))
    expect([refused.at, refused.effects.map(({ type }) => type)]).toEqual([at, effects])
    expect(refused.state.closing.code).toBe(code)
  })

  test('asks for a captcha before each window of a connection, and for none before a request', () => {
    const needed: RequestEvent = { type: 'pressed', needsPass: true }
    expect(after(begun, ...toReady, needed).effects).toEqual([{ type: 'open request' }])
    expect(after(begun, ...toLost, needed).effects).toEqual([{ type: 'ask for pass' }])
    const passed = [...toLost, needed, { type: 'passed', pass }, needed] as const
    expect(after(begun, ...passed).effects).toEqual([{ type: 'open connection', pass }])
    expect(after(begun, ...passed, needed).effects).toEqual([{ type: 'ask for pass' }])
    const left = [...toLost, needed, { type: 'passed', pass: undefined }, needed] as const
    expect(after(begun, ...left).effects).toEqual([{ type: 'ask for pass' }])
  })

  test('tells a caller whose user leaves what the last try came to', () => {
    const closing = (...events: readonly RequestEvent[]) => after(begun, ...events).state.closing.code
    expect(closing(...toReady)).toBe('user_rejected_request')
    expect(closing(...toLost)).toBe('missing_or_invalid_token')
    expect(closing(...toReady, pressed, shown, refusedWith('unable_to_sign'))).toBe('unable_to_sign')
    expect(closing(...toReady, pressed, shown, refusedWith('unable_to_sign'), pressed)).toBe(
      'user_rejected_request',
    )
  })
})
