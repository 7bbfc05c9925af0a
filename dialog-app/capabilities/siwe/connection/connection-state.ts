/**
 * The state of the connection to the chosen wallet, as its screen shows it. Events of an attempt that is over have no
 * effect.
 */
import { type LatchkeyError, siweLimits } from '@latchkey/protocol'
import { rowFor } from '../../../contract/error-table.ts'
import { problems, type WalletProblem } from '../problem.ts'
import type { Meeting } from '../sources/sources.ts'

export type ConnectionStep =
  | { status: 'connecting'; meeting?: Meeting }
  | { status: 'switching' }
  /** The wallet is about to ask for the signature. */
  | { status: 'sign' }
  /** The server verifies the signature. */
  | { status: 'signing' }
  /** The wallet asks whether to pay. */
  | { status: 'pay' }
  | { status: 'paid' }
  /** The wallet shows a request of the page. */
  | { status: 'request' }
  | { status: 'success' }
  /** Connected without a signature. */
  | { status: 'connected' }
  /** The wallet uses another account than the page wants. */
  | { status: 'other account'; address: string; wanted: string }
  | { status: 'failed'; problem: WalletProblem; isRepeated: boolean }

export type ConnectionState = {
  step: ConnectionStep
  /** The link opens the wallet's app on this phone. */
  appLink: string | undefined
  /** The number of the current attempt. */
  attempt: number
  /** The number of failed attempts. Another account is no failure. */
  failures: number
}

export type ConnectionEvent =
  | { type: 'retry' }
  | { type: 'meeting'; attempt: number; meeting: Meeting }
  | {
      type: 'other account'
      attempt: number
      address: string
      wanted: string
      appLink: string | undefined
    }
  | { type: 'connected'; attempt: number; appLink: string | undefined }
  | { type: 'shown'; attempt: number; step: ConnectionStep }
  | { type: 'failed'; attempt: number; error: LatchkeyError }

const connecting: ConnectionStep = { status: 'connecting' }
export const firstConnection: ConnectionState = {
  step: connecting,
  appLink: undefined,
  attempt: 1,
  failures: 0,
}

export function connectionReducer(state: ConnectionState, event: ConnectionEvent): ConnectionState {
  if (event.type === 'retry') {
    if (!isOver(state) || isGivenUp(state)) return state
    return { ...state, step: connecting, attempt: state.attempt + 1 }
  }
  if (event.attempt !== state.attempt || isOver(state)) return state
  switch (event.type) {
    case 'meeting':
      return { ...state, step: { status: 'connecting', meeting: event.meeting } }
    case 'other account': {
      const { address, wanted, appLink } = event
      return { ...state, step: { status: 'other account', address, wanted }, appLink }
    }
    case 'connected':
      return { ...state, appLink: event.appLink }
    case 'shown':
      return { ...state, step: event.step }
    case 'failed': {
      const failures = state.failures + 1
      const problem = rowFor(problems, event.error.code)
      return { ...state, step: { status: 'failed', problem, isRepeated: failures > 1 }, failures }
    }
    default:
      return event satisfies never
  }
}

const isOver = ({ step: { status } }: ConnectionState) => status === 'failed' || status === 'other account'

/** Returns whether the wallet failed too often for another attempt. */
export const isGivenUp = ({ step, failures }: ConnectionState): boolean =>
  step.status === 'failed' && step.problem !== 'userExists' && failures > siweLimits.connectRetries
