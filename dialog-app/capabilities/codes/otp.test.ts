import { describe, expect, test } from 'vitest'
import { initialCode, type OtpEvent, type OtpStatus, otp } from './otp.ts'

const after = (...events: Exclude<OtpEvent['type'], 'network'>[]) =>
  events.reduce(
    (state, type) => otp(state, type === 'refused' ? { type, problem: 'invalid' } : { type }),
    initialCode('a@b.c', 'mail'),
  )

// spec L4.26
test('a code goes through every state of the machine', () => {
  const path: [Exclude<OtpEvent['type'], 'network'>, OtpStatus][] = [
    ['send', 'sending-code'],
    ['sent', 'awaiting-code-input'],
    ['submit', 'submitting-code'],
    ['refused', 'error'],
    ['clear', 'awaiting-code-input'],
    ['submit', 'submitting-code'],
    ['accepted', 'done'],
  ]
  expect(initialCode('a@b.c', 'mail').status).toBe('initial')
  path.forEach(([, status], index) => {
    expect(after(...path.slice(0, index + 1).map(([type]) => type)).status).toBe(status)
  })
})

describe('a code', () => {
  test('cannot be submitted while it is checked', () => {
    const submitting = after('send', 'sent', 'submit')
    expect(otp(submitting, { type: 'submit' })).toBe(submitting)
  })

  test('ignores events after it was accepted', () => {
    const done = after('send', 'sent', 'submit', 'accepted')
    for (const type of [
      'send',
      'sent',
      'not-sent',
      'edit',
      'submit',
      'accepted',
      'clear',
      'withdraw',
    ] as const) {
      expect(otp(done, { type })).toBe(done)
    }
    expect(otp(done, { type: 'refused', problem: 'invalid' })).toBe(done)
  })

  test('clears the fields with a new attempt, and keeps the error', () => {
    const wrong = after('send', 'sent', 'submit', 'refused')
    const cleared = otp(wrong, { type: 'clear' })
    expect(cleared.attempt).toBe(wrong.attempt + 1)
    expect(cleared.problem).toBe('invalid')
    expect(otp(cleared, { type: 'submit' }).problem).toBeUndefined()
  })

  test('replaces a wrong one, and keeps the error', () => {
    const wrong = after('send', 'sent', 'submit', 'refused')
    const edited = otp(wrong, { type: 'edit' })
    expect(edited).toEqual({ ...wrong, status: 'awaiting-code-input' })
    expect(otp(edited, { type: 'clear' })).toBe(edited)
  })
})

describe('resend', () => {
  test('clears the fields when it starts, and keeps digits that are typed before it ends', () => {
    const before = after('send', 'sent')
    const sending = otp(before, { type: 'send' })
    expect(sending).toMatchObject({ status: 'sending-code', attempt: before.attempt + 1 })
    const typed = otp(sending, { type: 'edit' })
    expect(typed).toMatchObject({ status: 'awaiting-code-input', resend: 'sending' })
    expect(otp(typed, { type: 'sent' })).toMatchObject({
      status: 'awaiting-code-input',
      resend: 'locked',
      attempt: sending.attempt,
    })
  })

  test.each(['sent', 'not-sent'] as const)('that is %s does not change a code that is checked', (type) => {
    const checked = after('send', 'sent', 'send', 'edit', 'submit')
    expect(otp(checked, { type })).toMatchObject({ status: 'submitting-code', attempt: checked.attempt })
  })

  // spec L4.25
  test('is available at first, locked after its use, and available again', () => {
    expect(after('send', 'sent').resend).toBe('available')
    const locked = after('send', 'sent', 'send', 'sent')
    expect(locked.resend).toBe('locked')
    expect(otp(locked, { type: 'send' })).toBe(locked)
    expect(otp(locked, { type: 'unlock-resend' }).resend).toBe('available')
  })

  test('is available at once after a failure', () => {
    expect(after('send', 'sent', 'send', 'not-sent')).toMatchObject({
      status: 'awaiting-code-input',
      resend: 'available',
    })
  })
})
