/**
 * The state machine of the confirmation page. The page has a handle, but no session and no share. It shows
 * the request that the server stores under the handle, and the frame's vault signs the user's approval. A
 * request is decided once; closing or reloading the undecided page refuses it.
 */
import { confirmLimits, LatchkeyError, walletLimits } from '@latchkey/protocol'
import {
  type Assertion,
  type AssertionOptions,
  confirmPageRoutes,
  type OpenConfirmation,
  type RouteOutput,
} from '@latchkey/protocol/api'
import { type ConfirmationState, confirmationHandle } from '@latchkey/protocol/wallet'
import * as v from 'valibot'
import type { Clock } from '../clock.ts'
import type { PublicApi } from '../shares/transport.ts'
import { type Content, readSubject } from './subject.ts'

/** The frame that offered this request, with its vault. */
export type Approver = {
  /** Returns the handle of the request that the card has offered. */
  request: (signal: AbortSignal) => Promise<string>
  /** Returns the device key's statement, which the server accepts as the approval. */
  approve: (digest: string, signal: AbortSignal) => Promise<string>
  isGone: () => boolean
}

export type PagePorts = {
  /** The name in the URL: the handle of the request, or the name that the host's loader gave this page. */
  pageName: PageName
  clock: Clock
  api: PublicApi
  /** Finds the frame that approves; undefined if this page is cut off from its opener. */
  findApprover: (signal: AbortSignal) => Promise<Approver | undefined>
  /** Asks for the recovery passkey. Throws if the user or the browser refuses. */
  askPasskey: (options: AssertionOptions) => Promise<Assertion>
  show: (state: PageState) => void
  closePage: () => void
}

/** A page that the host opened during the click waits until the card has offered the request. */
export type PageName = { by: 'card' | 'host'; name: string }

export type PageProblem =
  | 'expired'
  | 'decided'
  | 'unknown'
  | 'changed'
  | 'unreadable'
  /** No wallet frame with this request was found. */
  | 'alone'
  /** The device has no key for the session. */
  | 'log-in-again'
  /**
   * The page is cut off from the card, and the user has no method for a code, or only a recently added one.
   */
  | 'no-address'

export type Reviewed = { record: OpenConfirmation; content: Content }
export type PageState =
  | { status: 'reading' | 'waiting' | 'approved' | 'refused' | 'unreachable' }
  | { status: 'problem'; problem: PageProblem }
  /**
   * `by`: a press here, a press that prompts for the recovery passkey, or a code, which is sent on a press.
   */
  | ({
      status: 'review'
      by: 'press' | 'passkey' | 'code'
      problem?: PasskeyProblem
    } & Reviewed)
  | ({ status: 'deciding' } & Reviewed)
  | ({ status: 'code'; code: SentCode; problem?: CodeProblem } & Reviewed)

/** How the code arrives. Authenticator apps need no message. */
export type SentCode = RouteOutput<typeof confirmPageRoutes.sendConfirmationCode>
export type CodeProblem = 'wrong' | 'too-many'
/** After either problem the user can still enter a code. */
export type PasskeyProblem = 'not-given' | 'refused'

export type PageFlow = {
  read: () => Promise<void>
  approve: () => void
  refuse: () => void
  /** Approves by the recovery passkey, if the page is cut off from its opener. */
  approveByPasskey: () => void
  sendCode: () => void
  approveByCode: (code: string) => void
  /** Refuses an undecided request, because the page goes away. */
  close: () => void
}

type Decision =
  | { decision: 'approve'; statement: string }
  | { decision: 'approve'; code: string }
  | { decision: 'approve'; passkey: Assertion }
  | { decision: 'refuse' }
type Review = Reviewed & {
  digest: string
  approver: Approver | undefined
  /** The passkey options for a page without an approver, until the server refuses an assertion. */
  passkey: AssertionOptions | null
}

export function createPageFlow(ports: PagePorts): PageFlow {
  const { pageName, clock, api, show } = ports
  let handle = pageName.by === 'card' ? pageName.name : ''
  const { signal } = new AbortController()
  let review: Review | undefined
  let stopPolling: (() => void) | undefined

  function end(state: PageState) {
    stopPolling?.()
    review = undefined
    show(state)
  }
  const endWith = (problem: PageProblem) => end({ status: 'problem', problem })

  async function read() {
    if (!v.is(confirmationHandle, pageName.name)) return endWith('unknown')
    show({ status: pageName.by === 'card' ? 'reading' : 'waiting' })
    try {
      const [record, approver] = pageName.by === 'card' ? await readWithFrame() : await readFromFrame()
      if (record.state !== 'open') return endWith(problems[record.state])
      const { digest, content } = await readSubject(record.request, record)
      if (digest !== record.digest) {
        await sendDecision(record.digest, { decision: 'refuse' })
        return endWith('changed')
      }
      begin({ record, content, digest, approver, passkey: approver ? null : record.passkey })
    } catch (error) {
      fail(error)
    }
  }

  const readRecord = () => api(confirmPageRoutes.readConfirmation, { signal }, { handle })
  const readWithFrame = () => Promise.all([readRecord(), findApprover()])

  async function readFromFrame() {
    const approver = await findApprover()
    if (!approver)
      throw new LatchkeyError('frame_unresponsive', 'No wallet frame has a request for this page')
    handle = await approver.request(signal)
    show({ status: 'reading' })
    return [await readRecord(), approver] as const
  }

  /**
   * Waits for the frame, which may still be loading, and for the dialog's offer, which follows a moment
   * later.
   */
  async function findApprover(): Promise<Approver | undefined> {
    const late = new AbortController()
    const waitMs = pageName.by === 'card' ? walletLimits.frameReadyImperativeMs : confirmLimits.openedByHostMs
    const stop = clock.after(waitMs, () =>
      late.abort(new LatchkeyError('frame_unresponsive', 'No wallet frame has this request')),
    )
    return ports.findApprover(late.signal).finally(stop)
  }

  function begin(newReview: Review) {
    const { record, approver } = newReview
    showReview(newReview)
    const endsAtMs = clock.nowMs() + record.expiresInSeconds * 1_000
    const poll = () => {
      // The card is gone, so nothing would receive the decision.
      if (approver?.isGone()) return refuse()
      if (clock.nowMs() >= endsAtMs) return endWith('expired')
      stopPolling = clock.after(confirmLimits.statusPollMs, poll)
    }
    poll()
  }

  function showReview(newReview: Review, problem?: PasskeyProblem) {
    review = newReview
    const { record, content, approver, passkey } = newReview
    const byUser = passkey ? 'passkey' : 'code'
    const by = approver ? 'press' : byUser
    show({ status: 'review', by, record, content, ...(problem && { problem }) })
  }

  function refuseOnClose() {
    if (review) sendDecision(review.digest, { decision: 'refuse' }).catch(() => {})
  }

  async function decide(
    decide: (review: Review) => Promise<Decision>,
    /** Returns whether the error was already shown in another way. */
    wasShown: (error: unknown, decided: Review) => boolean = () => false,
  ) {
    if (!review) return
    const decidedReview = review
    const { record, content, digest } = decidedReview
    stopPolling?.()
    review = undefined
    show({ status: 'deciding', record, content })
    try {
      const state = await sendDecision(digest, await decide(decidedReview))
      if (state !== 'approved' && state !== 'refused') return endWith(problems[state])
      end({ status: state })
      clock.after(walletLimits.signSuccessCloseMs, ports.closePage)
    } catch (error) {
      if (!wasShown(error, decidedReview)) fail(error)
    }
  }

  /** Leaves the request undecided during the browser's prompt, so that closing the page still refuses it. */
  async function approveByPasskey() {
    const shownReview = review
    if (!shownReview?.passkey) return
    const { record, content, passkey } = shownReview
    show({ status: 'deciding', record, content })
    const answer = await ports.askPasskey(passkey).catch(() => undefined)
    if (review !== shownReview) return
    if (answer === undefined) return showReview(shownReview, 'not-given')
    await decide(async () => ({ decision: 'approve', passkey: answer }), showPasskeyProblem)
  }

  function showPasskeyProblem(error: unknown, shownReview: Review): boolean {
    if (!(error instanceof LatchkeyError) || error.code !== 'invalid_credentials') return false
    showReview({ ...shownReview, passkey: null }, 'refused')
    return true
  }

  /** If even the first code was refused, one from an earlier page may be on its way. */
  let sentCode: SentCode = { by: 'mail', sentTo: null }

  async function sendCode() {
    if (!review) return
    const shownReview = review
    const { record, content } = shownReview
    show({ status: 'deciding', record, content })
    try {
      sentCode = await api(confirmPageRoutes.sendConfirmationCode, { signal }, { handle })
      if (review === shownReview) show({ status: 'code', record, content, code: sentCode })
    } catch (error) {
      if (review === shownReview && !showCodeProblem(error, shownReview)) fail(error)
    }
  }

  /** Shows what is wrong with a code. The request still waits, so the user can try again. */
  function showCodeProblem(error: unknown, shownReview: Review): boolean {
    const code = error instanceof LatchkeyError ? error.code : undefined
    const problem = code && codeProblems[code]
    if (problem === undefined) return false
    const { record, content } = shownReview
    review = shownReview
    show({ status: 'code', record, content, code: sentCode, problem })
    return true
  }

  /** Sends the decision, even if the page is being closed. */
  async function sendDecision(digest: string, decision: Decision): Promise<ConfirmationState> {
    const body = { handle, digest, ...decision }
    return (await api(confirmPageRoutes.decideConfirmation, { signal, keepalive: true }, body)).state
  }

  /** Allows a retry if the server did not respond. Any other error ends the request. */
  function fail(error: unknown) {
    const code = error instanceof LatchkeyError ? error.code : undefined
    if (code && noAnswerCodes.includes(code)) return end({ status: 'unreachable' })
    // This window has shown nothing yet, and the card can open the page in another way.
    if (pageName.by === 'host' && handle === '') ports.closePage()
    endWith((code && problemsByCode[code]) ?? 'unreadable')
  }

  const refuse = () => void decide(async () => ({ decision: 'refuse' }))

  /**
   * Asks the frame for the approval. If the card has cancelled the request meanwhile, the decision is a
   * refusal.
   */
  async function getApproval({ approver, digest }: Review): Promise<Decision> {
    try {
      if (!approver) throw new LatchkeyError('not_found', 'No wallet frame is connected')
      return { decision: 'approve', statement: await approver.approve(digest, signal) }
    } catch (error) {
      if (error instanceof LatchkeyError && error.code === 'device_not_bound') throw error
      return { decision: 'refuse' }
    }
  }

  return {
    read,
    approve: () => void decide(getApproval),
    refuse,
    approveByPasskey: () => void approveByPasskey(),
    sendCode: () => void sendCode(),
    approveByCode: (code) => void decide(async () => ({ decision: 'approve', code }), showCodeProblem),
    close: refuseOnClose,
  }
}

const problems: { [state in ConfirmationState]: PageProblem } = {
  open: 'decided',
  approved: 'decided',
  refused: 'decided',
  used: 'decided',
  expired: 'expired',
}

/** Codes that mean that the server, or the service that sends its codes, did not answer. */
const noAnswerCodes: readonly LatchkeyError['code'][] = [
  'server_unreachable',
  'client_request_timeout',
  'email_not_sent',
  'twilio_verification_failed',
]

const codeProblems: { readonly [code in LatchkeyError['code']]?: CodeProblem } = {
  invalid_credentials: 'wrong',
  too_many_requests: 'too-many',
  mfa_verification_max_attempts_reached: 'too-many',
}

const problemsByCode: { readonly [code in LatchkeyError['code']]?: PageProblem } = {
  not_found: 'unknown',
  frame_unresponsive: 'alone',
  not_supported: 'alone',
  linked_account_not_found: 'no-address',
  method_too_new: 'no-address',
  device_not_bound: 'log-in-again',
  missing_or_invalid_token: 'log-in-again',
}
