/**
 * How far a captcha is, as a machine: it begins by itself, is looked at until it has an answer, and may be tried anew a
 * few times.
 */
import { captchaLimits, LatchkeyError } from '@latchkey/protocol'
import { done, type Ending, failed } from '../../flow/flow.ts'
import { type Next, stepBy, type Table } from '../../flow/machine.ts'
import type { CaptchaState } from './captcha-screen.tsx'
import type { Widget, WidgetResult } from './widget.ts'

/** It is undefined where the user left. */
export type CaptchaOutcome = string | undefined

export type CheckPhase =
  | { at: 'ready' }
  /** The widget is on its way, or decides. */
  | { at: 'loading' }
  /** The widget waits for its user. */
  | { at: 'asking' }
  | { at: 'failed' }
  /** The next try comes after a pause. */
  | { at: 'retrying' }
  | { at: 'passed'; token: string }

export type CheckState = {
  phase: CheckPhase
  /** Counts the tries: what belongs to an earlier one comes too late. */
  attempt: number
  /** Counts the deadlines: one that was for an earlier wait is over. Its user has as long as the widget gives them. */
  deadline: number
  /** Every try has the same one. */
  widget: Widget | undefined
}

type OfAttempt = { attempt: number }
export type CheckEvent =
  | { type: 'begin' }
  | { type: 'try' }
  | ({ type: 'opened'; widget: Widget } & OfAttempt)
  /** The provider's script did not come, or threw. */
  | ({ type: 'broken' } & OfAttempt)
  | ({ type: 'looked'; result: WidgetResult } & OfAttempt)
  | { type: 'too late'; deadline: number }
  | { type: 'retry' }

export type CheckEffect =
  /** The provider's script is loaded ahead of its use. */
  | { type: 'preload' }
  | { type: 'try after'; delayMs: number }
  | { type: 'watch for the deadline'; deadline: number }
  | ({ type: 'open' } & OfAttempt)
  | ({ type: 'execute'; widget: Widget } & OfAttempt)
  /** The widget is asked for its answer after a pause. */
  | ({ type: 'look'; widget: Widget } & OfAttempt)
  /** The token is there, whether the user waits for what comes or leaves. */
  | { type: 'keep'; token: string }
  /** The success stays to be read for a moment. */
  | { type: 'hold'; ending: Ending<CaptchaOutcome> }
  | { type: 'end'; ending: Ending<CaptchaOutcome> }

type Step = Next<CheckState, CheckEffect>

export const unchecked: CheckState = {
  phase: { at: 'ready' },
  attempt: 1,
  deadline: 0,
  widget: undefined,
}

function tryNow(state: CheckState): Step {
  const { attempt, widget } = state
  const [next, watch] = waitForWidget(state)
  return widget ? [next, watch, ...executed(attempt, widget)] : [next, watch, { type: 'open', attempt }]
}
function waitForWidget(state: CheckState): readonly [CheckState, CheckEffect] {
  const deadline = state.deadline + 1
  return [
    { ...state, phase: { at: 'loading' }, deadline },
    { type: 'watch for the deadline', deadline },
  ]
}
const executed = (attempt: number, widget: Widget): CheckEffect[] => [
  { type: 'execute', attempt, widget },
  { type: 'look', attempt, widget },
]
const fail = (state: CheckState): Step => [{ ...state, phase: { at: 'failed' } }]

function looked(state: CheckState, { attempt, result }: Extract<CheckEvent, { type: 'looked' }>): Step {
  const { phase, widget } = state
  if (attempt !== state.attempt || !widget) return [state]
  switch (result.type) {
    case 'passed': {
      const { token } = result
      return [
        { ...state, phase: { at: 'passed', token } },
        { type: 'keep', token },
        { type: 'hold', ending: done(token) },
      ]
    }
    case 'failed':
      return fail(state)
    case 'asking': {
      const asking: CheckState = { ...state, phase: { at: 'asking' }, deadline: state.deadline + 1 }
      return [phase.at === 'asking' ? state : asking, { type: 'look', attempt, widget }]
    }
    case 'none yet': {
      const look = { type: 'look', attempt, widget } as const
      return phase.at === 'asking' ? [...waitForWidget(state), look] : [state, look]
    }
    default:
      return result satisfies never
  }
}

/** A try is under way. */
const running = {
  looked,
  'too late': (state: CheckState, { deadline }: { deadline: number }): Step =>
    deadline === state.deadline ? [state, { type: 'end', ending: failed(tooLate()) }] : [state],
}

const table: Table<CheckState, CheckEvent, CheckEffect> = {
  ready: {
    begin: (state) => [
      state,
      { type: 'preload' },
      { type: 'try after', delayMs: captchaLimits.executeAfterMs },
    ],
    try: tryNow,
  },
  loading: {
    ...running,
    opened: (state, { attempt, widget }) =>
      attempt === state.attempt ? [{ ...state, widget }, ...executed(attempt, widget)] : [state],
    broken: (state, { attempt }) => (attempt === state.attempt ? fail(state) : [state]),
  },
  asking: running,
  failed: {
    retry: (state) =>
      retriesLeft(state) > 0
        ? [
            { ...state, phase: { at: 'retrying' }, attempt: state.attempt + 1 },
            { type: 'try after', delayMs: captchaLimits.retryDelayMs },
          ]
        : [state],
  },
  retrying: { try: tryNow },
  passed: {},
}

export const checkStep = stepBy(table)

const retriesLeft = ({ attempt }: CheckState): number => captchaLimits.retries + 1 - attempt

export function shownCaptcha(state: CheckState): CaptchaState {
  const { phase } = state
  switch (phase.at) {
    case 'ready':
    case 'loading':
    case 'asking':
      return { status: phase.at, retriesLeft: retriesLeft(state) }
    case 'retrying':
      return { status: 'loading', retriesLeft: retriesLeft(state) }
    case 'failed':
      return { status: 'error', retriesLeft: retriesLeft(state) }
    case 'passed':
      return { status: 'success', token: phase.token }
    default:
      return phase satisfies never
  }
}

const tooLate = () => new LatchkeyError('captcha_timeout', 'Captcha failed')
