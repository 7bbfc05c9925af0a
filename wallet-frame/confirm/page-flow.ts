/**
 * The page of a confirmation, alone in its window: it has a handle, and neither a session nor a share. It shows what the
 * server has under the handle, has the vault of the frame sign what its user approves, and is decided once. Whoever
 * leaves it undecided, by closing or by reloading, has refused.
 */
import { confirmLimits, LatchkeyError, walletLimits } from '@latchkey/protocol'
import {
  type Assertion,
  type AssertionOptions,
  type ConfirmationToDecide,
  confirmPageRoutes,
  type RouteOutput,
} from '@latchkey/protocol/api'
import { type ConfirmationState, confirmationHandle } from '@latchkey/protocol/wallet'
import * as v from 'valibot'
import type { Clock } from '../clock.ts'
import type { PublicApi } from '../shares/transport.ts'
import { type Content, readSubject } from './subject.ts'

/** The vault of the frame that has offered this request. */
export type Approver = {
  /** What the card has offered this page. */
  request: (signal: AbortSignal) => Promise<string>
  /** What the server takes as the approval of the session's device. */
  approve: (digest: string, signal: AbortSignal) => Promise<string>
  isGone: () => boolean
}

export type PagePorts = {
  /** The name in the address: the handle of the request, or the name that the host's loader gave this page. */
  named: PageName
  clock: Clock
  api: PublicApi
  /** Finds the frame that approves; undefined if this page is cut off from its opener. */
  findApprover: (signal: AbortSignal) => Promise<Approver | undefined>
  /** Asks the passkey that keeps the wallet; throws where it is not given. */
  askPasskey: (options: AssertionOptions) => Promise<Assertion>
  show: (state: PageState) => void
  closePage: () => void
}

/** One that the host opened in the click that asked waits until the card has put the request. */
export type PageName = { by: 'card' | 'host'; name: string }

export type PageProblem =
  | 'expired'
  | 'decided'
  | 'unknown'
  | 'changed'
  | 'unreadable'
  /** No card that asked is to be reached from here. */
  | 'alone'
  /** The device has no key for the session. */
  | 'log-in-again'
  /** The page is cut off from the card, and the user has nothing, or only what is new, that a code comes by. */
  | 'no-address'

export type Reviewed = { record: ConfirmationToDecide; content: Content }
export type PageState =
  | { status: 'reading' | 'waiting' | 'approved' | 'refused' | 'unreachable' }
  | { status: 'problem'; problem: PageProblem }
  /** By a press here; by one that asks the passkey of the wallet; or by a code, which is asked for on a press. */
  | ({
      status: 'review'
      by: 'press' | 'passkey' | 'code'
      problem?: PasskeyProblem
    } & Reviewed)
  | ({ status: 'deciding' } & Reviewed)
  | ({ status: 'code'; code: CodeOnItsWay; problem?: CodeProblem } & Reviewed)

/** How it comes; of an authenticator app nothing is sent. */
export type CodeOnItsWay = RouteOutput<typeof confirmPageRoutes.sendConfirmationCode>
export type CodeProblem = 'wrong' | 'too-many'
/** Neither keeps anybody from a code. */
export type PasskeyProblem = 'not-given' | 'refused'

export type PageFlow = {
  read: () => Promise<void>
  approve: () => void
  refuse: () => void
  /** Approves by the passkey of the wallet, if the page is cut off from its opener. */
  approveByPasskey: () => void
  sendCode: () => void
  approveByCode: (code: string) => void
  /** The page goes away. */
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
  /** What it may be asked where there is no approver, until the server refused an answer to it. */
  passkey: AssertionOptions | null
}

export function createPageFlow(ports: PagePorts): PageFlow {
  const { named, clock, api, show } = ports
  let handle = named.by === 'card' ? named.name : ''
  const { signal } = new AbortController()
  let review: Review | undefined
  let callOff: (() => void) | undefined

  function end(state: PageState) {
    callOff?.()
    review = undefined
    show(state)
  }
  const endWith = (problem: PageProblem) => end({ status: 'problem', problem })

  async function read() {
    if (!v.is(confirmationHandle, named.name)) return endWith('unknown')
    show({ status: named.by === 'card' ? 'reading' : 'waiting' })
    try {
      const [record, approver] = named.by === 'card' ? await readWithFrame() : await readFromFrame()
      if (record.state !== 'open') return endWith(problems[record.state])
      const { digest, content } = await readSubject(record.request, record)
      if (digest !== record.digest) {
        await tell(record.digest, { decision: 'refuse' })
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
    if (!approver) throw new LatchkeyError('frame_unresponsive', 'Nobody can say what this page is to show')
    handle = await approver.request(signal)
    show({ status: 'reading' })
    return [await readRecord(), approver] as const
  }

  /** The frame may be loading still, and it is a moment before the dialog has offered the request. */
  async function findApprover(): Promise<Approver | undefined> {
    const late = new AbortController()
    const waitMs = named.by === 'card' ? walletLimits.frameReadyImperativeMs : confirmLimits.openedByHostMs
    const stop = clock.after(waitMs, () =>
      late.abort(new LatchkeyError('frame_unresponsive', 'No wallet frame has this request')),
    )
    return ports.findApprover(late.signal).finally(stop)
  }

  function begin(begun: Review) {
    const { record, approver } = begun
    putToUser(begun)
    const endsAtMs = clock.nowMs() + record.expiresInSeconds * 1_000
    const look = () => {
      // The card is gone, so nobody would get the decision.
      if (approver?.isGone()) return refuse()
      if (clock.nowMs() >= endsAtMs) return endWith('expired')
      callOff = clock.after(confirmLimits.statusPollMs, look)
    }
    look()
  }

  function putToUser(put: Review, problem?: PasskeyProblem) {
    review = put
    const { record, content, approver, passkey } = put
    const byUser = passkey ? 'passkey' : 'code'
    const by = approver ? 'press' : byUser
    show({ status: 'review', by, record, content, ...(problem && { problem }) })
  }

  function refuseOnClose() {
    if (review) tell(review.digest, { decision: 'refuse' }).catch(() => {})
  }

  async function decide(
    decide: (review: Review) => Promise<Decision>,
    /** True where the failure is told in another way. */
    isTold: (error: unknown, decided: Review) => boolean = () => false,
  ) {
    if (!review) return
    const decided = review
    const { record, content, digest } = decided
    callOff?.()
    review = undefined
    show({ status: 'deciding', record, content })
    try {
      const state = await tell(digest, await decide(decided))
      if (state !== 'approved' && state !== 'refused') return endWith(problems[state])
      end({ status: state })
      clock.after(walletLimits.signSuccessCloseMs, ports.closePage)
    } catch (error) {
      if (!isTold(error, decided)) fail(error)
    }
  }

  /** It waits for its user while the browser asks: whoever leaves meanwhile has refused. */
  async function approveByPasskey() {
    const asked = review
    if (!asked?.passkey) return
    const { record, content, passkey } = asked
    show({ status: 'deciding', record, content })
    const answer = await ports.askPasskey(passkey).catch(() => undefined)
    if (review !== asked) return
    if (answer === undefined) return putToUser(asked, 'not-given')
    await decide(async () => ({ decision: 'approve', passkey: answer }), tellOfPasskey)
  }

  function tellOfPasskey(error: unknown, asked: Review): boolean {
    if (!(error instanceof LatchkeyError) || error.code !== 'invalid_credentials') return false
    putToUser({ ...asked, passkey: null }, 'refused')
    return true
  }

  /** If even the first code was refused, one from an earlier page may be on its way. */
  let onItsWay: CodeOnItsWay = { by: 'mail', sentTo: null }

  async function sendCode() {
    if (!review) return
    const asked = review
    const { record, content } = asked
    show({ status: 'deciding', record, content })
    try {
      onItsWay = await api(confirmPageRoutes.sendConfirmationCode, { signal }, { handle })
      if (review === asked) show({ status: 'code', record, content, code: onItsWay })
    } catch (error) {
      if (review === asked && !tellOfCode(error, asked)) fail(error)
    }
  }

  /** Shows what is wrong with a code. The request still waits, so the user can try again. */
  function tellOfCode(error: unknown, asked: Review): boolean {
    const code = error instanceof LatchkeyError ? error.code : undefined
    const problem = code && codeProblems[code]
    if (problem === undefined) return false
    const { record, content } = asked
    review = asked
    show({ status: 'code', record, content, code: onItsWay, problem })
    return true
  }

  /** The decision arrives even if the page is closed. */
  async function tell(digest: string, decision: Decision): Promise<ConfirmationState> {
    const body = { handle, digest, ...decision }
    return (await api(confirmPageRoutes.decideConfirmation, { signal, keepalive: true }, body)).state
  }

  /** What was not answered may be asked again; anything else is never put to the user. */
  function fail(error: unknown) {
    const code = error instanceof LatchkeyError ? error.code : undefined
    if (code && unanswered.includes(code)) return end({ status: 'unreachable' })
    // Nothing was shown in it: the card has another way to this page.
    if (named.by === 'host' && handle === '') ports.closePage()
    endWith((code && problemsByCode[code]) ?? 'unreadable')
  }

  const refuse = () => void decide(async () => ({ decision: 'refuse' }))

  /** Asks the frame for the approval. If the card has cancelled the request meanwhile, the decision is a refusal. */
  async function approved({ approver, digest }: Review): Promise<Decision> {
    try {
      if (!approver) throw new LatchkeyError('not_found', 'There is no frame to ask')
      return { decision: 'approve', statement: await approver.approve(digest, signal) }
    } catch (error) {
      if (error instanceof LatchkeyError && error.code === 'device_not_bound') throw error
      return { decision: 'refuse' }
    }
  }

  return {
    read,
    approve: () => void decide(approved),
    refuse,
    approveByPasskey: () => void approveByPasskey(),
    sendCode: () => void sendCode(),
    approveByCode: (code) => void decide(async () => ({ decision: 'approve', code }), tellOfCode),
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
const unanswered: readonly LatchkeyError['code'][] = [
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
