import { describe, expect, test } from 'vitest'
import { playing } from '../../testing/machine.ts'
import { type CheckEvent, checkStep, retriesLeft, unchecked } from './captcha-state.ts'
import type { Widget, WidgetResult } from './widget.ts'

const after = playing(checkStep)
const widget = {} as Widget
const looked = (result: WidgetResult, attempt = 1): CheckEvent => ({ type: 'looked', attempt, result })
const toLoading: readonly CheckEvent[] = [{ type: 'begin' }, { type: 'try' }]
const toOpened: readonly CheckEvent[] = [...toLoading, { type: 'opened', attempt: 1, widget }]
const toAsking: readonly CheckEvent[] = [...toOpened, looked({ type: 'asking' })]
const toPassed: readonly CheckEvent[] = [...toAsking, looked({ type: 'passed', token: 'token' })]
const toFailed: readonly CheckEvent[] = [...toOpened, looked({ type: 'failed' })]
const toBroken: readonly CheckEvent[] = [...toLoading, { type: 'broken', attempt: 1 }]
const toRetrying: readonly CheckEvent[] = [...toFailed, { type: 'retry' }]
const toSecond: readonly CheckEvent[] = [...toRetrying, { type: 'try' }]

describe('the rules of a captcha', () => {
  test('open the widget, poll it for its result, and retry', () => {
    const ways = [
      [toLoading.slice(0, 1), 'ready', ['preload', 'try after']],
      [toLoading, 'loading', ['watch for the deadline', 'open']],
      [toOpened, 'loading', ['execute', 'look']],
      [toAsking, 'asking', ['look']],
      [[...toAsking, looked({ type: 'none yet' })], 'loading', ['watch for the deadline', 'look']],
      [toPassed, 'passed', ['pass']],
      [toFailed, 'failed', []],
      [toRetrying, 'retrying', ['try after']],
      // A loaded widget is used again, and a failed script is requested again.
      [toSecond, 'loading', ['watch for the deadline', 'execute', 'look']],
      [toBroken, 'failed', []],
      [[...toBroken, { type: 'retry' }, { type: 'try' }], 'loading', ['watch for the deadline', 'open']],
      [[...toOpened, { type: 'too late', deadline: 1 }], 'loading', ['give up']],
      [
        [...toAsking, looked({ type: 'none yet' }), { type: 'too late', deadline: 3 }],
        'loading',
        ['give up'],
      ],
    ] satisfies readonly (readonly [readonly CheckEvent[], string, readonly string[]])[]
    expect(
      ways.map(([events]) => {
        const { at, effects } = after(unchecked, ...events)
        return [events, at, effects.map(({ type }) => type)]
      }),
    ).toEqual(ways)
  })

  test.each([
    ['the deadline of a failed attempt', toFailed, { type: 'too late', deadline: 1 }],
    ['the deadline of an earlier attempt', toSecond, { type: 'too late', deadline: 1 }],
    ['the deadline after the captcha was passed', toPassed, { type: 'too late', deadline: 1 }],
    ['the deadline while the widget waits for the user', toAsking, { type: 'too late', deadline: 1 }],
    [
      'the deadline of the wait before the widget asked the user',
      [...toAsking, looked({ type: 'none yet' })],
      { type: 'too late', deadline: 1 },
    ],
    ['the result of an earlier attempt', toSecond, looked({ type: 'passed', token: 'token' })],
    ['a second result', toPassed, looked({ type: 'failed' })],
    ['a retry while the widget loads', toOpened, { type: 'retry' }],
    ['a second retry', toRetrying, { type: 'retry' }],
    ['a second start', toOpened, { type: 'try' }],
  ] satisfies readonly (readonly [string, readonly CheckEvent[], CheckEvent])[])(
    'ignore %s',
    (_, events, event) => {
      const { state } = after(unchecked, ...events)
      expect(checkStep(state, event)).toEqual([state])
      expect(checkStep(state, event)[0]).toBe(state)
    },
  )

  test('count the pause before an attempt as a used retry', () => {
    expect(retriesLeft(unchecked)).toBe(3)
    expect(retriesLeft(after(unchecked, ...toRetrying).state)).toBe(2)
  })
})
