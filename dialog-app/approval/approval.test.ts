import { expect, test } from 'vitest'
import { seenFrom, tapped } from '../testing/approval.ts'
import { settle } from '../testing/clock.ts'
import { watch } from '../testing/fixture.ts'
import { requestApproval } from './approval.ts'
import type { ApprovalKind, Gate, Noticed } from './gate.ts'

function ask(kind: ApprovalKind) {
  const gates: Gate[] = []
  const approval = requestApproval(kind, (gate) => void gates.push(gate))
  const notice = (all: readonly Noticed[]) => {
    for (const noticed of all) approval.handlers.notice(noticed)
    return settle()
  }
  return { notice, gates, approval, outcome: watch(approval.outcome) }
}

test('an approval is given by a press on a card that was seen for 700 ms, and not before', async () => {
  const { notice, gates, outcome } = ask('message')
  await notice(tapped(0))
  await notice(seenFrom(100))
  expect(gates.map((gate) => gate.state)).toEqual(['arming', 'armed'])
  expect(outcome.settled).toBe(false)
  await notice(tapped(810))
  expect(outcome.settled).toBe(true)
  expect(outcome.error).toBeUndefined()
})

test('the next approval starts disarmed: what was seen and pressed before counts for nothing', async () => {
  const first = ask('message')
  await first.notice([...seenFrom(0), ...tapped(710)])
  expect(first.outcome.settled).toBe(true)
  const second = ask('message')
  expect(second.approval.gate().state).toBe('waiting')
  await second.notice(tapped(720))
  expect(second.outcome.settled).toBe(false)
})

test('what a browser can not tell well enough is approved elsewhere, and not here', async () => {
  const { notice, approval, outcome } = ask('transaction')
  await notice([...seenFrom(0, { method: 'intersecting' }), ...tapped(710)])
  expect(outcome.error).toMatchObject({ code: 'approval_required_elsewhere' })
  expect(approval.gate().state).toBe('waiting')
})

test('a plain message may be approved in a browser that tells less', async () => {
  const { notice, outcome } = ask('message')
  await notice([...seenFrom(0, { method: 'intersecting' }), ...tapped(710)])
  expect(outcome.settled).toBe(true)
  expect(outcome.error).toBeUndefined()
})
