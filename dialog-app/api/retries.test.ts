import { LatchkeyError } from '@latchkey/protocol'
import { expect, test } from 'vitest'
import { makeFakeClock } from '../testing/clock.ts'
import { type Attempt, withRetries } from './retries.ts'

const error = new LatchkeyError('missing_or_invalid_token', 'Old proof')

test('what can be set right at once is tried again at once, and once', async () => {
  const clock = makeFakeClock()
  let attempts = 0
  const attemptOnce = async (): Promise<Attempt> => {
    attempts += 1
    return { result: 'refused', error, again: 'at once' }
  }
  await expect(withRetries(clock, { retries: 3, signal: undefined }, attemptOnce)).rejects.toBe(error)
  expect(attempts).toBe(2)
})

test('for a caller that is gone nothing is tried', async () => {
  const gone = new LatchkeyError('call_cancelled', 'Gone')
  const attemptOnce = async () => expect.unreachable('nobody waits for it')
  const options = { retries: 3, signal: AbortSignal.abort(gone) }
  await expect(withRetries(makeFakeClock(), options, attemptOnce)).rejects.toBe(gone)
})
