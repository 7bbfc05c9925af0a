import { LatchkeyError } from '@latchkey/protocol'
import { describe, expect, test } from 'vitest'
import { playing } from '../../testing/machine.ts'
import type { OfferedMethod } from './enrol/enrolment-screen.tsx'
import { type EnrolmentEvent, enrolmentStep, unchosen } from './enrolment-state.ts'
import type { MethodChange } from './method-change.ts'

const after = playing(enrolmentStep)
const change = {} as MethodChange
const enrol = (status: OfferedMethod['status']): EnrolmentEvent => ({
  type: 'enrol',
  offered: { method: 'sms', status },
})
const remove = (status: OfferedMethod['status']): EnrolmentEvent => ({
  type: 'remove',
  offered: { method: 'totp', status },
})
const toOpening: readonly EnrolmentEvent[] = [enrol('offered'), { type: 'change begun', change }]
const toOpened: readonly EnrolmentEvent[] = [...toOpening, { type: 'opened' }]
const broken: EnrolmentEvent = { type: 'not opened', cause: new LatchkeyError('error', 'Broken') }

describe('the machine of a change of methods', () => {
  test('gives each method an operation of its own, which ends with the next or with the change', () => {
    const ways = [
      [toOpening.slice(0, 1), 'opening', ['enrol']],
      [toOpened, 'choosing', []],
      [[...toOpened, enrol('recommended')], 'opening', ['end change', 'enrol']],
      [[...toOpened, remove('added')], 'choosing', ['end change', 'open removal']],
      [[...toOpened, { type: 'added', method: 'sms' }], 'choosing', ['end change', 'show added']],
      [
        [remove('added'), { type: 'change begun', change }, { type: 'removed' }],
        'choosing',
        ['end change', 'show choice'],
      ],
      [[...toOpening, broken], 'choosing', []],
    ] satisfies readonly (readonly [readonly EnrolmentEvent[], string, readonly string[]])[]
    expect(
      ways.map(([events]) => {
        const { at, effects } = after(unchosen, ...events)
        return [events, at, effects.map(({ type }) => type)]
      }),
    ).toEqual(ways)
    expect(after(unchosen, ...toOpened, { type: 'added', method: 'sms' }).state.change).toBeUndefined()
  })

  test.each([
    ['a method that is added', [], enrol('added')],
    ['a method that is disabled', [], enrol('disabled')],
    ['the removal of a method that is not added', [], remove('offered')],
    ['a second method while one opens', toOpening, enrol('offered')],
    ['a removal while a method opens', toOpening, remove('added')],
  ] satisfies readonly (readonly [string, readonly EnrolmentEvent[], EnrolmentEvent])[])(
    'is not changed by %s',
    (_, events, event) => {
      const { state } = after(unchosen, ...events)
      expect(enrolmentStep(state, event)).toEqual([state])
      expect(enrolmentStep(state, event)[0]).toBe(state)
    },
  )

  test('says why a method did not open until another is chosen', () => {
    const failed = after(unchosen, ...toOpening, broken)
    expect(failed.state.problem).toBe('unknown')
    for (const event of [enrol('offered'), remove('added')]) {
      expect(after(failed.state, event).state.problem).toBeUndefined()
    }
  })
})
