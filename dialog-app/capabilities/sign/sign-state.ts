/**
 * What is known of one request to sign, as a machine: no wallet, server or clock is in it. The wallet connects while
 * its user reads; what is signed is what was approved.
 */
import type { LatchkeyError, WalletAccount } from '@latchkey/protocol'
import { noAssetNames } from '@latchkey/protocol/reading'
import { type PendingConfirmation, requiresPage, type ShownApproval } from '../../approval/confirmed.ts'
import { isExpiry, isRefusal, rejectedError, unableToSign } from '../../approval/rejection.ts'
import { verificationProblem } from '../../approval/verification-problem.ts'
import { done, type Ending, failed } from '../../flow/flow.ts'
import { type Next, stepBy, type Table } from '../../flow/machine.ts'
import type { ConfirmedRequest } from '../../wallet/confirmed.ts'
import type { ShownRequest, SignProblem } from './request-screen.tsx'
import { english } from './texts.arb'
import { type Blocked, blockedError, type Signed } from './to-sign.ts'

/** Who signs, and what the screen shows of it whatever the phase is. */
export type Signing = { account: WalletAccount; shown: ShownRequest }

export type SignPhase =
  | { at: 'finding wallet' }
  /** The request is one that nobody should be asked at all. */
  | ({ at: 'blocked'; why: Blocked } & Signing)
  /** The server is asked whether its limits approve it without its user. */
  | ({ at: 'confirming silently' } & Signing)
  | ({ at: 'signing silently' } & Signing)
  /** The request is on its way to its user. */
  | ({ at: 'putting'; isConnected: boolean } & Signing)
  | ({
      at: 'review'
      confirming: PendingConfirmation
      approval: ShownApproval
      isConnected: boolean
    } & Signing)
  /** It was approved, and waits for the wallet. */
  | ({ at: 'connecting'; confirmed: ConfirmedRequest; isNamed: boolean } & Signing)
  | ({ at: 'signing'; confirmed: ConfirmedRequest; isNamed: boolean } & Signing)
  | ({ at: 'failed'; error: LatchkeyError; problem: SignProblem } & Signing)
  | ({ at: 'signed' } & Signing)

export type SignState = {
  phase: SignPhase
  /** The host and its server may approve it without its user. */
  mayBeSilent: boolean
  /** A window that the page opened for the first try; it is closed after that. */
  window: string | undefined
  /** Counts the tries: what belongs to the connection of an earlier one comes too late. */
  attempt: number
}

export type SignEvent =
  | { type: 'begin' }
  | ({ type: 'found'; blocked: Blocked | undefined } & Signing)
  /** Undefined where the server confirmed nothing. */
  | { type: 'answered silently'; confirmed: ConfirmedRequest | undefined }
  | { type: 'put'; confirming: PendingConfirmation; approval: ShownApproval }
  /** The server says who is who in what is shown. */
  | { type: 'named'; names: ConfirmedRequest['names'] }
  | {
      type: 'approval changed'
      confirming: PendingConfirmation
      approval: ShownApproval
    }
  | { type: 'approved'; confirming: PendingConfirmation; confirmed: ConfirmedRequest }
  | { type: 'not approved'; confirming: PendingConfirmation; cause: unknown }
  | { type: 'connected'; attempt: number }
  | { type: 'not connected'; attempt: number; cause: unknown }
  /** The connection takes so long that its user is told what is waited for. */
  | { type: 'slow'; attempt: number }
  | { type: 'signed'; signature: string }
  | { type: 'not signed'; cause: unknown }
  | { type: 'retry' }

type Of = { account: WalletAccount }
export type SignEffect =
  | { type: 'find wallet' }
  | ({ type: 'confirm silently' } & Of)
  | ({ type: 'sign silently'; confirmed: ConfirmedRequest } & Of)
  | ({ type: 'connect'; attempt: number } & Of)
  | ({
      type: 'put'
      /** What the server has answered already. */
      known: ConfirmedRequest | undefined
      window: string | undefined
    } & Of)
  | { type: 'watch for slowness'; attempt: number }
  | ({ type: 'sign'; confirmed: ConfirmedRequest } & Of)
  | { type: 'track'; what: 'completed' | 'possible_phishing_attempt' }
  /** What was signed stays to be read for a moment. */
  | { type: 'hold' }
  /** Its caller hears; the screen stays. */
  | { type: 'settle'; ending: Ending<Signed> }
  | { type: 'end'; ending?: Ending<Signed> }

type Step = Next<SignState, SignEffect>

export const unsignedState = (request: Pick<SignState, 'mayBeSilent' | 'window'>): SignState => ({
  ...request,
  phase: { at: 'finding wallet' },
  attempt: 0,
})

/** `known`: what the server has answered already. */
function attempt(state: SignState, { account, shown }: Signing, known?: ConfirmedRequest): Step {
  const { window } = state
  const next = state.attempt + 1
  return [
    {
      ...state,
      window: undefined,
      attempt: next,
      phase: { at: 'putting', account, shown, isConnected: false },
    },
    { type: 'connect', account, attempt: next },
    { type: 'put', account, known, window },
  ]
}

function sign(state: SignState, phase: Signing, confirmed: ConfirmedRequest, isNamed: boolean): Step {
  const { account, shown } = phase
  return [
    { ...state, phase: { at: 'signing', account, shown, confirmed, isNamed } },
    { type: 'sign', account, confirmed },
  ]
}

function fail(state: SignState, { account, shown }: Signing, cause: unknown, problem: SignProblem): Step {
  if (isRefusal(cause)) return [state, { type: 'end', ending: failed(cause) }]
  const error = unableToSign(cause, english.problems[problem])
  const told = verificationProblem(error) ?? problem
  return [{ ...state, phase: { at: 'failed', account, shown, error, problem: told } }]
}

const failBefore = (state: SignState, signing: Signing, cause: unknown): Step =>
  fail(state, signing, cause, problemOf(cause) ?? 'unable')

const problemOf = (cause: unknown): SignProblem | undefined => (isExpiry(cause) ? 'expired' : undefined)

const answered = (signature: string, { account: { address } }: Signing) => done({ signature, address })

/** A phase in which the wallet connects while its user reads. */
type Read = Extract<SignPhase, { at: 'putting' | 'review' }>
const whileRead = {
  named: (state: SignState, { names }: Extract<SignEvent, { type: 'named' }>, phase: Read): Step => [
    { ...state, phase: { ...phase, shown: { ...phase.shown, names: names ?? noAssetNames } } },
  ],
  connected: (state: SignState, event: { attempt: number }, phase: Read): Step => [
    event.attempt === state.attempt ? { ...state, phase: { ...phase, isConnected: true } } : state,
  ],
  'not connected': (state: SignState, event: { attempt: number; cause: unknown }, phase: Read): Step =>
    event.attempt === state.attempt ? failBefore(state, phase, event.cause) : [state],
}

const table: Table<SignState, SignEvent, SignEffect> = {
  'finding wallet': {
    begin: (state) => [state, { type: 'find wallet' }],
    found(state, { account, shown, blocked: why }) {
      if (why) {
        // The caller hears at once; the user reads why, and closes.
        return [
          { ...state, phase: { at: 'blocked', account, shown, why } },
          { type: 'track', what: 'possible_phishing_attempt' },
          { type: 'settle', ending: failed(blockedError(why)) },
        ]
      }
      return state.mayBeSilent
        ? [
            { ...state, phase: { at: 'confirming silently', account, shown } },
            { type: 'confirm silently', account },
          ]
        : attempt(state, { account, shown })
    },
  },
  blocked: {},
  'confirming silently': {
    'answered silently': (state, { confirmed }, phase) =>
      confirmed?.place === 'silent'
        ? [
            { ...state, phase: { ...phase, at: 'signing silently' } },
            { type: 'sign silently', account: phase.account, confirmed },
          ]
        : // What is wrong is found again, and said, where the user is asked.
          attempt(state, phase, confirmed),
  },
  'signing silently': {
    signed: (state, { signature }, phase) => [
      state,
      { type: 'settle', ending: answered(signature, phase) },
      { type: 'track', what: 'completed' },
      { type: 'end' },
    ],
    'not signed': (state, { cause }, phase) =>
      // What nobody had to be asked for was used up meanwhile.
      requiresPage(cause)
        ? attempt(state, phase)
        : [state, { type: 'end', ending: failed(unableToSign(cause, english.problems.failed)) }],
  },
  putting: {
    ...whileRead,
    put: (state, { confirming, approval }, phase) => [
      { ...state, phase: { ...phase, at: 'review', confirming, approval } },
    ],
  },
  review: {
    ...whileRead,
    'approval changed': (state, { confirming, approval }, phase) => [
      phase.confirming === confirming ? { ...state, phase: { ...phase, approval } } : state,
    ],
    approved(state, { confirming, confirmed }, phase) {
      if (phase.confirming !== confirming) return [state]
      const { account, shown } = phase
      if (phase.isConnected) return sign(state, phase, confirmed, false)
      // It is not signed yet, but it is out of the user's hands.
      return [
        { ...state, phase: { at: 'connecting', account, shown, confirmed, isNamed: false } },
        { type: 'watch for slowness', attempt: state.attempt },
      ]
    },
    'not approved': (state, { confirming, cause }, phase) =>
      phase.confirming === confirming ? failBefore(state, phase, cause) : [state],
  },
  connecting: {
    connected: (state, event, phase) =>
      event.attempt === state.attempt ? sign(state, phase, phase.confirmed, phase.isNamed) : [state],
    'not connected': (state, event, phase) =>
      event.attempt === state.attempt ? failBefore(state, phase, event.cause) : [state],
    slow: (state, event, phase) => [
      event.attempt === state.attempt ? { ...state, phase: { ...phase, isNamed: true } } : state,
    ],
  },
  signing: {
    signed: (state, { signature }, phase) => [
      { ...state, phase: { ...phase, at: 'signed' } },
      { type: 'settle', ending: answered(signature, phase) },
      { type: 'track', what: 'completed' },
      { type: 'hold' },
    ],
    'not signed': (state, { cause }, phase) =>
      // The allowance of the day was used up meanwhile: what is put anew goes to the page.
      phase.confirmed.place !== 'page' && requiresPage(cause)
        ? attempt(state, phase)
        : fail(state, phase, cause, problemOf(cause) ?? 'failed'),
  },
  failed: { retry: (state, _, phase) => attempt(state, phase) },
  signed: {},
}

export const signStep = stepBy(table)

/** What the caller gets where the user closes the card now. */
export const endingOfClose = ({ phase }: SignState): Ending<Signed> =>
  failed(phase.at === 'failed' ? phase.error : rejectedError())
