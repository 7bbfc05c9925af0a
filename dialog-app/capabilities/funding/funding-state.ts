/**
 * How far a funding is, as a machine: the address of the provider's page is signed before it is asked for, a payment is
 * followed until its provider says what became of it, and money that has come has the last word.
 */
import type { HostCallAnswer } from '@latchkey/protocol/host'
import { rejectedError } from '../../approval/rejection.ts'
import { done, type Ending, failed } from '../../flow/flow.ts'
import { type Next, stepBy, type Table } from '../../flow/machine.ts'
import { type Answer, beginning, type Polling, pollingAfter } from './on-ramp-status.ts'

export type Funded = HostCallAnswer<'fundWallet'>

/** The page of the provider, signed for one payment. */
type Page = { url: string; reference: string }
/** The way to pay by card, as far as it is prepared. */
export type CardPhase =
  | { at: 'preparing' }
  | ({ at: 'ready' } & Page)
  /** No window came when it was pressed. */
  | ({ at: 'blocked' } & Page)
  | { at: 'failed' }

/** The payment that was begun last. */
export type Payment = {
  reference: string
  /** The address of a window that may not have come. */
  perhapsBlocked: string | undefined
  polling: Polling
}

export type FundingState = {
  phase: CardPhase
  payment: Payment | undefined
  /** The amount that has come, as the chain says. */
  arrived: bigint | undefined
  /** Whoever waits for a certain amount goes on by themselves when it is there. */
  isNeeded: boolean
}

export type FundingEvent =
  /** `remembered`: the payment that was under way when the card was closed. */
  | { type: 'begin'; remembered: string | undefined }
  | ({ type: 'signed' } & Page)
  | { type: 'not signed' }
  | { type: 'retry' }
  | { type: 'pay' }
  /** What became of the window that was opened in the press; nothing is known of `unknown`. */
  | { type: 'tab'; tab: 'open' | 'unknown' | 'blocked' }
  /** The link to the provider's page was followed. */
  | { type: 'followed link' }
  | { type: 'answered'; reference: string; answer: Answer }
  | { type: 'arrived'; amount: bigint }
  | { type: 'leave status' }

export type FundingEffect =
  | { type: 'sign' }
  | { type: 'open tab'; url: string }
  | { type: 'remember'; reference: string }
  | { type: 'forget' }
  | { type: 'show prompt' }
  | { type: 'show status' }
  /** The provider is asked about the payment after a pause. */
  | { type: 'poll'; reference: string }
  | {
      type: 'track'
      event: 'sdk_fiat_on_ramp_started' | 'sdk_fiat_on_ramp_completed_with_status'
    }
  | { type: 'end'; ending: Ending<Funded> }

type Step = Next<FundingState, FundingEffect>

export const unfunded = (isNeeded: boolean): FundingState => ({
  phase: { at: 'preparing' },
  payment: undefined,
  arrived: undefined,
  isNeeded,
})

const prepare = (state: FundingState): Step => [{ ...state, phase: { at: 'preparing' } }, { type: 'sign' }]

const withPayment = (state: FundingState, reference: string, perhapsBlocked?: string): FundingState => ({
  ...state,
  payment: { reference, perhapsBlocked, polling: beginning },
})

/** Another try is another payment, so its page is signed anew. */
function pay(state: FundingState, { url, reference }: Page, perhapsBlocked: boolean): Step {
  const [next, ...effects] = prepare(withPayment(state, reference, perhapsBlocked ? url : undefined))
  return [
    next,
    { type: 'track', event: 'sdk_fiat_on_ramp_started' },
    { type: 'remember', reference },
    { type: 'show status' },
    { type: 'poll', reference },
    ...effects,
  ]
}

/** What is said of a payment before the last comes too late. */
function answered(
  state: FundingState,
  { reference, answer }: Extract<FundingEvent, { type: 'answered' }>,
): Step {
  const { payment } = state
  if (payment?.reference !== reference || payment.polling.isOver) return [state]
  const polling = pollingAfter(payment.polling, answer)
  const next = { ...state, payment: { ...payment, polling } }
  if (!polling.isOver) return [next, { type: 'poll', reference }]
  const track = { type: 'track', event: 'sdk_fiat_on_ramp_completed_with_status' } as const
  const isForgotten = polling.status === 'completed' || polling.status === 'failed'
  return isForgotten ? [next, track, { type: 'forget' }] : [next, track]
}

function leaveStatus(state: FundingState): Step {
  const status = shownStatus(state)
  const end = { type: 'end', ending: done(fundedOf(state)) } as const
  return status === 'waitingAuthorization' || status === 'arrived'
    ? [state, { type: 'forget' }, end]
    : [state, end]
}

/** Whatever the way to pay by card is at. */
const always = {
  answered,
  'leave status': leaveStatus,
  arrived: (state: FundingState, { amount }: { amount: bigint }): Step => {
    const next = { ...state, arrived: amount }
    return state.isNeeded ? [next, { type: 'end', ending: done(fundedOf(next)) }] : [next]
  },
}
/** A screen that was gone back to may show how it was. */
const redraw = (state: FundingState): Step => [state, { type: 'show prompt' }]

const table: Table<FundingState, FundingEvent, FundingEffect> = {
  preparing: {
    ...always,
    begin(state, { remembered }) {
      const [next, ...effects] = prepare(remembered === undefined ? state : withPayment(state, remembered))
      return remembered === undefined
        ? [next, ...effects]
        : [next, { type: 'show status' }, { type: 'poll', reference: remembered }, ...effects]
    },
    signed: (state, { url, reference }) => [{ ...state, phase: { at: 'ready', url, reference } }],
    'not signed': (state) => [{ ...state, phase: { at: 'failed' } }],
    pay: redraw,
  },
  ready: {
    ...always,
    pay: (state, _, { url }) => [state, { type: 'open tab', url }],
    tab: (state, { tab }, phase) =>
      tab === 'blocked'
        ? [{ ...state, phase: { ...phase, at: 'blocked' } }]
        : pay(state, phase, tab === 'unknown'),
    'followed link': (state, _, phase) => pay(state, phase, false),
  },
  blocked: { ...always, pay: redraw, 'followed link': (state, _, phase) => pay(state, phase, false) },
  failed: { ...always, pay: redraw, retry: prepare },
}

export const fundingStep = stepBy(table)

export const fundedOf = ({ payment }: FundingState): Funded => ({
  status: payment?.polling.status ?? null,
})

/** What the screen says of the payment: the chain has the last word on money that has come. */
export function shownStatus({ payment, arrived }: FundingState): Polling['status'] | 'arrived' {
  const { status } = payment?.polling ?? beginning
  return arrived !== undefined && status !== 'completed' ? 'arrived' : status
}

/** What the caller gets where the user closes the card now. */
export const endingOfClose = (state: FundingState): Ending<Funded> =>
  state.payment || state.arrived !== undefined ? done(fundedOf(state)) : failed(rejectedError())
