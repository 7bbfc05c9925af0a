import { LatchkeyError } from '@latchkey/protocol'
import { describe, expect, test } from 'vitest'
import type { Approval } from '../../../approval/approval.ts'
import { playing } from '../../../testing/machine.ts'
import { type EnrolPasskeysEvent, enrolPasskeysStep, unprotected } from './enrol-passkeys-state.ts'

const after = playing(enrolPasskeysStep)
const makeApproval = () => ({}) as Approval
const approval = makeApproval()
const earlier = makeApproval()
const gate = { state: 'waiting', sinceMs: 0, asks: false } as const
const put: EnrolPasskeysEvent = { type: 'put', approval, gate }
const approved: EnrolPasskeysEvent = { type: 'approved', approval }
const failed: EnrolPasskeysEvent = {
  type: 'failed',
  cause: new LatchkeyError('passkey_not_allowed', 'not allowed'),
}
const toReview: readonly EnrolPasskeysEvent[] = [{ type: 'begin' }, put]
const toAdding: readonly EnrolPasskeysEvent[] = [...toReview, { type: 'add' }]
const toEnabling: readonly EnrolPasskeysEvent[] = [...toReview, approved]

describe('the machine of passkeys that are to verify', () => {
  test('enables those that are approved, or one that is added', () => {
    const ways = [
      [toReview.slice(0, 1), 'beginning', ['put']],
      [toReview, 'review', ['show']],
      [toEnabling, 'enabling', ['enable']],
      [toAdding, 'adding', ['add']],
      [[...toAdding, { type: 'added' }], 'enabling', ['enable']],
      [[...toAdding, failed], 'adding', ['put']],
      [[...toEnabling, failed], 'enabling', ['put']],
      [[...toEnabling, failed, put], 'review', []],
    ] satisfies readonly (readonly [readonly EnrolPasskeysEvent[], string, readonly string[]])[]
    expect(
      ways.map(([events]) => {
        const { at, effects } = after(unprotected, ...events)
        return [events, at, effects.map(({ type }) => type)]
      }),
    ).toEqual(ways)
  })

  test.each([
    ['an approval of an earlier try', toReview, { type: 'approved', approval: earlier }],
    ['the gate of an earlier try', toReview, { type: 'gate changed', approval: earlier, gate }],
    ['an approval while one is added', toAdding, approved],
    ['another passkey while one is added', toAdding, { type: 'add' }],
    ['another passkey while they are enabled', toEnabling, { type: 'add' }],
  ] satisfies readonly (readonly [string, readonly EnrolPasskeysEvent[], EnrolPasskeysEvent])[])(
    'is not changed by %s',
    (_, events, event) => {
      const { state } = after(unprotected, ...events)
      expect(enrolPasskeysStep(state, event)).toEqual([state])
      expect(enrolPasskeysStep(state, event)[0]).toBe(state)
    },
  )

  test('says why none was added until the user adds one again', () => {
    const again = after(unprotected, ...toAdding, failed, put)
    expect(again.state.problem).toBe('passkeyNotAllowed')
    expect(after(again.state, { type: 'add' }).state.problem).toBeUndefined()
  })
})
