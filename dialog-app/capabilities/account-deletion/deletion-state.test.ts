import { LatchkeyError } from '@latchkey/protocol'
import { mfaCanceledMessage } from '@latchkey/protocol/wallet'
import { describe, expect, test } from 'vitest'
import type { PendingConfirmation, ShownApproval } from '../../approval/confirmed.ts'
import { confirmationExpired, rejectedError } from '../../approval/rejection.ts'
import { playing } from '../../testing/machine.ts'
import type { ConfirmedRequest } from '../../wallet/confirmed.ts'
import { type DeletionEvent, deletionStep, undeleted } from './deletion-state.ts'

const after = playing(deletionStep)
const approval: ShownApproval = { by: 'page', reason: 'browser', way: { at: 'preparing' } }
const makeConfirming = () => ({}) as PendingConfirmation
const confirming = makeConfirming()
const earlier = makeConfirming()
const confirmed = {} as ConfirmedRequest
const lost = new LatchkeyError('server_unreachable', 'lost')
const canceled = new LatchkeyError('missing_or_invalid_mfa', mfaCanceledMessage)

const approved: DeletionEvent = { type: 'approved', confirming, confirmed }
const notApproved = (cause: unknown): DeletionEvent => ({ type: 'not approved', confirming, cause })
const toReview: readonly DeletionEvent[] = [{ type: 'go on' }, { type: 'put', confirming, approval }]
const toDeleting: readonly DeletionEvent[] = [...toReview, approved]
const toStopped: readonly DeletionEvent[] = [...toReview, notApproved(confirmationExpired())]

describe('the machine of a deletion', () => {
  test('deletes what was read and then approved', () => {
    const ways = [
      [toReview.slice(0, 1), 'reading', ['put']],
      [toReview, 'review', []],
      [toDeleting, 'deleting', ['delete']],
      [[...toDeleting, { type: 'deleted' }], 'deleted', []],
      [[...toDeleting, { type: 'not deleted', cause: lost }], 'deleting', ['put']],
      [toStopped, 'stopped', []],
      [[...toStopped, { type: 'go on' }], 'stopped', ['put']],
      [[...toStopped, ...toReview], 'review', []],
    ] satisfies readonly (readonly [readonly DeletionEvent[], string, readonly string[]])[]
    expect(
      ways.map(([events]) => {
        const { at, effects } = after(undeleted, ...events)
        return [events, at, effects.map(({ type }) => type)]
      }),
    ).toEqual(ways)
  })

  test.each([
    ['an approval of an earlier review', toReview, { type: 'approved', confirming: earlier, confirmed }],
    [
      'the end of an earlier review',
      toReview,
      { type: 'not approved', confirming: earlier, cause: rejectedError() },
    ],
    ['what an earlier review shows', toReview, { type: 'approval changed', confirming: earlier, approval }],
    ['a second approval', toDeleting, approved],
    ['a refusal while it is deleted', toDeleting, notApproved(rejectedError())],
    ['a press on the first step after it was put', toReview, { type: 'go on' }],
    [
      'a failure after it was deleted',
      [...toDeleting, { type: 'deleted' }],
      { type: 'not deleted', cause: lost },
    ],
  ] satisfies readonly (readonly [string, readonly DeletionEvent[], DeletionEvent])[])(
    'is not changed by %s',
    (_, events, event) => {
      const { state } = after(undeleted, ...events)
      expect(deletionStep(state, event)).toEqual([state])
      expect(deletionStep(state, event)[0]).toBe(state)
    },
  )

  test('ends where its user refuses, and stops where nobody decided', () => {
    expect(after(undeleted, ...toReview, notApproved(rejectedError())).effects).toEqual([{ type: 'end' }])
    expect(after(undeleted, ...toStopped).state.problem).toBe('other')
  })

  test('says why the last try deleted nothing until another one does', () => {
    const failed = after(undeleted, ...toDeleting, { type: 'not deleted', cause: canceled })
    expect(failed.state.problem).toBe('canceled')
    const again = after(failed.state, { type: 'put', confirming, approval })
    expect(again).toMatchObject({ at: 'review', state: { problem: 'canceled' } })
    expect(after(again.state, approved, { type: 'deleted' }).state.problem).toBeUndefined()
  })
})
