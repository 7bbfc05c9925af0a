import { expect, test } from 'vitest'
import { gateRefusal } from './approval-kind.ts'

test('allows only plain messages without compositor reports', () => {
  expect(gateRefusal('message', 'intersecting')).toBeUndefined()
  for (const kind of ['typed-data', 'transaction'] as const) {
    expect(gateRefusal(kind, 'intersecting')).toBe('approval_required_elsewhere')
    expect(gateRefusal(kind, 'composited')).toBeUndefined()
  }
})
