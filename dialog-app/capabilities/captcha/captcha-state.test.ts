import { describe, expect, test } from 'vitest'
import { playing } from '../../testing/machine.ts'
import { type CheckEvent, checkStep, shownCaptcha, unchecked } from './captcha-state.ts'
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

describe('the machine of a captcha', () => {
  test('opens its widget, looks at it until there is an answer, and tries it anew', () => {
    const ways = [
      [toLoading.slice(0, 1), 'ready', ['preload', 'try after']],
      [toLoading, 'loading', ['watch for the deadline', 'open']],
      [toOpened, 'loading', ['execute', 'look']],
      [toAsking, 'asking', ['look']],
      [[...toAsking, looked({ type: 'none yet' })], 'loading', ['watch for the deadline', 'look']],
      [toPassed, 'passed', ['keep', 'hold']],
      [toFailed, 'failed', []],
      [toRetrying, 'retrying', ['try after']],
      // The widget that is there is used again, and a script that did not come is asked for again.
      [toSecond, 'loading', ['watch for the deadline', 'execute', 'look']],
      [toBroken, 'failed', []],
      [[...toBroken, { type: 'retry' }, { type: 'try' }], 'loading', ['watch for the deadline', 'open']],
      [[...toOpened, { type: 'too late', deadline: 1 }], 'loading', ['end']],
      [[...toAsking, looked({ type: 'none yet' }), { type: 'too late', deadline: 3 }], 'loading', ['end']],
    ] satisfies readonly (readonly [readonly CheckEvent[], string, readonly string[]])[]
    expect(
      ways.map(([events]) => {
        const { at, effects } = after(unchecked, ...events)
        return [events, at, effects.map(({ type }) => type)]
      }),
    ).toEqual(ways)
  })

  test.each([
    ['the deadline of a try that failed', toFailed, { type: 'too late', deadline: 1 }],
    ['the deadline of an earlier try', toSecond, { type: 'too late', deadline: 1 }],
    ['the deadline after it was passed', toPassed, { type: 'too late', deadline: 1 }],
    ['the deadline while its user is asked', toAsking, { type: 'too late', deadline: 1 }],
    [
      'the deadline of the wait before its user was asked',
      [...toAsking, looked({ type: 'none yet' })],
      { type: 'too late', deadline: 1 },
    ],
    ['what an earlier try answers', toSecond, looked({ type: 'passed', token: 'token' })],
    ['a second answer', toPassed, looked({ type: 'failed' })],
    ['a retry while it loads', toOpened, { type: 'retry' }],
    ['a second retry', toRetrying, { type: 'retry' }],
    ['a second beginning', toOpened, { type: 'try' }],
  ] satisfies readonly (readonly [string, readonly CheckEvent[], CheckEvent])[])(
    'is not changed by %s',
    (_, events, event) => {
      const { state } = after(unchecked, ...events)
      expect(checkStep(state, event)).toEqual([state])
      expect(checkStep(state, event)[0]).toBe(state)
    },
  )

  test('counts a pause before the next try as a try that is used', () => {
    expect(shownCaptcha(after(unchecked, ...toRetrying).state)).toEqual({ status: 'loading', retriesLeft: 2 })
  })
})
