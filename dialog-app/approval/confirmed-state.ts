/**
 * How far an approval is of what the server is asked to confirm first, as a machine: no clock, server or window is in
 * it. The press on a card counts once the server has said that it may be approved there. On the page it is decided
 * where nobody can frame it, and what is decided there is waited for once it was opened.
 */
import type { ConfirmationReason, OpenedWindowState } from '@latchkey/protocol/wallet'
import { type Next, type Step, stepBy, type Table } from '../flow/machine.ts'
import type { Confirmed } from '../wallet/confirmed.ts'
import {
  type ApprovalKind,
  closedGate,
  type Gate,
  type GateState,
  gateOf,
  gateRefusal,
  type Noticed,
  notice,
} from './gate.ts'
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
  | { by: 'press'; gate: Gate }
  | {
      by: 'page'
      reason: PageReason
      way: PageWay
    }

/** How far the way to the page is. It can be opened once the server knows of the request. */
export type PageWay =
  | { at: 'preparing' }
  | {
      at: 'ready' | 'opened'
      /** The wallet's origin draws the button that opens it. */
      buttonUrl: string
      /** Nothing is known of a window that came, where the page of the host has an opener policy. */
      mayBeBlocked: boolean
    }
  /** A browser inside of an app opens no windows. */
  | { at: 'nowhere' }

export type ConfirmedPhase =
  /** It may be approved by a press, or on the page once that was opened. */
  | { at: 'asking' }
  /** The page was opened for this request: what is decided there is waited for, and nothing else approves it. */
  | { at: 'opened'; record: Confirmed }
  | { at: 'over' }

export type ConfirmedState = {
  phase: ConfirmedPhase
  /** The server is asked to have it approved here. No card approves what is put for the page. */
  place: 'frame' | 'unseen' | 'page'
  /** The server said this of the request that was put last. */
  record: Confirmed | undefined
  /** The card has to be seen as well as this kind needs it. */
  kind: ApprovalKind
  gate: GateState
  /** The page was opened, though perhaps a blocker kept it away. That stays seen when it is over. */
  opened: { mayBeBlocked: boolean } | undefined
  /** A browser inside of an app opens no windows. */
  canOpenPage: boolean
  /** The page of the host has opened a window for it. */
  hasWindow: boolean
}

export type ConfirmedEvent =
  | { type: 'begin' }
  | { type: 'recorded'; record: Confirmed }
  | { type: 'expiring'; record: Confirmed }
  | { type: 'noticed'; noticed: Noticed }
  | { type: 'page opened'; state: OpenedWindowState }
  /** The page has approved the request. */
  | { type: 'decided' }
  /** The user gives it up on the card. */
  | { type: 'cancel' }
  | { type: 'failed'; cause: unknown }

export type ConfirmedEffect =
  /** With a handle it is the same request, for another place. */
  | { type: 'put'; place: ConfirmedState['place']; handle: string | undefined }
  | { type: 'watch expiry'; record: Confirmed }
  | { type: 'await decision'; record: Confirmed }
  | { type: 'stop waiting' }
  | { type: 'tell' }
  | { type: 'resolve'; record: Confirmed }
  | { type: 'reject'; cause: unknown }

type Following = Next<ConfirmedState, ConfirmedEffect>

export const unconfirmed = (
  kind: ApprovalKind | 'page',
  asked: Pick<ConfirmedState, 'canOpenPage' | 'hasWindow'>,
): ConfirmedState => ({
  ...asked,
  phase: { at: 'asking' },
  place: kind === 'page' ? 'page' : 'frame',
  record: undefined,
  kind: kind === 'page' ? 'message' : kind,
  gate: closedGate,
  opened: undefined,
})

const put = (state: ConfirmedState, handle?: string): Following => [
  state,
  { type: 'put', place: state.place, handle },
]
const settled = (state: ConfirmedState, effect: ConfirmedEffect) =>
  [{ ...state, phase: { at: 'over' } }, effect] satisfies Following
const fail = (state: ConfirmedState, { cause }: { cause: unknown }) =>
  settled(state, { type: 'reject', cause })

const goesToPage = ({ place, record }: ConfirmedState) => place === 'page' || record?.place === 'page'

/** It was put for a card that is seen, before the browser said that it can not tell. */
const isToMove = ({ place }: ConfirmedState, record: Confirmed) =>
  place === 'unseen' && record.place !== 'unseen' && record.place !== 'page'

/** What a person reads of it changes with the answer. */
const isSaidAnew = (record: Confirmed, before: Confirmed | undefined) =>
  record.usd !== (before?.usd ?? null) ||
  JSON.stringify(record.names) !== JSON.stringify(before?.names ?? null)

function recorded(state: ConfirmedState, { record }: { record: Confirmed }): Following {
  if (isToMove(state, record)) return put(state, record.handle)
  const gate = isSaidAnew(record, state.record)
    ? notice(state.gate, { what: 'change', atMs: state.gate.nowMs })
    : state.gate
  const next = { ...state, record, gate }
  return state.hasWindow && goesToPage(next) && state.canOpenPage
    ? open(next, record, { mayBeBlocked: false })
    : [next, { type: 'watch expiry', record }]
}

const open = (
  state: ConfirmedState,
  record: Confirmed,
  opened: NonNullable<ConfirmedState['opened']>,
): Following => [
  { ...state, opened, phase: { at: 'opened', record } },
  { type: 'await decision', record },
]

function noticed(state: ConfirmedState, { noticed }: { noticed: Noticed }): Following {
  const { record, kind } = state
  if (goesToPage(state)) return [state]
  // What is pressed before the server has said where it may be, is pressed on nothing.
  if (!record && (noticed.what === 'down' || noticed.what === 'press')) return [state]
  if (noticed.what === 'look' && gateRefusal(kind, noticed.look.method)) return leaveToUnseen(state)
  const gate = notice(state.gate, noticed)
  return gate.isGiven && record ? settled(state, { type: 'resolve', record }) : [{ ...state, gate }]
}

/** What the server leaves to a browser that tells too little is approved there as a plain message is. */
function leaveToUnseen(state: ConfirmedState): Following {
  const { record } = state
  const unseen: ConfirmedState = { ...state, place: 'unseen', kind: 'message', gate: closedGate }
  return record && isToMove(unseen, record) ? put({ ...unseen, record: undefined }, record.handle) : [unseen]
}

const openedBy = ({ state }: { state: OpenedWindowState }) =>
  state === 'closed' ? undefined : { mayBeBlocked: state === 'unknown' }

const table: Table<ConfirmedState, ConfirmedEvent, ConfirmedEffect> = {
  asking: {
    begin: (state) => put(state),
    recorded,
    // What is read for long is put anew.
    expiring: (state, { record }) => (state.record === record ? put(state) : [state]),
    noticed,
    'page opened'(state, event) {
      const { record } = state
      const opened = openedBy(event)
      return record && goesToPage(state) && opened ? open(state, record, opened) : [state]
    },
    failed: fail,
  },
  opened: {
    // Opened again it is the same page, and the same wait for what is decided there.
    'page opened'(state, event) {
      const opened = openedBy(event)
      return [opened ? { ...state, opened } : state]
    },
    decided: (state, _, { record }) => settled(state, { type: 'resolve', record }),
    cancel(state) {
      const [over, reject] = fail(state, { cause: rejectedError() })
      return [over, { type: 'stop waiting' }, reject]
    },
    failed: fail,
  },
  over: {},
}
const stepOf = stepBy(table)

/** What has changed for who looks at it is told, before anything else is done. */
export const confirmedStep: Step<ConfirmedState, ConfirmedEvent, ConfirmedEffect> = (state, event) => {
  const [next, ...effects] = stepOf(state, event)
  return isSameShown(shownApproval(state), shownApproval(next))
    ? [next, ...effects]
    : [next, { type: 'tell' }, ...effects]
}

const isSameShown = (one: ShownApproval, other: ShownApproval) =>
  JSON.stringify(one) === JSON.stringify(other)

export function shownApproval(state: ConfirmedState): ShownApproval {
  if (goesToPage(state)) return { by: 'page', reason: pageReasonOf(state.record), way: wayToPage(state) }
  const gate = gateOf(state.gate)
  return { by: 'press', gate: state.record ? gate : notYet(gate) }
}

function wayToPage({ record, opened, canOpenPage }: ConfirmedState): PageWay {
  if (record === undefined) return { at: 'preparing' }
  if (!canOpenPage) return { at: 'nowhere' }
  const { buttonUrl } = record
  return { at: opened ? 'opened' : 'ready', buttonUrl, mayBeBlocked: opened?.mayBeBlocked ?? false }
}

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

/** The gate reads as still arming while nobody knows where the request may be approved. */
const notYet = (gate: Gate): Gate => (armedStates.includes(gate.state) ? { ...gate, state: 'arming' } : gate)
