/**
 * What is known of one transaction that is to be sent, as a machine: no clock, node or wallet is in it. What can not be
 * taken back any more stays its ending, whatever comes after it.
 */
import { LatchkeyError } from '@latchkey/protocol'
import { type PendingConfirmation, requiresPage, type ShownApproval } from '../../approval/confirmed.ts'
import { isExpiry, isRefusal, rejectedError } from '../../approval/rejection.ts'
import type { Hex } from '../../browser/hex.ts'
import { undecidedProblems } from '../../contract/sending.ts'
import { done, type Ending, failed } from '../../flow/flow.ts'
import { type Next, stepBy, type Table } from '../../flow/machine.ts'
import type { ConfirmedRequest } from '../../wallet/confirmed.ts'
import { RecoveryFailure } from '../../wallet/recovery-failure.ts'
import { type ChainReceipt, problemsWithHash, SendFailure, type SendProblem } from './confirmation.ts'
import type { FailureCode, Reviewed } from './screens/send-screen.tsx'
import { english } from './texts.arb'
import type { Receipt, SendRequest, Sent, Transaction } from './transaction.ts'

/** What a retry asks for. */
export type Again = {
  wanted: Transaction
  /** A transaction that waits is no answer to it: the next one may pay more, and be carried out in its place. */
  mayReplace: boolean
}
/** What was given to a node. That the node refused it, or gave no answer, does not say that no node has it. */
export type Tried = { sent: Sent; nonce: number }

/** The transaction as the chain prepared it, with what the vault signs of it. */
export type Ready = {
  wanted: Transaction
  reviewed: Reviewed
  serialized: string
}

export type SendPhase =
  | { at: 'preparing'; wanted: Transaction }
  /** The chain is asked what became of those that were sent before. */
  | { at: 'finding'; again: Again }
  /** The server is asked whether its limits approve it without its user. */
  | { at: 'confirming silently'; ready: Ready }
  /** The request is on its way to its user. */
  | { at: 'putting'; ready: Ready }
  | {
      at: 'review'
      ready: Ready
      confirming: PendingConfirmation
      approval: ShownApproval
    }
  /** The wallet can not pay it, which money may change. */
  | {
      at: 'lacking'
      reviewed: Reviewed
      error: LatchkeyError
      missing: bigint
      untilBalance: bigint
    }
  | { at: 'signing'; ready: Ready; confirmed: ConfirmedRequest }
  /** A node may have it, whatever becomes of its answer. */
  | ({ at: 'broadcasting'; ready: Ready } & Tried)
  | ({
      at: 'following'
      wanted: Transaction
      /** It was sent by an earlier try, so that no other one is looked for in its place. */
      isEarlier: boolean
    } & Tried)
  | {
      at: 'failed'
      error: LatchkeyError
      again: Again
      code: FailureCode
      hash: string | undefined
    }
  | { at: 'done'; hash: string }

export type SendState = {
  transaction: Transaction
  answerWhen: NonNullable<SendRequest['answerWhen']>
  phase: SendPhase
  /** Nothing is seen, as long as the server may yet say that nobody has to be asked. */
  isSilent: boolean
  /** A window that the page opened for the first review; it is closed after that. */
  window: string | undefined
  tried: readonly Tried[]
  /** The error of a try that may be carried out still. */
  undecided: LatchkeyError | undefined
  /** The caller has its answer, while the user sees what becomes of the transaction. */
  isAnswered: boolean
  /** What it moves and costs at most, in dollars with cents. */
  usd: string | null
}

export type SendEvent =
  | { type: 'begin' }
  | { type: 'prepared'; ready: Ready }
  /** The chain could not be asked. */
  | { type: 'unprepared'; cause: unknown }
  /** What the server answered where its user may not have to be asked. */
  | { type: 'answered silently'; confirmed: ConfirmedRequest }
  | { type: 'put'; confirming: PendingConfirmation; approval: ShownApproval }
  | { type: 'priced'; usd: string | null }
  | {
      type: 'approval changed'
      confirming: PendingConfirmation
      approval: ShownApproval
    }
  | { type: 'approved'; confirming: PendingConfirmation; confirmed: ConfirmedRequest }
  | { type: 'not approved'; confirming: PendingConfirmation; cause: unknown }
  | { type: 'signed'; sent: Sent }
  | { type: 'broadcast'; isFollowed: boolean }
  | { type: 'carried out'; receipt: ChainReceipt }
  /** What became of the tries before; `cause` where one of them used up the number of the last. */
  | { type: 'looked'; found: Tried | undefined; cause?: SendFailure }
  | { type: 'failed'; cause: unknown }
  | { type: 'retry' }
  | { type: 'add funds' }
  /** The user came back from the funding of the wallet. */
  | { type: 'funded' }

export type SendEffect =
  | { type: 'prepare'; wanted: Transaction; isRetry: boolean }
  | { type: 'confirm silently'; ready: Ready }
  | {
      type: 'put'
      ready: Ready
      /** What the server has answered already. */
      known: ConfirmedRequest | undefined
      window: string | undefined
    }
  | { type: 'sign'; ready: Ready; confirmed: ConfirmedRequest }
  | ({ type: 'broadcast' } & Tried)
  | ({ type: 'follow' } & Tried)
  | { type: 'find'; tried: readonly Tried[]; mayReplace: boolean }
  | { type: 'find in its place'; tried: readonly Tried[]; cause: SendFailure }
  | { type: 'add funds'; missing: bigint; untilBalance: bigint }
  /** Its caller hears; the screen stays. */
  | { type: 'settle'; ending: Ending<Sent> }
  | { type: 'end'; ending?: Ending<Sent> }

type Step = Next<SendState, SendEffect>
type Request = Pick<SendState, 'transaction' | 'answerWhen' | 'isSilent' | 'window'>

export const unsentState = (request: Request): SendState => ({
  ...request,
  phase: { at: 'preparing', wanted: request.transaction },
  tried: [],
  undecided: undefined,
  isAnswered: false,
  usd: null,
})

function attempt(state: SendState, wanted: Transaction): Step {
  // Another try of the same transaction may take the number that it had before.
  const isRetry = state.tried.length > 0
  return [
    { ...state, phase: { at: 'preparing', wanted } },
    { type: 'prepare', wanted, isRetry },
  ]
}

function agree(state: SendState, ready: Ready): Step {
  const { hasEnough, willFail } = ready.reviewed.prepared
  return state.isSilent && hasEnough && !willFail
    ? [
        { ...state, phase: { at: 'confirming silently', ready } },
        { type: 'confirm silently', ready },
      ]
    : review(state, ready)
}

/** What can not be paid can not be approved either: it waits for the user to leave, who refused nothing. */
function review(state: SendState, ready: Ready, known?: ConfirmedRequest): Step {
  const { balance, mostFee, hasEnough } = ready.reviewed.prepared
  if (!hasEnough) {
    const error = failureOf('INSUFFICIENT_FUNDS', english.funds.insufficient)
    const untilBalance = state.transaction.value + mostFee
    const amounts = { missing: untilBalance - balance, untilBalance }
    return [
      {
        ...state,
        isSilent: false,
        phase: { at: 'lacking', reviewed: ready.reviewed, error, ...amounts },
      },
    ]
  }
  const { window } = state
  return [
    { ...state, isSilent: false, window: undefined, phase: { at: 'putting', ready } },
    { type: 'put', ready, known, window },
  ]
}

const sign = (state: SendState, ready: Ready, confirmed: ConfirmedRequest): Step => [
  { ...state, phase: { at: 'signing', ready, confirmed } },
  { type: 'sign', ready, confirmed },
]

function signed(state: SendState, { sent }: { sent: Sent }, ready: Ready): Step {
  if (state.answerWhen === 'signed') return [state, { type: 'end', ending: done(sent) }]
  const { nonce } = ready.reviewed.prepared
  const hash = hashOf(sent)
  const tried = [...state.tried.filter((each) => hashOf(each.sent) !== hash), { sent, nonce }]
  return [
    { ...state, tried, phase: { at: 'broadcasting', ready, sent, nonce } },
    { type: 'broadcast', sent, nonce },
  ]
}

function follow(state: SendState, { sent, nonce }: Tried, wanted: Transaction, isEarlier: boolean): Step {
  return [
    { ...state, phase: { at: 'following', wanted, isEarlier, sent, nonce } },
    { type: 'follow', sent, nonce },
  ]
}

function succeed(state: SendState, sent: Sent): Step {
  const settle = { type: 'settle', ending: done(sent) } as const
  const next: SendState = { ...state, phase: { at: 'done', hash: hashOf(sent) } }
  return state.isSilent ? [next, settle, { type: 'end' }] : [next, settle]
}

function failPreparation(state: SendState, cause: unknown, again: Again): Step {
  const error = failureOf('UNPREPARED', english.problems.UNPREPARED, undefined, cause)
  const phase = { at: 'failed', error, again, code: 'UNPREPARED', hash: undefined } as const
  return [{ ...state, isSilent: false, phase }]
}

function fail(state: SendState, cause: unknown, wanted: Transaction, nonce?: number): Step {
  if (isRefusal(cause)) return [state, { type: 'end', ending: failed(state.undecided ?? cause) }]
  const failure = cause instanceof SendFailure ? cause : undefined
  const hash = failure && problemsWithHash.has(failure.problem) ? failure.hash : undefined
  const code = failure ? failure.problem : unsentCode(cause)
  const error = failureOf(code, english.problems[code], hash, cause)
  // Nothing was given to a node where the failure is another.
  const after = failure && afterFailure(state, failure.problem, nonce, error)
  const { again = { wanted, mayReplace: false }, ...changes } = after ?? {}
  const next = { ...state, ...changes }
  if (state.isSilent) return [next, { type: 'end', ending: failed(error) }]
  return [{ ...next, phase: { at: 'failed', error, again, code, hash } }]
}

function afterFailure(
  { tried, transaction }: SendState,
  problem: SendProblem,
  nonce: number | undefined,
  error: LatchkeyError,
): Pick<SendState, 'tried' | 'undecided'> & { again: Again } {
  // Its number is used up, so that none of those before can be carried out.
  const left = problem === 'CALL_EXCEPTION' ? [] : tried
  // One of those before may be the one that waits.
  const isOwn = problem === 'REPLACEMENT_UNDERPRICED' && left.length > 1
  const isUndecided = isOwn || keepsNonce.has(problem)
  // With another number, one of which nobody knows what became and this one could both be carried out.
  const wanted = { ...transaction, nonce: isUndecided ? nonce : undefined }
  return {
    tried: left,
    undecided: isUndecided ? error : undefined,
    again: { wanted, mayReplace: problem === 'TIMEOUT' },
  }
}

/** The one before that used up the number of the last is looked for, where there is one. */
function failSent(state: SendState, cause: unknown, wanted: Transaction, nonce: number): Step {
  return isUsedUp(cause) && state.tried.length > 1
    ? [state, { type: 'find in its place', tried: state.tried, cause }]
    : fail(state, cause, wanted, nonce)
}

const priced = (state: SendState, { usd }: { usd: string | null }): Step => [
  usd === state.usd ? state : { ...state, usd },
]

const table: Table<SendState, SendEvent, SendEffect> = {
  preparing: {
    begin: (state, _, { wanted }) => attempt(state, wanted),
    prepared: (state, { ready }) => agree(state, ready),
    unprepared: (state, { cause }, { wanted }) =>
      failPreparation(state, cause, { wanted, mayReplace: false }),
    failed: (state, { cause }, { wanted }) => fail(state, cause, wanted),
  },
  finding: {
    looked: (state, { found }, { again }) =>
      found ? follow(state, found, again.wanted, true) : attempt(state, again.wanted),
    unprepared: (state, { cause }, { again }) => failPreparation(state, cause, again),
  },
  'confirming silently': {
    'answered silently': (state, { confirmed }, { ready }) =>
      confirmed.place === 'silent' ? sign(state, ready, confirmed) : review(state, ready, confirmed),
    failed: (state, { cause }, { ready }) => fail(state, cause, ready.wanted),
  },
  putting: {
    priced,
    put: (state, { confirming, approval }, { ready }) => [
      { ...state, phase: { at: 'review', ready, confirming, approval } },
    ],
  },
  review: {
    priced,
    'approval changed': (state, { confirming, approval }, phase) => [
      phase.confirming === confirming ? { ...state, phase: { ...phase, approval } } : state,
    ],
    approved: (state, { confirming, confirmed }, phase) =>
      phase.confirming === confirming ? sign(state, phase.ready, confirmed) : [state],
    'not approved': (state, { confirming, cause }, phase) =>
      phase.confirming === confirming ? fail(state, cause, phase.ready.wanted) : [state],
  },
  lacking: {
    'add funds': (state, _, { missing, untilBalance }) => [
      state,
      { type: 'add funds', missing, untilBalance },
    ],
    // What it costs may be something else by then, so it is prepared anew.
    funded: (state) => attempt(state, state.transaction),
  },
  signing: {
    signed: (state, event, { ready }) => signed(state, event, ready),
    failed: (state, { cause }, { ready, confirmed }) =>
      // The limits were used up meanwhile: its user is asked after all, on the page.
      requiresPage(cause) && confirmed.place !== 'page'
        ? attempt({ ...state, isSilent: false }, ready.wanted)
        : fail(state, cause, ready.wanted),
  },
  broadcasting: {
    broadcast(state, { isFollowed }, { sent, nonce, ready }) {
      if (!isFollowed) return succeed(state, sent)
      const ending = done(sent)
      if (state.answerWhen !== 'sent') return follow(state, { sent, nonce }, ready.wanted, false)
      if (state.isSilent) return [state, { type: 'end', ending }]
      // Its user sees what becomes of it all the same.
      const [next, ...effects] = follow({ ...state, isAnswered: true }, { sent, nonce }, ready.wanted, false)
      return [next, { type: 'settle', ending }, ...effects]
    },
    failed: (state, { cause }, { ready, nonce }) => failSent(state, cause, ready.wanted, nonce),
    looked: (state, event, { ready, nonce }) => lookedInItsPlace(state, event, ready.wanted, nonce),
  },
  following: {
    'carried out': (state, { receipt }, { sent }) =>
      succeed(state, { ...sent, receipt: receiptOf(hashOf(sent), receipt) }),
    failed: (state, { cause }, { wanted, nonce, isEarlier }) =>
      isEarlier ? fail(state, cause, wanted, nonce) : failSent(state, cause, wanted, nonce),
    looked: (state, event, { wanted, nonce }) => lookedInItsPlace(state, event, wanted, nonce),
  },
  failed: {
    retry(state, _, { again }) {
      if (state.isAnswered) return [state]
      const { tried } = state
      return [
        { ...state, phase: { at: 'finding', again } },
        { type: 'find', tried, mayReplace: again.mayReplace },
      ]
    },
  },
  done: {},
}

function lookedInItsPlace(
  state: SendState,
  { found, cause }: Extract<SendEvent, { type: 'looked' }>,
  wanted: Transaction,
  nonce: number,
): Step {
  return found ? follow(state, found, wanted, true) : fail(state, cause, wanted, nonce)
}

export const sendStep = stepBy(table)

/** Once a node may have it, it is out of the user's hands, and may be carried out whether anybody looks or not. */
export function endingOfWhatIsDone({ phase, undecided }: SendState): Ending<Sent> | undefined {
  if (phase.at === 'broadcasting' || phase.at === 'following') return done(phase.sent)
  return undecided && failed(undecided)
}

/** What the caller gets where the user closes the card now. */
export function endingOfClose(state: SendState): Ending<Sent> {
  const { phase } = state
  const isFailed = phase.at === 'failed' || phase.at === 'lacking'
  return endingOfWhatIsDone(state) ?? failed(isFailed ? phase.error : rejectedError())
}

const hashOf = ({ receipt }: Sent): Hex => receipt.transactionHash

function unsentCode(cause: unknown): FailureCode {
  if (cause instanceof RecoveryFailure) return 'UNRECOVERED'
  return isExpiry(cause) ? 'UNCONFIRMED' : 'UNSIGNED'
}

const isUsedUp = (error: unknown): error is SendFailure =>
  error instanceof SendFailure &&
  (error.problem === 'NONCE_EXPIRED' || error.problem === 'TRANSACTION_REPLACED')

const keepsNonce: ReadonlySet<SendProblem> = new Set(undecidedProblems)

const failureOf = (code: string, message: string, hash?: string, cause?: unknown) =>
  new LatchkeyError(code === 'INSUFFICIENT_FUNDS' ? 'insufficient_funds' : 'transaction_failure', message, {
    cause,
    details: { code, ...(hash && { transactionHash: hash }) },
  })

const receiptOf = (transactionHash: Hex, { gasUsed, effectiveGasPrice }: ChainReceipt): Receipt => ({
  transactionHash,
  status: 'success',
  gasUsed: String(gasUsed),
  effectiveGasPrice: effectiveGasPrice === undefined ? null : String(effectiveGasPrice),
})
