import { LatchkeyError, mfaLimits } from '@latchkey/protocol'
import { describe, expect, test } from 'vitest'
import { makeFakeClock, settle } from '../../../testing/clock.ts'
import { watch } from '../../../testing/fixture.ts'
import type { Verification } from '../../../wallet/verification.ts'
import { createAttempts } from './attempts.ts'

const verification: Verification = { mfaMethod: 'totp', mfaCode: '123456' }
const wrong = () => new LatchkeyError('missing_or_invalid_mfa', 'wrong')

function begin(perform: () => Promise<string>) {
  const clock = makeFakeClock()
  const attempts = createAttempts(clock, perform)
  const submit = async () => {
    const submitted = watch(attempts.submit(verification))
    await settle()
    return submitted
  }
  return { clock, attempts, outcome: watch(attempts.outcome), submit }
}

describe('the attempts of a verification', () => {
  test('resolve with the answer of the call', async () => {
    const { attempts, outcome, submit } = begin(async () => 'signed')
    expect(await submit()).toEqual({ settled: true })
    expect(outcome.value).toBe('signed')
    expect(attempts.isOver()).toBe(true)
    attempts.cancel()
    expect((await submit()).error).toMatchObject({ code: 'unknown_mfa_error' })
  })

  test('check one answer at a time', async () => {
    const { submit, outcome } = begin(() => new Promise(() => {}))
    const first = await submit()
    expect((await submit()).error).toMatchObject({ code: 'unknown_mfa_error' })
    expect([first.settled, outcome.settled]).toEqual([false, false])
  })

  // spec L4.47
  test('end with the fourth wrong answer', async () => {
    const { submit, outcome, attempts } = begin(() => Promise.reject(wrong()))
    for (let count = 1; count <= 3; count += 1) {
      expect((await submit()).error).toMatchObject({
        code: 'missing_or_invalid_mfa',
        message: 'MFA verification failed, retry.',
      })
      expect(attempts.isOver()).toBe(false)
    }
    expect((await submit()).error).toMatchObject({ code: 'mfa_verification_max_attempts_reached' })
    expect(outcome.error).toMatchObject({ code: 'mfa_verification_max_attempts_reached' })
  })

  test('allow the whole time for each answer, and no time limits an answer that is checked', async () => {
    const call = Promise.withResolvers<string>()
    const { clock, submit, outcome } = begin(() => call.promise)
    await clock.advance(mfaLimits.codeWaitMs - 1)
    const submitted = await submit()
    await clock.advance(mfaLimits.codeWaitMs)
    call.reject(wrong())
    await settle()
    expect(submitted.settled).toBe(true)
    await clock.advance(mfaLimits.codeWaitMs - 1)
    expect(outcome.settled).toBe(false)
    await clock.advance(1)
    expect(outcome.error).toMatchObject({ code: 'mfa_timeout' })
  })

  test('end with an error of the call, and with a limit of the server', async () => {
    for (const code of ['share_mismatch', 'mfa_verification_max_attempts_reached'] as const) {
      const { submit, outcome } = begin(() => Promise.reject(new LatchkeyError(code, 'no more')))
      expect((await submit()).error).toMatchObject({ code })
      expect(outcome.error).toMatchObject({ code })
    }
  })

  test('report the fate of an answer that was canceled while it was checked', async () => {
    for (const [settleCall, expected] of [
      [(call: PromiseWithResolvers<string>) => call.resolve('signed'), undefined],
      [
        (call: PromiseWithResolvers<string>) => call.reject(wrong()),
        { code: 'missing_or_invalid_mfa', message: 'MFA verification failed, retry.' },
      ],
    ] as const) {
      const call = Promise.withResolvers<string>()
      const { attempts, submit, outcome } = begin(() => call.promise)
      const submitted = await submit()
      attempts.cancel()
      settleCall(call)
      await settle()
      expect(outcome.error).toMatchObject({ message: 'MFA canceled' })
      if (expected) expect(submitted.error).toMatchObject(expected)
      else expect(submitted).toEqual({ settled: true })
    }
  })
})
