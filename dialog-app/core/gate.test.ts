import { describe, expect, test } from 'vitest'
import { makeFakeClock } from '../testing/clock.ts'
import { createGate, type Gate, gateRefusal, type Visibility } from './gate.ts'

const seen: Visibility = { visible: true, method: 'composited' }
const covered: Visibility = { visible: false, method: 'composited' }

function setUp() {
  const clock = makeFakeClock()
  const changes: Gate[] = []
  const gate = createGate({ after: clock.after, onChange: (state) => changes.push(state) })
  return { clock, gate, changes }
}

describe('an approval', () => {
  test('starts disarmed, and nothing arms it without a reading', async () => {
    const { gate, clock } = setUp()
    expect(gate.state()).toBe('disarmed')
    gate.disarm()
    await clock.advance(60_000)
    expect(gate.state()).not.toBe('armed')
  })

  test('is armed after half a second of being visible and still', async () => {
    const { gate, clock } = setUp()
    gate.read(seen)
    await clock.advance(499)
    expect(gate.state()).toBe('disarmed')
    await clock.advance(1)
    expect(gate.state()).toBe('armed')
  })

  test('is disarmed by any change, even one that leaves it visible', async () => {
    const { gate, clock, changes } = setUp()
    gate.read(seen)
    await clock.advance(500)
    gate.read(seen)
    expect(gate.state()).toBe('disarmed')
    await clock.advance(499)
    gate.read(seen)
    await clock.advance(499)
    expect(gate.state()).toBe('disarmed')
    await clock.advance(1)
    expect(changes).toEqual(['armed', 'disarmed', 'armed'])
  })

  test('is disarmed at once when it is covered, and said to be hidden when that lasts', async () => {
    const { gate, clock } = setUp()
    gate.read(seen)
    await clock.advance(500)
    gate.read(covered)
    expect(gate.state()).toBe('disarmed')
    await clock.advance(500)
    expect(gate.state()).toBe('hidden')
    await clock.advance(60_000)
    expect(gate.state()).toBe('hidden')
    gate.read(seen)
    expect(gate.state()).toBe('disarmed')
  })
})

test('without the compositor only a plain message may be approved here', () => {
  expect(gateRefusal('message', 'intersecting')).toBeUndefined()
  for (const kind of ['typed-data', 'transaction', 'account-change'] as const) {
    expect(gateRefusal(kind, 'intersecting')).toBe('approval_required_elsewhere')
    expect(gateRefusal(kind, 'composited')).toBeUndefined()
  }
})
