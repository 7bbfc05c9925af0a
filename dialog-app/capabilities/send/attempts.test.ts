import { LatchkeyError } from '@latchkey/protocol'
import { describe, expect, test } from 'vitest'
import { rejectedError } from '../../approval/rejection.ts'
import { type Attempt, createAttempts, PreparationFailure } from './attempts.ts'
import { SendFailure, type SendProblem } from './confirmation.ts'
import type { Transaction } from './transaction.ts'

const transaction = { to: '0xto', value: 5n, data: '0x', chainId: 1, nonce: 3 } as unknown as Transaction
const makeAttempt = (transactionHash = '0xabc', nonce = 7) =>
  ({ sent: { receipt: { transactionHash }, signedTransaction: '0x5e' }, nonce }) as unknown as Attempt
const attempt = makeAttempt()
const failureOf = (problem: SendProblem) => new SendFailure(problem, '0xabc')
const rejected = { type: 'failed', error: { code: 'user_rejected_request' } }

/** Attempts of which this one was submitted. */
function submitted(latest = attempt, ...earlier: readonly Attempt[]) {
  const attempts = createAttempts(transaction)
  attempts.begin()
  for (const each of [...earlier, latest]) attempts.add(each)
  return attempts
}

describe('the ending of a closed call', () => {
  test('is a rejection before a node gets the transaction', () => {
    const attempts = createAttempts(transaction)
    attempts.begin()
    expect(attempts.getClosingEnding()).toMatchObject(rejected)
    expect(attempts.getFinalEnding()).toBeUndefined()
  })

  test('is the transaction once a node may have it', () => {
    const ending = { type: 'done', value: attempt.sent }
    expect(submitted().getClosingEnding()).toEqual(ending)
    expect(submitted().getFinalEnding()).toEqual(ending)
  })

  test('is the error of an attempt that may still be included, also during a retry', () => {
    const attempts = submitted()
    attempts.fail(failureOf('TIMEOUT'))
    const timeout = { type: 'failed', error: { code: 'transaction_failure', details: { code: 'TIMEOUT' } } }
    expect(attempts.getClosingEnding()).toMatchObject(timeout)
    attempts.forgetFailure()
    expect(attempts.getClosingEnding()).toMatchObject(timeout)
    attempts.begin()
    expect(attempts.getFinalEnding()).toMatchObject(timeout)
    attempts.fail(new PreparationFailure(new Error('offline')))
    expect(attempts.getClosingEnding()).toMatchObject(timeout)
    expect(attempts.getRejection(rejectedError())).toMatchObject(timeout.error)
  })

  test('is the shown error of an attempt that cannot be included, and a rejection during a retry', () => {
    const attempts = submitted()
    attempts.fail(failureOf('CALL_EXCEPTION'))
    expect(attempts.getClosingEnding()).toMatchObject({ error: { details: { code: 'CALL_EXCEPTION' } } })
    expect(attempts.getFinalEnding()).toBeUndefined()
    attempts.forgetFailure()
    expect(attempts.getClosingEnding()).toMatchObject(rejected)
    expect(attempts.getRejection(rejectedError())).toMatchObject(rejected.error)
  })

  test('is an error of its own for a wallet that cannot pay', () => {
    const attempts = createAttempts(transaction)
    attempts.begin()
    attempts.lackFunds()
    expect(attempts.getClosingEnding()).toMatchObject({ error: { code: 'insufficient_funds' } })
    attempts.begin()
    expect(attempts.getClosingEnding()).toMatchObject(rejected)
  })
})

describe('a retry', () => {
  test.each<[SendProblem, number | undefined, boolean]>([
    ['NETWORK_ERROR', 7, false],
    ['TIMEOUT', 7, true],
    ['TRANSACTION_DROPPED', 7, false],
    ['UNKNOWN_ERROR', 7, false],
    ['CALL_EXCEPTION', undefined, false],
    ['NONCE_EXPIRED', undefined, false],
    ['REPLACEMENT_UNDERPRICED', undefined, false],
    ['TRANSACTION_REPLACED', undefined, false],
    ['INSUFFICIENT_FUNDS', undefined, false],
  ])(
    'after %s uses the nonce %s, and may replace a pending transaction: %s',
    (problem, nonce, mayReplace) => {
      const attempts = submitted()
      expect(attempts.fail(failureOf(problem)).code).toBe(problem)
      expect(attempts.mayReplace()).toBe(mayReplace)
      expect(attempts.getFinalEnding() === undefined).toBe(nonce === undefined)
      expect(attempts.begin()).toEqual({ ...transaction, nonce })
      expect(attempts.mayReplace()).toBe(false)
    },
  )

  test('keeps the nonce if an earlier attempt may be the pending transaction', () => {
    const attempts = submitted(attempt, makeAttempt('0xold'))
    attempts.fail(failureOf('REPLACEMENT_UNDERPRICED'))
    expect(attempts.begin().nonce).toBe(7)
  })

  test('keeps the nonce that an earlier retry had to keep after a failure before the submission', () => {
    const attempts = submitted()
    attempts.fail(failureOf('NETWORK_ERROR'))
    attempts.begin()
    attempts.fail(new LatchkeyError('share_mismatch', 'Not the share'))
    expect(attempts.begin().nonce).toBe(7)
  })

  test('keeps the nonce of an undecided attempt after the wallet could not pay', () => {
    const attempts = submitted()
    attempts.fail(failureOf('NETWORK_ERROR'))
    attempts.begin()
    attempts.lackFunds()
    expect(attempts.begin().nonce).toBe(7)
  })

  test('uses the requested transaction after a failure before the submission', () => {
    const attempts = createAttempts(transaction)
    attempts.begin()
    expect(attempts.fail(new LatchkeyError('share_mismatch', 'Not the share')).code).toBe('UNSIGNED')
    expect(attempts.begin()).toBe(transaction)
  })

  test('forgets all attempts after a reverted transaction used their nonce', () => {
    const attempts = submitted(attempt, makeAttempt('0xold'))
    expect(attempts.all()).toHaveLength(2)
    attempts.fail(failureOf('CALL_EXCEPTION'))
    expect(attempts.all()).toEqual([])
  })

  test('counts as the same attempt if it signs the same transaction again', () => {
    expect(submitted(attempt, makeAttempt()).all()).toEqual([attempt])
  })
})
