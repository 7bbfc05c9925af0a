/**
 * An approval of what the server is asked to confirm first: it says where that may be approved. On the card, where the
 * browser can tell that it is seen; else on a page of its own, at the top of a tab, which nobody can frame. The card
 * then has one button, which opens that page in its press.
 */
import { LatchkeyError } from '@latchkey/protocol'
import { type ApprovalEvents, requestApproval } from './approval.ts'
import type { CardHandle } from './flow.ts'
import type { ApprovalKind, Gate } from './gate.ts'
import type { Handlers } from './screen.ts'

/** What the server says of a request that it wrote down. */
export type Placed = {
  /** Names the page. */
  readonly handle: string
  readonly place: 'frame' | 'page' | 'silent'
  readonly reason: PlaceReason
}
export type PlaceReason =
  | 'plain_message'
  | 'test_network'
  | 'within_allowance'
  | 'within_limits'
  | 'beyond_allowance'
  | 'allowance_or_permit'
  | 'not_understood'
  | 'no_price'

/** Why there is a page: what the server says of the request, or that this browser can not tell what is seen. */
export type PageReason =
  | Extract<PlaceReason, 'beyond_allowance' | 'allowance_or_permit' | 'not_understood' | 'no_price'>
  | 'browser'

/** What a screen shows of an approval in place of a button. */
export type ShownApproval =
  | { readonly by: 'press'; readonly gate: Gate; readonly mayRefuse?: boolean }
  /** It can be opened once the server knows of the request. */
  | { readonly by: 'page'; readonly isReady: boolean; readonly reason: PageReason }

export type ConfirmedEvents = ApprovalEvents & {
  /** Opens a tab, so it is sent in the click. */
  readonly openPage: readonly []
  readonly refuse: readonly []
}

/** Opens the page when it is called in a click. Resolves for an approval, rejects with a code for anything else. */
export type ConfirmOnPage = (asked: {
  readonly handle: string
  readonly card: Pick<CardHandle, 'interrupt' | 'signal'>
}) => Promise<void>

export type Confirming = {
  readonly handlers: Handlers<ConfirmedEvents>
  readonly shown: () => ShownApproval
  /** Settles once. Rejects with a code where it was not approved. */
  readonly outcome: Promise<void>
}

type Asked = {
  readonly kind: ApprovalKind
  /** The request, as the server has it. */
  readonly placed: Promise<Placed>
  readonly confirmOnPage: (placed: Placed) => Promise<void>
}

/** Each is a try of its own. */
export function requestConfirmed(
  { kind, placed, confirmOnPage }: Asked,
  onShown: (shown: ShownApproval) => void,
): Confirming {
  const outcome = Promise.withResolvers<void>()
  const approval = requestApproval(kind, tell)
  let record: Placed | undefined
  let isSeenWell = true

  placed.then((made) => {
    record = made
    tell()
  }, outcome.reject)
  approval.outcome.then(outcome.resolve, (error: unknown) => {
    if (!isForPage(error)) return outcome.reject(error)
    isSeenWell = false
    tell()
  })

  function tell() {
    onShown(shown())
  }
  const goesToPage = () => !isSeenWell || record?.place === 'page'

  function shown(): ShownApproval {
    if (goesToPage()) return { by: 'page', isReady: record !== undefined, reason: pageReasonOf(record) }
    const gate = approval.gate()
    return { by: 'press', gate: record ? gate : notYet(gate) }
  }

  return {
    shown,
    outcome: outcome.promise,
    handlers: {
      notice(noticed) {
        if (goesToPage()) return
        // What is pressed before the server has said where it may be, is pressed on nothing.
        if (record || (noticed.what !== 'down' && noticed.what !== 'press')) approval.handlers.notice(noticed)
      },
      openPage() {
        if (record && goesToPage()) confirmOnPage(record).then(outcome.resolve, outcome.reject)
      },
      refuse: () => {},
    },
  }
}

const isForPage = (error: unknown) =>
  error instanceof LatchkeyError && error.code === 'approval_required_elsewhere'

const pageReasons: readonly PlaceReason[] = [
  'beyond_allowance',
  'allowance_or_permit',
  'not_understood',
  'no_price',
] satisfies readonly PageReason[]

const isPageReason = (reason: PlaceReason): reason is Exclude<PageReason, 'browser'> =>
  pageReasons.includes(reason)

const pageReasonOf = (record: Placed | undefined): PageReason =>
  record && isPageReason(record.reason) ? record.reason : 'browser'

const armedStates: readonly Gate['state'][] = ['armed', 'settling', 'ready']

/** As one that arms still. */
const notYet = (gate: Gate): Gate => (armedStates.includes(gate.state) ? { ...gate, state: 'arming' } : gate)
