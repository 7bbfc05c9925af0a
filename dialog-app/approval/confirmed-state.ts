/**
 * The state machine of an approval that the server confirms first, free of clocks, servers and windows. A press on
 * the card counts once the server allows the card as approval surface. Otherwise the user decides on the confirmation
 * page, which cannot be framed.
 */

import {
  cardSurface,
  createGate,
  type Gate,
  type GateEvent,
  type GateState,
  reduceGate,
  toGate,
} from '@latchkey/protocol/browser'
import type { ConfirmationReason, OpenedWindowState } from '@latchkey/protocol/wallet'
import { type Next, type Step, stepBy, type Table } from '../flow/machine.ts'
import type { ConfirmedRequest } from '../wallet/confirmed.ts'
import { type ApprovalKind, gateRefusal } from './approval-kind.ts'
import { rejectedError } from './rejection.ts'

/** The reason for the page: the server's reason, or that this browser cannot report visibility. */
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

/** The part of an approval that a screen shows instead of a plain button. */
export type ShownApproval =
  | { by: 'press'; gate: Gate }
  | {
      by: 'page'
      reason: PageReason
      way: PageWay
    }

/** The state of the button that opens the page. The page needs a request that the server has recorded. */
export type PageWay =
  | { at: 'preparing' }
  | {
      at: 'ready' | 'opened'
      /** The wallet origin renders the button that opens it. */
      buttonUrl: string
      /** True if the host page's opener policy hides whether the window opened. */
      mayBeBlocked: boolean
    }
  /** An in-app browser opens no windows. */
  | { at: 'nowhere' }

export type ConfirmedPhase =
  /** A press approves the request, or the page once it is open. */
  | { at: 'asking' }
  /** The page is open for this request, and only the page can approve it. */
  | { at: 'opened'; record: ConfirmedRequest }
  | { at: 'over' }

export type ConfirmedState = {
  phase: ConfirmedPhase
  /** The approval surface requested from the server. A request for the page is never approved on a card. */
  place: 'frame' | 'unseen' | 'page'
  /** The server's answer to the latest put. */
  record: ConfirmedRequest | undefined
  /** Decides how reliably the card must be visible. */
  kind: ApprovalKind
  gate: GateState
  /** Set once the page was opened, also after the end. A popup blocker may still have blocked it. */
  opened: { mayBeBlocked: boolean } | undefined
  /** An in-app browser opens no windows. */
  canOpenPage: boolean
  /** The host page has opened a window for the request. */
  hasWindow: boolean
}

export type ConfirmedEvent =
  | { type: 'begin' }
  | { type: 'recorded'; record: ConfirmedRequest }
  | { type: 'expiring'; record: ConfirmedRequest }
  | { type: 'noticed'; noticed: GateEvent }
  | { type: 'page-opened'; state: OpenedWindowState }
  /** The user approved the request on the page. */
  | { type: 'decided' }
  /** The user cancels on the card. */
  | { type: 'cancel' }
  | { type: 'failed'; cause: unknown }

export type ConfirmedEffect =
  /** With a handle, moves the same request to another surface. */
  | { type: 'put'; place: ConfirmedState['place']; handle: string | undefined }
  | { type: 'watch-expiry'; record: ConfirmedRequest }
  | { type: 'await-decision'; record: ConfirmedRequest }
  | { type: 'stop-waiting' }
  | { type: 'notify' }
  | { type: 'resolve'; record: ConfirmedRequest }
  | { type: 'reject'; cause: unknown }

type Transition = Next<ConfirmedState, ConfirmedEffect>

export const initialState = (
  kind: ApprovalKind | 'page',
  asked: Pick<ConfirmedState, 'canOpenPage' | 'hasWindow'>,
): ConfirmedState => ({
  ...asked,
  phase: { at: 'asking' },
  place: kind === 'page' ? 'page' : 'frame',
  record: undefined,
  kind: kind === 'page' ? 'message' : kind,
  gate: createGate(cardSurface),
  opened: undefined,
})

const storeRequest = (state: ConfirmedState, handle?: string): Transition => [
  state,
  { type: 'put', place: state.place, handle },
]
const finish = (state: ConfirmedState, effect: ConfirmedEffect) =>
  [{ ...state, phase: { at: 'over' } }, effect] satisfies Transition
const fail = (state: ConfirmedState, { cause }: { cause: unknown }) =>
  finish(state, { type: 'reject', cause })

const goesToPage = ({ place, record }: ConfirmedState) => place === 'page' || record?.place === 'page'

/** Returns whether the request was recorded for a visible card before the browser reported that it cannot tell. */
const mustMove = ({ place }: ConfirmedState, record: ConfirmedRequest) =>
  place === 'unseen' && record.place !== 'unseen' && record.place !== 'page'

/** Returns whether the answer changes the displayed content. */
const changesDisplay = (record: ConfirmedRequest, before: ConfirmedRequest | undefined) =>
  record.usd !== (before?.usd ?? null) ||
  JSON.stringify(record.names) !== JSON.stringify(before?.names ?? null)

function recorded(state: ConfirmedState, { record }: { record: ConfirmedRequest }): Transition {
  if (mustMove(state, record)) return storeRequest(state, record.handle)
  const gate = changesDisplay(record, state.record)
    ? reduceGate(state.gate, { type: 'change', atMs: state.gate.nowMs })
    : state.gate
  const next = { ...state, record, gate }
  return state.hasWindow && goesToPage(next) && state.canOpenPage
    ? open(next, record, { mayBeBlocked: false })
    : [next, { type: 'watch-expiry', record }]
}

const open = (
  state: ConfirmedState,
  record: ConfirmedRequest,
  opened: NonNullable<ConfirmedState['opened']>,
): Transition => [
  { ...state, opened, phase: { at: 'opened', record } },
  { type: 'await-decision', record },
]

function noticed(state: ConfirmedState, { noticed }: { noticed: GateEvent }): Transition {
  const { record, kind } = state
  if (goesToPage(state)) return [state]
  // A press has no target until the server has allowed the card.
  if (!record && (noticed.type === 'down' || noticed.type === 'press')) return [state]
  if (noticed.type === 'sample' && gateRefusal(kind, noticed.sample.method)) return moveToUnseen(state)
  const gate = reduceGate(state.gate, noticed)
  return gate.isApproved && record ? finish(state, { type: 'resolve', record }) : [{ ...state, gate }]
}

/** Falls back to the rules of a plain message for requests that the server allows without visibility reports. */
function moveToUnseen(state: ConfirmedState): Transition {
  const { record } = state
  const unseen: ConfirmedState = { ...state, place: 'unseen', kind: 'message', gate: createGate(cardSurface) }
  return record && mustMove(unseen, record)
    ? storeRequest({ ...unseen, record: undefined }, record.handle)
    : [unseen]
}

const toOpened = ({ state }: { state: OpenedWindowState }) =>
  state === 'closed' ? undefined : { mayBeBlocked: state === 'unknown' }

const table: Table<ConfirmedState, ConfirmedEvent, ConfirmedEffect> = {
  asking: {
    begin: (state) => storeRequest(state),
    recorded,
    // Puts the request again if the user reads for a long time.
    expiring: (state, { record }) => (state.record === record ? storeRequest(state) : [state]),
    noticed,
    'page-opened'(state, event) {
      const { record } = state
      const openedState = toOpened(event)
      return record && goesToPage(state) && openedState ? open(state, record, openedState) : [state]
    },
    failed: fail,
  },
  opened: {
    // Opening the page again shows the same page and keeps the same wait.
    'page-opened'(state, event) {
      const openedState = toOpened(event)
      return [openedState ? { ...state, opened: openedState } : state]
    },
    decided: (state, _, { record }) => finish(state, { type: 'resolve', record }),
    cancel(state) {
      const [over, reject] = fail(state, { cause: rejectedError() })
      return [over, { type: 'stop-waiting' }, reject]
    },
    failed: fail,
  },
  over: {},
}
const step = stepBy(table)

/** Emits a change of the displayed approval before all other effects. */
export const confirmedStep: Step<ConfirmedState, ConfirmedEvent, ConfirmedEffect> = (state, event) => {
  const [next, ...effects] = step(state, event)
  return isSameApproval(shownApproval(state), shownApproval(next))
    ? [next, ...effects]
    : [next, { type: 'notify' }, ...effects]
}

const isSameApproval = (one: ShownApproval, other: ShownApproval) =>
  JSON.stringify(one) === JSON.stringify(other)

export function shownApproval(state: ConfirmedState): ShownApproval {
  if (goesToPage(state)) return { by: 'page', reason: toPageReason(state.record), way: getPageWay(state) }
  const gate = toGate(state.gate)
  return { by: 'press', gate: state.record ? gate : toArming(gate) }
}

function getPageWay({ record, opened, canOpenPage }: ConfirmedState): PageWay {
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

const toPageReason = (record: ConfirmedRequest | undefined): PageReason =>
  record && isPageReason(record.reason) ? record.reason : 'browser'

const armedStates: readonly Gate['state'][] = ['armed', 'settling', 'ready']

/** Shows the gate as arming until the server has returned the approval surface. */
const toArming = (gate: Gate): Gate =>
  armedStates.includes(gate.state) ? { ...gate, state: 'arming' } : gate
