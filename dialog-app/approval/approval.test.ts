import type { Gate, GateEvent } from '@latchkey/protocol/browser'
import { seenFrom, tapped } from '@latchkey/protocol/browser/testing'
import { expect, test } from 'vitest'
import { settle } from '../testing/clock.ts'
import { watch } from '../testing/fixture.ts'
import { requestApproval } from './approval.ts'
import type { ApprovalKind } from './approval-kind.ts'

function ask(kind: ApprovalKind) {
  const gates: Gate[] = []
  const approval = requestApproval(kind, (gate) => void gates.push(gate))
  const notice = (all: readonly GateEvent[]) => {
    for (const noticed of all) approval.handlers.notice(noticed)
    return settle()
  }
  return { notice, gates, approval, outcome: watch(approval.outcome) }
}

test('approves with a press on a card that was visible for 700 ms, and not earlier', async () => {
  const { notice, gates, outcome } = ask('message')
  await notice(tapped(0))
  await notice(seenFrom(100))
  expect(gates.map((gate) => gate.state)).toEqual(['arming', 'armed'])
  expect(outcome.settled).toBe(false)
  await notice(tapped(810))
  expect(outcome.settled).toBe(true)
  expect(outcome.error).toBeUndefined()
})

test('disarms the next approval: it ignores earlier samples and presses', async () => {
  const first = ask('message')
  await first.notice([...seenFrom(0), ...tapped(710)])
  expect(first.outcome.settled).toBe(true)
  const second = ask('message')
  expect(second.approval.gate().state).toBe('waiting')
  await second.notice(tapped(720))
  expect(second.outcome.settled).toBe(false)
})

test('rejects an approval in a browser that cannot report visibility well enough', async () => {
  const { notice, approval, outcome } = ask('transaction')
  await notice([...seenFrom(0, { method: 'intersecting' }), ...tapped(710)])
  expect(outcome.error).toMatchObject({ code: 'approval_required_elsewhere' })
  expect(approval.gate().state).toBe('waiting')
})

test('approves a plain message also in a browser with weaker visibility reports', async () => {
  const { notice, outcome } = ask('message')
  await notice([...seenFrom(0, { method: 'intersecting' }), ...tapped(710)])
  expect(outcome.settled).toBe(true)
  expect(outcome.error).toBeUndefined()
})
