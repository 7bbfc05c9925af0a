/**
 * What is known of one request to sign, as a machine: no wallet, server or clock is in it. The wallet connects while
 * its user reads; what is signed is what was approved.
 */
import type { LatchkeyError, WalletAccount } from '@latchkey/protocol'
import { noNames } from '@latchkey/protocol/reading'
import { type Confirming, isForPage, type ShownApproval } from '../../approval/confirmed.ts'
import { isExpiry, isRefusal, rejectedError, unableToSign } from '../../approval/rejection.ts'
import { verificationProblem } from '../../approval/verification-problem.ts'
import { done, type Ending, failed } from '../../flow/flow.ts'
import { type Next, stepBy, type Table } from '../../flow/machine.ts'
import type { Confirmed } from '../../wallet/confirmed.ts'
import type { ShownRequest, SignProblem } from './request-screen.tsx'
import { english } from './texts.arb'
import { type Blocked, blockedError, type Signed } from './to-sign.ts'

/** Who signs, and what the screen shows of it whatever the phase is. */
export type Signing = { readonly account: WalletAccount; readonly shown: ShownRequest }

export type SignPhase =
  | { readonly at: 'finding wallet' }
  /** The request is one that nobody should be asked at all. */
  | ({ readonly at: 'blocked'; readonly why: Blocked } & Signing)
  /** The server is asked whether its limits approve it without its user. */
  | ({ readonly at: 'confirming silently' } & Signing)
  | ({ readonly at: 'signing silently' } & Signing)
  /** The request is on its way to its user. */
  | ({ readonly at: 'putting'; readonly isConnected: boolean } & Signing)
  | ({
      readonly at: 'review'
      readonly confirming: Confirming
      readonly approval: ShownApproval
      readonly isConnected: boolean
    } & Signing)
  /** It was approved, and waits for the wallet. */
  | ({ readonly at: 'connecting'; readonly confirmed: Confirmed; readonly isNamed: boolean } & Signing)
  | ({ readonly at: 'signing'; readonly confirmed: Confirmed; readonly isNamed: boolean } & Signing)
  | ({ readonly at: 'failed'; readonly error: LatchkeyError; readonly problem: SignProblem } & Signing)
  | ({ readonly at: 'signed' } & Signing)

export type SignState = {
  readonly phase: SignPhase
  /** The host and its server may approve it without its user. */
  readonly mayBeSilent: boolean
  /** A window that the page opened for the first try; it is closed after that. */
  readonly window: string | undefined
  /** Counts the tries: what belongs to the connection of an earlier one comes too late. */
  readonly attempt: number
}

export type SignEvent =
  | { readonly type: 'begin' }
  | ({ readonly type: 'found'; readonly blocked: Blocked | undefined } & Signing)
  /** Undefined where the server confirmed nothing. */
  | { readonly type: 'answered silently'; readonly confirmed: Confirmed | undefined }
  | { readonly type: 'put'; readonly confirming: Confirming; readonly approval: ShownApproval }
  /** The server says who is who in what is shown. */
  | { readonly type: 'named'; readonly names: Confirmed['names'] }
  | {
      readonly type: 'approval changed'
      readonly confirming: Confirming
      readonly approval: ShownApproval
    }
  | { readonly type: 'approved'; readonly confirming: Confirming; readonly confirmed: Confirmed }
  | { readonly type: 'not approved'; readonly confirming: Confirming; readonly cause: unknown }
  | { readonly type: 'connected'; readonly attempt: number }
  | { readonly type: 'not connected'; readonly attempt: number; readonly cause: unknown }
  /** The connection takes so long that its user is told what is waited for. */
  | { readonly type: 'slow'; readonly attempt: number }
  | { readonly type: 'signed'; readonly signature: string }
  | { readonly type: 'not signed'; readonly cause: unknown }
  | { readonly type: 'retry' }

type Of = { readonly account: WalletAccount }
export type SignEffect =
  | { readonly type: 'find wallet' }
  | ({ readonly type: 'confirm silently' } & Of)
  | ({ readonly type: 'sign silently'; readonly confirmed: Confirmed } & Of)
  | ({ readonly type: 'connect'; readonly attempt: number } & Of)
  | ({
      readonly type: 'put'
      /** What the server has answered already. */
      readonly known: Confirmed | undefined
      readonly window: string | undefined
    } & Of)
  | { readonly type: 'watch for slowness'; readonly attempt: number }
  | ({ readonly type: 'sign'; readonly confirmed: Confirmed } & Of)
  | { readonly type: 'track'; readonly what: 'completed' | 'possible_phishing_attempt' }
  /** What was signed stays to be read for a moment. */
  | { readonly type: 'hold' }
  /** Its caller hears; the screen stays. */
  | { readonly type: 'settle'; readonly ending: Ending<Signed> }
  | { readonly type: 'end'; readonly ending?: Ending<Signed> }

type Step = Next<SignState, SignEffect>

export const unsignedState = (request: Pick<SignState, 'mayBeSilent' | 'window'>): SignState => ({
  ...request,
  phase: { at: 'finding wallet' },
  attempt: 0,
})

/** `known`: what the server has answered already. */
function attempt(state: SignState, { account, shown }: Signing, known?: Confirmed): Step {
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

function sign(state: SignState, phase: Signing, confirmed: Confirmed, isNamed: boolean): Step {
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
type Read = Extract<SignPhase, { readonly at: 'putting' | 'review' }>
const whileRead = {
  named: (state: SignState, { names }: Extract<SignEvent, { type: 'named' }>, phase: Read): Step => [
    { ...state, phase: { ...phase, shown: { ...phase.shown, names: names ?? noNames } } },
  ],
  connected: (state: SignState, event: { readonly attempt: number }, phase: Read): Step => [
    event.attempt === state.attempt ? { ...state, phase: { ...phase, isConnected: true } } : state,
  ],
  'not connected': (
    state: SignState,
    event: { readonly attempt: number; readonly cause: unknown },
    phase: Read,
  ): Step => (event.attempt === state.attempt ? failBefore(state, phase, event.cause) : [state]),
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
      isForPage(cause)
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
      phase.confirmed.place !== 'page' && isForPage(cause)
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
