import { LatchkeyError } from '@latchkey/protocol'
import { describe, expect, test } from 'vitest'
import type { PendingConfirmation, ShownApproval } from '../../../approval/confirmed.ts'
import { confirmationExpired, rejectedError } from '../../../approval/rejection.ts'
import { playing } from '../../../testing/machine.ts'
import type { ConfirmedRequest } from '../../../wallet/confirmed.ts'
import { canceled } from '../problem.ts'
import { type RemovalEvent, removalStep, unremoved } from './removal-state.ts'

const after = playing(removalStep)
const approval: ShownApproval = { by: 'page', reason: 'browser', way: { at: 'preparing' } }
const makeConfirming = () => ({}) as PendingConfirmation
const confirming = makeConfirming()
const earlier = makeConfirming()
const confirmed = {} as ConfirmedRequest
const lost = new LatchkeyError('server_unreachable', 'lost')

const put: RemovalEvent = { type: 'put', confirming, approval }
const approved: RemovalEvent = { type: 'approved', confirming, confirmed }
const notApproved = (cause: unknown): RemovalEvent => ({ type: 'not approved', confirming, cause })
const toReview: readonly RemovalEvent[] = [{ type: 'begin' }, put]
const toRemoving: readonly RemovalEvent[] = [...toReview, approved]
const toStopped: readonly RemovalEvent[] = [...toReview, notApproved(confirmationExpired())]

describe('the machine of a removal', () => {
  test('removes what was approved, and asks anew where that came to nothing', () => {
    const ways = [
      [toReview.slice(0, 1), 'beginning', ['put']],
      [toReview, 'review', ['show']],
      [toRemoving, 'removing', ['remove']],
      [[...toRemoving, { type: 'not removed', cause: lost }], 'removing', ['put']],
      [[...toRemoving, { type: 'not removed', cause: lost }, put], 'review', []],
      [[...toReview, notApproved(rejectedError())], 'review', ['leave']],
      [toStopped, 'stopped', []],
      [[...toStopped, { type: 'again' }], 'stopped', ['put']],
      [[...toStopped, { type: 'again' }, put], 'review', []],
    ] satisfies readonly (readonly [readonly RemovalEvent[], string, readonly string[]])[]
    expect(
      ways.map(([events]) => {
        const { at, effects } = after(unremoved, ...events)
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
    ['a second approval', toRemoving, approved],
    ['a refusal while it is removed', toRemoving, notApproved(rejectedError())],
    ['a press on the button of another state', toReview, { type: 'again' }],
  ] satisfies readonly (readonly [string, readonly RemovalEvent[], RemovalEvent])[])(
    'is not changed by %s',
    (_, events, event) => {
      const { state } = after(unremoved, ...events)
      expect(removalStep(state, event)).toEqual([state])
      expect(removalStep(state, event)[0]).toBe(state)
    },
  )

  test('says why the last try removed nothing where it is asked for anew', () => {
    const failed = after(unremoved, ...toRemoving, { type: 'not removed', cause: canceled() }, put)
    expect(failed.state.problem).toBe('canceled')
    expect(after(unremoved, ...toStopped, { type: 'again' }, put).state.problem).toBe('unknown')
  })
})
