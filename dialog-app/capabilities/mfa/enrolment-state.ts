/**
 * How far a change of the user's methods is, as a machine: one at a time is chosen, and opens once it has what its first
 * screen shows. The way back from there leads to the choice, so that it may be chosen from again at any time.
 */
import type { MfaMethodType } from '@latchkey/protocol'
import { type Next, stepBy, type Table } from '../../flow/machine.ts'
import type { OfferedMethod } from './enrol/enrolment-screen.tsx'
import type { MethodChange } from './method-change.ts'
import { type EnrolProblem, enrolProblemOf } from './problem.ts'

export type EnrolmentState = {
  phase: { at: 'choosing' } | { at: 'opening'; method: MfaMethodType }
  problem: EnrolProblem | undefined
  /** The change of the method that is being added or removed; another method has an operation of its own. */
  change: MethodChange | undefined
}

export type EnrolmentEvent =
  /** A method is chosen, as it stands now. */
  | { type: 'enrol'; offered: OfferedMethod }
  | { type: 'remove'; offered: OfferedMethod }
  | { type: 'change begun'; change: MethodChange }
  | { type: 'opened' }
  | { type: 'not opened'; cause: unknown }
  | { type: 'added'; method: MfaMethodType }
  | { type: 'removed' }

export type EnrolmentEffect =
  | { type: 'enrol'; method: MfaMethodType }
  | { type: 'open removal'; method: MfaMethodType }
  | { type: 'end change'; change: MethodChange }
  | { type: 'show added'; method: MfaMethodType }
  | { type: 'show choice' }

type Step = Next<EnrolmentState, EnrolmentEffect>

export const unchosen: EnrolmentState = { phase: { at: 'choosing' }, problem: undefined, change: undefined }

export const isFree = ({ status }: OfferedMethod): boolean => status === 'offered' || status === 'recommended'

/** Ends the change that there is, and goes on with the effect. */
function after(state: EnrolmentState, effect: EnrolmentEffect): Step {
  const { change } = state
  if (!change) return [state, effect]
  return [{ ...state, change: undefined }, { type: 'end change', change }, effect]
}

/** A method that was opened may be added or removed whatever was chosen since. */
const always = {
  'change begun': (state: EnrolmentState, { change }: { change: MethodChange }): Step => [
    { ...state, change },
  ],
  added: (state: EnrolmentState, { method }: { method: MfaMethodType }): Step =>
    after(state, { type: 'show added', method }),
  removed: (state: EnrolmentState): Step => after(state, { type: 'show choice' }),
}

const table: Table<EnrolmentState, EnrolmentEvent, EnrolmentEffect> = {
  choosing: {
    ...always,
    enrol(state, { offered }) {
      if (!isFree(offered)) return [state]
      const { method } = offered
      const next: EnrolmentState = { ...state, phase: { at: 'opening', method }, problem: undefined }
      return after(next, { type: 'enrol', method })
    },
    remove: (state, { offered: { status, method } }) =>
      status === 'added'
        ? after({ ...state, problem: undefined }, { type: 'open removal', method })
        : [state],
  },
  opening: {
    ...always,
    opened: (state) => [{ ...state, phase: { at: 'choosing' } }],
    'not opened': (state, { cause }) => [
      { ...state, phase: { at: 'choosing' }, problem: enrolProblemOf(cause) },
    ],
  },
}

export const enrolmentStep = stepBy(table)
