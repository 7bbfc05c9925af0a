/**
 * The attempts to send one transaction. They determine the nonce of the next attempt, and the result of the call if it
 * ends now. A transaction that a node may have cannot be taken back.
 */
import { LatchkeyError } from '@latchkey/protocol'
import { isExpiry, rejectedError } from '../../approval/rejection.ts'
import { undecidedProblems } from '../../contract/sending.ts'
import { done, type Ending, failed } from '../../flow/flow.ts'
import { RecoveryFailure } from '../../wallet/recovery-failure.ts'
import { problemsWithHash, SendFailure, type SendProblem } from './confirmation.ts'
import { english } from './texts.arb'
import type { Sent, Transaction } from './transaction.ts'

/** A transaction that was submitted to a node. The node may have it, even if it rejected it or did not answer. */
export type Attempt = { sent: Sent; nonce: number }

/**
 * `UNPREPARED`: the chain did not answer before. `UNRECOVERED` and `UNSIGNED`: the wallet did not sign. `UNCONFIRMED`: the
 * user did not decide in time.
 */
export type FailureCode = SendProblem | 'UNPREPARED' | 'UNRECOVERED' | 'UNSIGNED' | 'UNCONFIRMED'

export type Failure = { error: LatchkeyError; code: FailureCode; hash: string | undefined }

/** The chain did not answer before a transaction could be reviewed. */
export class PreparationFailure extends Error {
  override readonly name = 'PreparationFailure'

  constructor(cause: unknown) {
    super(english.problems.UNPREPARED, { cause })
  }
}

export type Attempts = ReturnType<typeof createAttempts>

export function createAttempts(transaction: Transaction) {
  let attempts: readonly Attempt[] = []
  /** The attempt that a node has, or may have. */
  let pending: Attempt | undefined
  /** The error of an attempt that may still be included in a block. */
  let undecided: LatchkeyError | undefined
  /** The error that the screen shows. */
  let failure: LatchkeyError | undefined
  let nextTransaction = transaction
  let mayReplace = false

  function planRetry(problem: SendProblem, error: LatchkeyError) {
    // The nonce is used up, so no earlier attempt can be included.
    if (problem === 'CALL_EXCEPTION') attempts = []
    // An earlier attempt may be the transaction that waits.
    const isOwn = problem === 'REPLACEMENT_UNDERPRICED' && attempts.length > 1
    const isUndecided = isOwn || keepsNonce.has(problem)
    undecided = isUndecided ? error : undefined
    // With another nonce, an undecided attempt and the retry could both be included.
    nextTransaction = { ...transaction, nonce: isUndecided ? pending?.nonce : undefined }
    mayReplace = problem === 'TIMEOUT'
  }

  const getFinalEnding = (): Ending<Sent> | undefined =>
    pending ? done(pending.sent) : undecided && failed(undecided)

  return {
    all: () => attempts,
    /** Returns whether the next attempt may replace a pending one, by paying more. */
    mayReplace: () => mayReplace,
    /** Returns the transaction of the next attempt. */
    begin(): Transaction {
      mayReplace = false
      failure = undefined
      return nextTransaction
    },
    /** Forgets the error that the screen showed, because the user retries. */
    forgetFailure() {
      failure = undefined
    },
    /** Adds an attempt before a node gets it. */
    add(attempt: Attempt) {
      const hash = getHash(attempt)
      attempts = [...attempts.filter((each) => getHash(each) !== hash), attempt]
      pending = attempt
    },
    follow(attempt: Attempt) {
      pending = attempt
    },
    fail(cause: unknown): Failure {
      const code = toCode(cause)
      const hash =
        cause instanceof SendFailure && problemsWithHash.has(cause.problem) ? cause.hash : undefined
      const origin = cause instanceof PreparationFailure ? cause.cause : cause
      const error = createError(code, english.problems[code], hash, origin)
      if (cause instanceof SendFailure) planRetry(cause.problem, error)
      pending = undefined
      failure = error
      return { error, code, hash }
    },
    /** Sets the error of a wallet that cannot pay. The user rejects nothing by closing the card. */
    lackFunds() {
      failure = createError('INSUFFICIENT_FUNDS', english.funds.insufficient)
    },
    /** Returns the error of the call after the user rejected this attempt. An earlier one may still be included. */
    getRejection: (rejection: LatchkeyError): LatchkeyError => undecided ?? rejection,
    /** Returns the ending that applies however the call ends, if a node has or may have the transaction. */
    getFinalEnding,
    /** Returns the ending of the call if the user closes the card now. */
    getClosingEnding: (): Ending<Sent> => getFinalEnding() ?? failed(failure ?? rejectedError()),
  }
}

const keepsNonce: ReadonlySet<SendProblem> = new Set(undecidedProblems)

const getHash = ({ sent }: Attempt) => sent.receipt.transactionHash

function toCode(cause: unknown): FailureCode {
  if (cause instanceof SendFailure) return cause.problem
  if (cause instanceof PreparationFailure) return 'UNPREPARED'
  if (cause instanceof RecoveryFailure) return 'UNRECOVERED'
  return isExpiry(cause) ? 'UNCONFIRMED' : 'UNSIGNED'
}

const createError = (code: FailureCode, message: string, hash?: string, cause?: unknown) =>
  new LatchkeyError(code === 'INSUFFICIENT_FUNDS' ? 'insufficient_funds' : 'transaction_failure', message, {
    cause,
    details: { code, ...(hash && { transactionHash: hash }) },
  })
