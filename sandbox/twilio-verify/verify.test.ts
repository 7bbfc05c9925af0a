import { expect, test } from 'vitest'
import { createVerify } from './verify.ts'

const start = () => {
  let now = 1_000_000
  const verify = createVerify({ now: () => now })
  const send = (to = '+14155550100') => {
    const sending = verify.send(to)
    if (sending.type !== 'sent') throw new Error(sending.type)
    return sending.verification
  }
  const wrong = (code: string) => (code === '000000' ? '111111' : '000000')
  return { verify, send, wrong, pass: (ms: number) => (now += ms) }
}

test('a number gets the same six-digit code for ten minutes, at most five times', () => {
  const { verify, send, pass } = start()
  const first = send()
  expect(first.code).toMatch(/^\d{6}$/)
  for (let sent = 2; sent <= 5; sent += 1) {
    expect(send()).toMatchObject({ sid: first.sid, code: first.code })
  }
  expect(verify.send('+14155550100')).toEqual({ type: 'too-many-sendings' })
  pass(600_000)
  expect(send().sid).not.toBe(first.sid)
})

test('the right code is approved once, by number or id, within ten minutes', () => {
  const { verify, send, pass } = start()
  const { sid, code, to } = send()
  expect(verify.check({ sid }, code)).toMatchObject({ type: 'checked', approved: true })
  expect(verify.check({ sid }, code)).toEqual({ type: 'not-found' })
  expect(verify.check({ to }, code)).toEqual({ type: 'not-found' })
  const second = send()
  expect(verify.check({ to }, second.code)).toMatchObject({ approved: true })
  const third = send()
  pass(600_000)
  expect(verify.check({ sid: third.sid }, third.code)).toEqual({ type: 'not-found' })
})

test('a code is checked at most five times', () => {
  const { verify, send, wrong } = start()
  const { sid, code } = send()
  for (let checks = 1; checks <= 5; checks += 1) {
    expect(verify.check({ sid }, wrong(code))).toMatchObject({ type: 'checked', approved: false })
  }
  expect(verify.check({ sid }, code)).toEqual({ type: 'too-many-checks' })
})

test('rejects a number that is not in E.164 format', () => {
  const { verify } = start()
  for (const to of ['4155550100', '+0155550100', '+1', '', '+1415555010012345678']) {
    expect(verify.send(to)).toEqual({ type: 'invalid-number' })
  }
})
