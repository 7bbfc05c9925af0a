import { LatchkeyError } from '@latchkey/protocol'
import { describe, expect, test } from 'vitest'
import type { CaptchaPass } from '../../../contract/login.ts'
import { playing } from '../../../testing/machine.ts'
import type { CrossAppGrant } from '../auth.ts'
import { initialRequest, type RequestEvent, type RequestState, requestStep } from './request-state.ts'

const after = playing(requestStep)
const connected = initialRequest(true)
const unconnected = initialRequest(false)
const grant = {} as CrossAppGrant
const pass = {} as CaptchaPass
const pressed: RequestEvent = { type: 'pressed', needsPass: false }
const shown: RequestEvent = { type: 'window shown', window: { window: 'open' } }
const toGranted: readonly RequestEvent[] = [pressed, shown, { type: 'granted', result: '0x5e' }]
const toConnecting: readonly RequestEvent[] = [pressed, shown, { type: 'connection granted', grant }]
const refusedWith = (
  code: 'user_rejected_request' | 'missing_or_invalid_token' | 'client_request_timeout' | 'unable_to_sign',
) => ({ type: 'refused', error: new LatchkeyError(code, 'refused') }) as const

describe('the state machine of a request to another app', () => {
  test('opens the request window, after connecting the account if there is no token', () => {
    const ways = [
      [connected, [], 'ready', []],
      [connected, [pressed], 'ready', ['open request']],
      [connected, [pressed, shown], 'waiting', []],
      [connected, toGranted, 'granted', ['track', 'succeed']],
      [unconnected, [], 'lost', []],
      [unconnected, [pressed], 'lost', ['open connection']],
      [unconnected, toConnecting, 'connecting', ['connect']],
      [unconnected, [...toConnecting, { type: 'connected', hasToken: true }], 'ready', ['track']],
      [
        unconnected,
        [...toConnecting, { type: 'connected', hasToken: true }, pressed],
        'ready',
        ['open request'],
      ],
      [unconnected, [...toConnecting, { type: 'connected', hasToken: false }], 'lost', ['track']],
    ] satisfies readonly (readonly [RequestState, readonly RequestEvent[], string, readonly string[]])[]
    expect(
      ways.map(([from, events]) => {
        const { at, effects } = after(from, ...events)
        return [from, events, at, effects.map(({ type }) => type)]
      }),
    ).toEqual(ways)
  })

  test.each([
    ['a refusal after the grant', connected, toGranted, refusedWith('user_rejected_request')],
    ['a press after the grant', connected, toGranted, pressed],
    ['a press while connecting', unconnected, toConnecting, pressed],
    ['a window that closes while connecting', unconnected, toConnecting, shown],
    [
      'a second connection while connecting',
      unconnected,
      toConnecting,
      { type: 'connection granted', grant },
    ],
    ['a connection without a window', connected, [], { type: 'connected', hasToken: true }],
  ] satisfies readonly (readonly [string, RequestState, readonly RequestEvent[], RequestEvent])[])(
    'ignores %s',
    (_, from, events, event) => {
      const { state } = after(from, ...events)
      expect(requestStep(state, event)).toEqual([state])
      expect(requestStep(state, event)[0]).toBe(state)
    },
  )

  test.each([
    ['user_rejected_request', 'waiting', ['track', 'reject']],
    ['missing_or_invalid_token', 'lost', ['track']],
    ['client_request_timeout', 'failed', ['track', 'settle']],
    ['unable_to_sign', 'failed', ['track']],
  ] as const)('enters the right phase after an error: %s leads to %s', (code, at, effects) => {
    const refused = after(connected, pressed, shown, refusedWith(code))
    expect([refused.at, refused.effects.map(({ type }) => type)]).toEqual([at, effects])
    expect(refused.state.closing.code).toBe(code)
  })

  test('requires a captcha before each connection window, but not before a request', () => {
    const needed: RequestEvent = { type: 'pressed', needsPass: true }
    expect(after(connected, needed).effects).toEqual([{ type: 'open request' }])
    expect(after(unconnected, needed).effects).toEqual([{ type: 'ask for pass' }])
    const passed = [needed, { type: 'passed', pass }, needed] as const
    expect(after(unconnected, ...passed).effects).toEqual([{ type: 'open connection', pass }])
    expect(after(unconnected, ...passed, needed).effects).toEqual([{ type: 'ask for pass' }])
    const left = [needed, { type: 'passed', pass: undefined }, needed] as const
    expect(after(unconnected, ...left).effects).toEqual([{ type: 'ask for pass' }])
  })

  test('reports the last failure to the caller when the user leaves', () => {
    const closing = (from: RequestState, ...events: readonly RequestEvent[]) =>
      after(from, ...events).state.closing.code
    expect(closing(connected)).toBe('user_rejected_request')
    expect(closing(unconnected)).toBe('missing_or_invalid_token')
    expect(closing(connected, pressed, shown, refusedWith('unable_to_sign'))).toBe('unable_to_sign')
    expect(closing(connected, pressed, shown, refusedWith('unable_to_sign'), pressed)).toBe(
      'user_rejected_request',
    )
  })
})
