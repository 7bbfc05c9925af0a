/**
 * How far a recovery is that is given in a window of the wallet's origin, as a machine: a button opens the window, and
 * what is given there is used. What failed is asked for again, in the same window or in another one.
 */
import type { OpenedWindowState } from '@latchkey/protocol/wallet'
import type { WindowStep } from '../../../app/wallet-window/wallet-window.ts'
import { type Next, type Step, stepBy } from '../../../flow/machine.ts'

export type RunPhase<Problem> =
  | { at: 'beginning' }
  /** The button or the window that it opened is waited for. */
  | { at: 'waiting'; step: WindowStep<Problem> }
  /** What was given is being used, whatever its window does. */
  | { at: 'using'; step: WindowStep<Problem> }
  | { at: 'done' }
export type RunState<Problem> = { phase: RunPhase<Problem> }

export type RunEvent<Problem> =
  | { type: 'begin' }
  | { type: 'window shown'; step: WindowStep<Problem> }
  /** The button says this of the window that it opened. */
  | { type: 'pressed'; state: OpenedWindowState }
  | { type: 'given' }
  /** The window has nothing to give. */
  | { type: 'refused'; cause: unknown }
  /** What was given did not work, and the same window asks again. */
  | { type: 'asked again' }
  | { type: 'window failed'; problem: Problem }
  | { type: 'used' }

export type RunEffect<Problem> =
  /** The first screen of the run is put on the card; what comes after changes it. */
  | { type: 'show'; step: WindowStep<Problem> }
  | { type: 'ask'; problem: Problem | undefined }
  | { type: 'hear'; state: OpenedWindowState }
  | { type: 'tell refusal'; cause: unknown }
  | { type: 'resolve' }

export const runStep = <Problem>(): Step<RunState<Problem>, RunEvent<Problem>, RunEffect<Problem>> => {
  type State = RunState<Problem>
  const ask = (state: State, { problem }: { problem: Problem }): Next<State, RunEffect<Problem>> => [
    state,
    { type: 'ask', problem },
  ]

  return stepBy<State, RunEvent<Problem>, RunEffect<Problem>>({
    beginning: {
      begin: (state) => [state, { type: 'ask', problem: undefined }],
      'window shown': (_, { step }) => [{ phase: { at: 'waiting', step } }, { type: 'show', step }],
    },
    waiting: {
      'window shown': (_, { step }) => [{ phase: { at: 'waiting', step } }],
      pressed: (state, { state: opened }) => [state, { type: 'hear', state: opened }],
      given: (_state, _event, { step }) => [{ phase: { at: 'using', step } }],
      refused: (state, { cause }) => [state, { type: 'tell refusal', cause }],
      'window failed': ask,
    },
    using: {
      // Only the button of another window takes its place.
      'window shown': (state, { step }) => [
        step.at === 'asking' ? { phase: { at: 'waiting', step } } : state,
      ],
      'asked again': (_state, _event, { step }) => [{ phase: { at: 'waiting', step } }],
      'window failed': ask,
      used: () => [{ phase: { at: 'done' } }, { type: 'resolve' }],
    },
    done: {},
  })
}
