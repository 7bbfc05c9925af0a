/** The rules of a captcha: it starts by itself, is polled for its result, and can be retried a few times. */
import { captchaLimits, LatchkeyError } from '@latchkey/protocol'
import { type Next, stepBy, type Table } from '../../flow/machine.ts'
import type { Widget, WidgetResult } from './widget.ts'

export type CheckPhase =
  | { at: 'ready' }
  /** The widget loads, or decides. */
  | { at: 'loading' }
  /** The widget waits for its user. */
  | { at: 'asking' }
  | { at: 'failed' }
  /** The next attempt starts after a pause. */
  | { at: 'retrying' }
  | { at: 'passed' }

export type CheckState = {
  phase: CheckPhase
  /** Counts the attempts. Events of an earlier attempt are ignored. */
  attempt: number
  /** Counts the deadlines. The deadline of an earlier wait is ignored, and the user has as long as the widget allows. */
  deadline: number
  /** The same for all attempts. */
  widget: Widget | undefined
}

type OfAttempt = { attempt: number }
export type CheckEvent =
  | { type: 'begin' }
  | { type: 'try' }
  | ({ type: 'opened'; widget: Widget } & OfAttempt)
  /** The provider's script did not load, or threw. */
  | ({ type: 'broken' } & OfAttempt)
  | ({ type: 'looked'; result: WidgetResult } & OfAttempt)
  | { type: 'too late'; deadline: number }
  | { type: 'retry' }

export type CheckEffect =
  /** Loads the provider's script. */
  | { type: 'preload' }
  | { type: 'try after'; delayMs: number }
  | { type: 'watch for the deadline'; deadline: number }
  | ({ type: 'open' } & OfAttempt)
  | ({ type: 'execute'; widget: Widget } & OfAttempt)
  /** Reads the result of the widget after a pause. */
  | ({ type: 'look'; widget: Widget } & OfAttempt)
  /** Stores the token, and ends after the user had a moment to read the success. */
  | { type: 'pass'; token: string }
  | { type: 'give up'; error: LatchkeyError }

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
    case 'passed':
      return [
        { ...state, phase: { at: 'passed' } },
        { type: 'pass', token: result.token },
      ]
    case 'failed':
      return fail(state)
    case 'asking': {
      const asking: CheckState = { ...state, phase: { at: 'asking' }, deadline: state.deadline + 1 }
      return [phase.at === 'asking' ? state : asking, { type: 'look', attempt, widget }]
    }
    case 'none yet': {
      const lookEffect = { type: 'look', attempt, widget } as const
      return phase.at === 'asking' ? [...waitForWidget(state), lookEffect] : [state, lookEffect]
    }
    default:
      return result satisfies never
  }
}

/** Rows of the phases with a running attempt. */
const running = {
  looked,
  'too late': (state: CheckState, { deadline }: { deadline: number }): Step =>
    deadline === state.deadline ? [state, { type: 'give up', error: tooLate() }] : [state],
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

export const retriesLeft = ({ attempt }: CheckState): number => captchaLimits.retries + 1 - attempt

const tooLate = () => new LatchkeyError('captcha_timeout', 'Captcha failed')
