/** How far the activity of a wallet is read, as a machine: page after page, one at a time. */
import { type Next, stepBy, type Table } from '../../flow/machine.ts'
import type { ActivityRow, ActivityState } from './activity-screen.tsx'

export type ReadingState = {
  phase:
    | { at: 'reading' }
    | { at: 'failed' }
    | { at: 'read' }
    | { at: 'reading older' }
    | { at: 'older failed' }
  rows: readonly ActivityRow[]
  /** Where the next page begins; null after the last. */
  next: string | null
}
export type ReadingEvent =
  | { type: 'begin' }
  | { type: 'older' }
  | { type: 'page'; rows: readonly ActivityRow[]; next: string | null }
  | { type: 'not read' }
export type ReadingEffect = { type: 'read'; before: string | undefined }

export const unread: ReadingState = { phase: { at: 'reading' }, rows: [], next: null }

type Step = Next<ReadingState, ReadingEffect>
const begin = (state: ReadingState): Step => [
  { ...state, phase: { at: 'reading' } },
  { type: 'read', before: undefined },
]
const older = (state: ReadingState): Step =>
  state.next === null
    ? [state]
    : [
        { ...state, phase: { at: 'reading older' } },
        { type: 'read', before: state.next },
      ]
const page = ({ rows }: ReadingState, added: Extract<ReadingEvent, { type: 'page' }>): Step => [
  { phase: { at: 'read' }, rows: [...rows, ...added.rows], next: added.next },
]

const table: Table<ReadingState, ReadingEvent, ReadingEffect> = {
  reading: { begin, page, 'not read': (state) => [{ ...state, phase: { at: 'failed' } }] },
  failed: { begin },
  read: { older },
  'reading older': { page, 'not read': (state) => [{ ...state, phase: { at: 'older failed' } }] },
  'older failed': { older },
}
export const readingStep = stepBy(table)

export function shownActivity({ phase, rows, next }: ReadingState): ActivityState {
  switch (phase.at) {
    case 'reading':
      return { status: 'reading' }
    case 'failed':
      return { status: 'failed' }
    case 'read':
      return { status: 'read', rows, older: next === null ? 'none' : 'there' }
    case 'reading older':
      return { status: 'read', rows, older: 'reading' }
    case 'older failed':
      return { status: 'read', rows, older: 'failed' }
    default:
      return phase satisfies never
  }
}
