/**
 * An approval of what the server is asked to confirm first: it says where that may be approved. On the card, or on a
 * page of its own, at the top of a window, which nobody can frame: the card then has one button, which the wallet's
 * origin draws and which opens that page in its press. The card stays as it is, with its facts, until that page was
 * decided. A browser that can not tell what covers the card says so to the server, which then leaves less to it.
 */
import { confirmLimits, LatchkeyError } from '@latchkey/protocol'
import type { ConfirmationReason, OpenedWindowState } from '@latchkey/protocol/wallet'
import type { Clock } from '../browser/ports.ts'
import type { CardHandle } from '../flow/flow.ts'
import type { Handlers } from '../flow/screen.ts'
import type { Confirmed, ConfirmingAsker, Offered } from '../wallet/confirmed.ts'
import { type ApprovalEvents, requestApproval } from './approval.ts'
import type { ApprovalKind, Gate } from './gate.ts'
import { rejectedError } from './rejection.ts'

/** Why there is a page: what the server says of the request, or that this browser can not tell what is seen. */
export type PageReason = Extract<
  ConfirmationReason,
  | 'beyond_allowance'
  | 'too_often'
  | 'allowance_or_permit'
  | 'not_understood'
  | 'no_price'
  | 'relayed'
  | 'browser'
>

/** What a screen shows of an approval in place of a button. */
export type ShownApproval =
  | { readonly by: 'press'; readonly gate: Gate }
  | {
      readonly by: 'page'
      readonly reason: PageReason
      readonly way: PageWay
    }

/** How far the way to the page is. It can be opened once the server knows of the request. */
export type PageWay =
  | { readonly at: 'preparing' }
  | {
      readonly at: 'ready' | 'opened'
      /** Of the button that opens it, which is drawn by the wallet's origin. */
      readonly buttonUrl: string
      /** Nothing is known of a window that came, where the page of the host has an opener policy. */
      readonly mayBeBlocked: boolean
    }
  /** A browser inside of an app opens no windows. */
  | { readonly at: 'nowhere' }

export type ConfirmedEvents = ApprovalEvents & {
  /** The button has opened the page, or something that it knows nothing of. */
  readonly pageOpened: readonly [state: OpenedWindowState]
  /** The user gives it up on the card. */
  readonly cancelPage: readonly []
  /** Says why nothing can be opened here. */
  readonly explainPage: readonly []
}

export type ConfirmOnPage = {
  /** A browser inside of an app opens no windows. */
  readonly isPossible: () => boolean
  /**
   * From when the page was opened until it was decided. Resolves for an approval, rejects with a code for anything else;
   * where the signal aborts, it can not be confirmed any more.
   */
  readonly decided: (confirmed: Offered, signal: AbortSignal) => Promise<void>
  readonly explain: (card: Pick<CardHandle, 'interrupt'>) => Promise<void>
}

export type Confirming = {
  readonly handlers: Handlers<ConfirmedEvents>
  readonly shown: () => ShownApproval
  /** What was approved. Settles once; rejects with a code where it was not. */
  readonly outcome: Promise<Confirmed>
}

export type PuttingAsker = Required<Pick<ConfirmingAsker, 'place' | 'handle'>>

type Asked = {
  /** `page`: what no card approves. */
  readonly kind: ApprovalKind | 'page'
  /**
   * Puts the request to the server: for a card that is seen, until its browser turns out to tell too little of it. One
   * that is read for long is put anew before it expires.
   */
  readonly put: (asker: PuttingAsker) => Promise<Confirmed>
  readonly clock: Clock
  readonly card: Pick<CardHandle, 'after' | 'interrupt' | 'signal'>
  readonly confirmOnPage: ConfirmOnPage
  /** That the page has opened for it, which shows the request where that goes to the page. */
  readonly window?: string | undefined
}

/** Each is a try of its own. */
export function requestConfirmed(
  { kind, put, clock, card, confirmOnPage, window }: Asked,
  onShown: (shown: ShownApproval) => void,
): Confirming {
  const outcome = Promise.withResolvers<Confirmed>()
  const isNeverOnCard = kind === 'page'
  let approval = requestApproval(kind === 'page' ? 'message' : kind, tell)
  let record: Confirmed | undefined
  let place: 'frame' | 'unseen' | 'page' = isNeverOnCard ? 'page' : 'frame'
  let opened: { readonly mayBeBlocked: boolean; readonly cancel: AbortController } | undefined

  function putTo(handle?: string) {
    put({ place, handle }).then((made) => {
      if (opened) return
      if (isToMove(made)) return putTo(made.handle)
      if (isSaidAnew(made, record)) approval.beginAnew()
      record = made
      if (window !== undefined && goesToPage() && confirmOnPage.isPossible()) pageOpened('open')
      else tell()
      card.after(made.expiresAtMs - clock.nowMs() - confirmLimits.leftSeconds * 1_000, () => {
        if (!opened) putTo()
      })
    }, outcome.reject)
  }
  function tell() {
    onShown(shown())
  }
  /** It was put for a card that is seen, before the browser said that it can not tell. */
  const isToMove = (made: Confirmed) => place === 'unseen' && made.place !== 'unseen' && made.place !== 'page'
  const goesToPage = () => isNeverOnCard || record?.place === 'page'

  function shown(): ShownApproval {
    if (goesToPage()) return { by: 'page', reason: pageReasonOf(record), way: wayToPage() }
    const gate = approval.gate()
    return { by: 'press', gate: record ? gate : notYet(gate) }
  }
  function wayToPage(): PageWay {
    if (record === undefined) return { at: 'preparing' }
    if (!confirmOnPage.isPossible()) return { at: 'nowhere' }
    const { buttonUrl } = record
    return { at: opened ? 'opened' : 'ready', buttonUrl, mayBeBlocked: opened?.mayBeBlocked ?? false }
  }
  /** Opened again it is the same page, and the same wait for what is decided there. */
  function pageOpened(state: OpenedWindowState) {
    if (!record || !goesToPage() || state === 'closed') return
    const isFirst = opened === undefined
    const cancel = opened?.cancel ?? new AbortController()
    opened = { cancel, mayBeBlocked: state === 'unknown' }
    tell()
    if (!isFirst) return
    const confirmed = record
    confirmOnPage
      .decided(
        window === undefined ? confirmed : { ...confirmed, window },
        AbortSignal.any([card.signal, cancel.signal]),
      )
      .then(() => outcome.resolve(confirmed), outcome.reject)
  }
  function cancelPage() {
    if (!opened) return
    opened.cancel.abort()
    outcome.reject(rejectedError())
  }

  function awaitApproval() {
    approval.outcome.then(
      () => record && outcome.resolve(record),
      (error: unknown) => {
        if (!isForPage(error)) return outcome.reject(error)
        place = 'unseen'
        // What the server leaves to such a browser is approved there as a plain message is.
        approval = requestApproval('message', tell)
        awaitApproval()
        if (record && isToMove(record)) {
          const { handle } = record
          record = undefined
          putTo(handle)
        }
        tell()
      },
    )
  }
  awaitApproval()
  putTo()

  return {
    shown,
    outcome: outcome.promise,
    handlers: {
      notice(noticed) {
        if (goesToPage()) return
        // What is pressed before the server has said where it may be, is pressed on nothing.
        if (record || (noticed.what !== 'down' && noticed.what !== 'press')) approval.handlers.notice(noticed)
      },
      pageOpened,
      cancelPage,
      explainPage: () => void confirmOnPage.explain(card).catch(outcome.reject),
    },
  }
}

/** What a person reads of it changes with the answer. */
const isSaidAnew = (made: Confirmed, before: Confirmed | undefined) =>
  made.usd !== (before?.usd ?? null) || JSON.stringify(made.names) !== JSON.stringify(before?.names ?? null)

/** Of a screen that asks for an approval at times: what it sends at others is heard by nobody. */
export const confirmingHandlers = (present: () => Confirming | undefined): Handlers<ConfirmedEvents> => ({
  notice: (noticed) => present()?.handlers.notice(noticed),
  pageOpened: (state) => present()?.handlers.pageOpened(state),
  cancelPage: () => present()?.handlers.cancelPage(),
  explainPage: () => present()?.handlers.explainPage(),
})

/** It may be approved on the page alone. */
export const isForPage = (error: unknown): boolean =>
  error instanceof LatchkeyError && error.code === 'approval_required_elsewhere'

const pageReasons: readonly ConfirmationReason[] = [
  'beyond_allowance',
  'too_often',
  'allowance_or_permit',
  'not_understood',
  'no_price',
  'relayed',
  'browser',
] satisfies readonly PageReason[]

const isPageReason = (reason: ConfirmationReason): reason is PageReason => pageReasons.includes(reason)

const pageReasonOf = (record: Confirmed | undefined): PageReason =>
  record && isPageReason(record.reason) ? record.reason : 'browser'

const armedStates: readonly Gate['state'][] = ['armed', 'settling', 'ready']

/** As one that arms still. */
const notYet = (gate: Gate): Gate => (armedStates.includes(gate.state) ? { ...gate, state: 'arming' } : gate)
