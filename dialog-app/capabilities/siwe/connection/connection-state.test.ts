import { LatchkeyError } from '@latchkey/protocol'
import { describe, expect, test } from 'vitest'
import {
  type ConnectionEvent,
  type ConnectionState,
  connectionReducer,
  firstConnection,
  isGivenUp,
} from './connection-state.ts'

const after = (...events: readonly ConnectionEvent[]): ConnectionState =>
  events.reduce(connectionReducer, firstConnection)

const meeting = { uri: 'wc:1', link: undefined, canInstall: true }
const appLink = 'https://rnbwapp.com/wc'
const [address, wanted] = ['0xother', '0xwallet']
const failing = (attempt: number, code: LatchkeyError['code'] = 'client_request_timeout') =>
  ({ type: 'failed', attempt, error: new LatchkeyError(code, 'failed') }) as const
const showing = (attempt: number, status: 'switching' | 'sign') =>
  ({ type: 'shown', attempt, step: { status } }) as const
const retry: ConnectionEvent = { type: 'retry' }
const meet = (attempt: number): ConnectionEvent => ({ type: 'meeting', attempt, meeting })
const connected = (attempt: number): ConnectionEvent => ({ type: 'connected', attempt, appLink })
const bringOther: ConnectionEvent = { type: 'other account', attempt: 1, address, wanted, appLink }

const failed: readonly ConnectionEvent[] = [failing(1)]
const failedAgain: readonly ConnectionEvent[] = [...failed, retry, failing(2)]
const givenUp: readonly ConnectionEvent[] = [...failedAgain, retry, failing(3)]

describe('the connection to a wallet', () => {
  test.each<[string, readonly ConnectionEvent[], ConnectionState['step']]>([
    ['waits for the wallet', [], { status: 'connecting' }],
    ['shows where the wallet meets it', [meet(1)], { status: 'connecting', meeting }],
    ['switches the chain', [connected(1), showing(1, 'switching')], { status: 'switching' }],
    ['is used', [connected(1), showing(1, 'sign')], { status: 'sign' }],
    [
      'keeps its step until its use shows another',
      [meet(1), connected(1)],
      { status: 'connecting', meeting },
    ],
    ['needs another account', [bringOther], { status: 'other account', address, wanted }],
    ['tries again with another account', [bringOther, retry], { status: 'connecting' }],
    ['fails', failed, { status: 'failed', problem: 'timedOut', isRepeated: false }],
    ['tries again after a failure', [...failed, retry], { status: 'connecting' }],
    ['forgets the meeting of the attempt before', [meet(1), ...failed, retry], { status: 'connecting' }],
  ])('%s', (_, events, step) => {
    expect(after(...events).step).toEqual(step)
  })

  test('keeps the link to the app for later attempts', () => {
    expect(after(connected(1), ...failed, retry).appLink).toBe(appLink)
    expect(after(bringOther, retry).appLink).toBe(appLink)
  })

  test('can be tried twice more, and is given up after the third failure', () => {
    expect(after(...failedAgain).step).toEqual({ status: 'failed', problem: 'timedOut', isRepeated: true })
    expect([failed, failedAgain, givenUp].map((events) => isGivenUp(after(...events)))).toEqual([
      false,
      false,
      true,
    ])
  })

  test('is not given up if another user has the account', () => {
    const state = after(...givenUp.slice(0, -1), failing(3, 'linked_to_another_user'))
    expect(state.step).toMatchObject({ status: 'failed', problem: 'userExists' })
    expect(isGivenUp(state)).toBe(false)
    expect(connectionReducer(state, retry).step).toEqual({ status: 'connecting' })
  })

  test('counts no failure for another account', () => {
    expect(after(bringOther, retry).failures).toBe(0)
    expect(after(...failed, retry).failures).toBe(1)
  })

  test.each<[string, readonly ConnectionEvent[], ConnectionEvent]>([
    ['a failure of an earlier attempt', [...failed, retry], failing(1)],
    ['an account of an earlier attempt', [...failed, retry], connected(1)],
    ['a meeting of an earlier attempt', [...failed, retry], meet(1)],
    ['a step after the failure of its attempt', failed, showing(1, 'sign')],
    ['another attempt during the present one', [connected(1)], retry],
    ['another attempt after it was given up', givenUp, retry],
  ])('ignores %s', (_, events, event) => {
    const state = after(...events)
    expect(connectionReducer(state, event)).toBe(state)
  })
})
