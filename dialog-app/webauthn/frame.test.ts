import { describe, expect, test } from 'vitest'
import { createFrame, type Frame, isForbidden, wasRefused } from './frame.ts'

const named = (name: string) => Object.assign(new Error('Refused'), { name })
const makeFrame = (changes: Partial<Frame> = {}): Frame => ({
  isFramed: true,
  allows: () => undefined,
  nowMs: () => 1_499,
  ...changes,
})
const refusal = { ceremony: 'create', sinceMs: 1_000, cause: named('NotAllowedError') } as const

describe('browser with a readable permissions policy', () => {
  test.each([
    ['permissionsPolicy', true, false],
    ['featurePolicy', true, false],
    ['permissionsPolicy', false, true],
    ['featurePolicy', false, true],
  ])('by %s, which says %s, forbids it: %s', (property, says, forbids) => {
    const asked: string[] = []
    const policy = {
      allowsFeature(feature: string) {
        asked.push(feature)
        return says
      },
    }
    const top = { self: 'frame', top: 'host' } as unknown as Pick<Window, 'self' | 'top'>
    const frame = createFrame({ ...top, performance, document: { [property]: policy } })
    expect([isForbidden(frame, 'get'), isForbidden(frame, 'create')]).toEqual([forbids, forbids])
    expect(asked).toEqual(['publickey-credentials-get', 'publickey-credentials-create'])
  })

  test('is checked for each ceremony separately', () => {
    const frame = makeFrame({ allows: (ceremony) => ceremony === 'get' })
    expect([isForbidden(frame, 'get'), isForbidden(frame, 'create')]).toEqual([false, true])
  })

  test('attributes a refusal to the device or user if its policy allows the ceremony', () => {
    expect(wasRefused(makeFrame({ allows: () => true }), refusal)).toBe(false)
    expect(wasRefused(makeFrame(), refusal)).toBe(true)
  })
})

describe('browser without a readable policy', () => {
  test.each([undefined, null, {}, { allowsFeature: 'no' }, { allowsFeature: () => 'no' }])(
    'is tried with the policy %o',
    (policy) => {
      const top = { self: 'frame', top: 'host' } as unknown as Pick<Window, 'self' | 'top'>
      const frame = createFrame({ ...top, performance, document: { featurePolicy: policy } })
      expect([frame.allows('get'), isForbidden(frame, 'get')]).toEqual([undefined, false])
    },
  )

  test.each(['NotAllowedError', 'SecurityError', 'NotSupportedError'])(
    'refused the frame if %s occurs within half a second',
    (name) => {
      expect(wasRefused(makeFrame(), { ...refusal, cause: named(name) })).toBe(true)
      expect(wasRefused(makeFrame({ nowMs: () => 1_500 }), { ...refusal, cause: named(name) })).toBe(false)
    },
  )

  test.each([named('AbortError'), named('InvalidStateError'), 'NotAllowedError', undefined])(
    'did not refuse the frame after %o',
    (cause) => {
      expect(wasRefused(makeFrame(), { ...refusal, cause })).toBe(false)
    },
  )
})

test('treats a top-level page as unframed after any refusal', () => {
  const top = { self: 'page', top: 'page' } as unknown as Pick<Window, 'self' | 'top'>
  expect(createFrame({ ...top, performance, document: {} }).isFramed).toBe(false)
  const frame = makeFrame({ isFramed: false })
  expect(wasRefused(frame, refusal)).toBe(false)
  expect(isForbidden({ ...frame, allows: () => false }, 'get')).toBe(false)
})
