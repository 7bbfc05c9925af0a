/**
 * How far a recovery is that is given in a window of the wallet's origin, as a machine: a button opens the window, and
 * what is given there is used. What failed is asked for again, in the same window or in another one.
 */
import type { OpenedWindowState } from '@latchkey/protocol/wallet'
import type { WindowStep } from '../../../contract/wallet-window.ts'
import { type Next, type Step, stepBy } from '../../../flow/machine.ts'

export type RunPhase<Problem> =
  | { readonly at: 'beginning' }
  /** The button or the window that it opened is waited for. */
  | { readonly at: 'waiting'; readonly step: WindowStep<Problem> }
  /** What was given is being used, whatever its window does. */
  | { readonly at: 'using'; readonly step: WindowStep<Problem> }
  | { readonly at: 'done' }
export type RunState<Problem> = { readonly phase: RunPhase<Problem> }

export type RunEvent<Problem> =
  | { readonly type: 'begin' }
  | { readonly type: 'window shown'; readonly step: WindowStep<Problem> }
  /** The button says this of the window that it opened. */
  | { readonly type: 'pressed'; readonly state: OpenedWindowState }
  | { readonly type: 'given' }
  /** The window has nothing to give. */
  | { readonly type: 'refused'; readonly cause: unknown }
  /** What was given did not work, and the same window asks again. */
  | { readonly type: 'asked again' }
  | { readonly type: 'window failed'; readonly problem: Problem }
  | { readonly type: 'used' }

export type RunEffect<Problem> =
  /** The first screen of the run is put on the card; what comes after changes it. */
  | { readonly type: 'show'; readonly step: WindowStep<Problem> }
  | { readonly type: 'ask'; readonly problem: Problem | undefined }
  | { readonly type: 'hear'; readonly state: OpenedWindowState }
  | { readonly type: 'tell refusal'; readonly cause: unknown }
  | { readonly type: 'resolve' }

export const runStep = <Problem>(): Step<RunState<Problem>, RunEvent<Problem>, RunEffect<Problem>> => {
  type State = RunState<Problem>
  const ask = (state: State, { problem }: { readonly problem: Problem }): Next<State, RunEffect<Problem>> => [
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
