import { expect, test } from 'vitest'
import { makeFakeClock, settle } from '../testing/clock.ts'
import { watch } from '../testing/world.ts'
import { approvals } from './approval.ts'
import type { ApprovalKind, Gate } from './gate.ts'

const seen = { visible: true, method: 'composited' } as const

function ask(kind: ApprovalKind) {
  const clock = makeFakeClock()
  const gates: Gate[] = []
  const approval = approvals.request({ kind, card: clock, onGate: (gate) => void gates.push(gate) })
  return { clock, gates, approval, outcome: watch(approval.outcome) }
}

test('an approval is given by a trusted press on a card that was seen for half a second', async () => {
  const { approval, clock, gates, outcome } = ask('message')
  approval.handlers.see(seen)
  approval.handlers.approve(true)
  await clock.advance(500)
  expect(gates).toEqual(['armed'])
  approval.handlers.approve(false)
  await settle()
  expect(outcome.settled).toBe(false)
  approval.handlers.approve(true)
  await settle()
  expect(outcome.error).toBeUndefined()
  expect(outcome.settled).toBe(true)
})

test('what a browser can not tell well enough is approved elsewhere, and not here', async () => {
  const { approval, clock, outcome } = ask('transaction')
  approval.handlers.see({ visible: true, method: 'intersecting' })
  await settle()
  expect(outcome.error).toMatchObject({ code: 'approval_required_elsewhere' })
  await clock.advance(500)
  expect(approval.gate()).not.toBe('armed')
})

test('a plain message may be approved in a browser that tells less', async () => {
  const { approval, clock, outcome } = ask('message')
  approval.handlers.see({ visible: true, method: 'intersecting' })
  await clock.advance(500)
  approval.handlers.approve(true)
  await settle()
  expect(outcome.settled).toBe(true)
  expect(outcome.error).toBeUndefined()
})
